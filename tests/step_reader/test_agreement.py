"""The linter's reading of a field and the model of the executor accept the same values."""

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from stepcheck.facts import FIELDS, SILENT_FIELDS, Effect, Mapping, Origin, Reference, Step
from stepcheck.frontends import TableOptions
from stepcheck.frontends._compound import ABSENCE_PARTS, DEDUPE_PARTS, RETRY_PARTS
from stepcheck.frontends._fields import READINGS, SPELLINGS
from stepcheck.frontends._step import read_step
from stepcheck.stepdef import StepDef
from tests.step_reader.values import NAME, Names, tree

WORDS = "read idem_write human query retry ref inline unlimited full a.b yes 1 inf"
DURATIONS = "PT10M P1D P2W PT0S P1M P1Y -PT1S PT P PT1.5H P1DT PT1S1M"
TEXTS = st.sampled_from(["", *WORDS.split(), *DURATIONS.split()]) | st.text(max_size=4)
NUMBERS = st.integers(-3, 10) | st.sampled_from(
    [0.5, -0.5, 1e300, -1e300, math.inf, -math.inf, math.nan, 2.0]
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS | st.timedeltas(timedelta(days=-1), timedelta(days=1))
PARTS = st.sampled_from([*RETRY_PARTS, *DEDUPE_PARTS, *ABSENCE_PARTS, "other"])
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(PARTS, SCALARS, max_size=3)


def read(fields: dict[str, Any]) -> Step:
    mapping = tree(fields)
    assert isinstance(mapping, Mapping)
    return read_step("create", NAME, "STEPS", mapping, Names(), frozenset(), TableOptions())


def model_accepts(field: str, value: Any) -> bool:
    """Whether the model has nothing against this value of this field, whatever it says of the whole step."""
    fields = {"effect": "idem_write", "call": "shop.create", field: value}
    try:
        StepDef.from_document(fields)
    except ValidationError as error:
        return not any(mistake["loc"] for mistake in error.errors())
    return True


def test_the_model_has_the_fields_of_the_linter_in_the_same_order() -> None:
    model = {
        name: tuple(getattr(info.validation_alias, "choices", [name])[1:])
        for name, info in StepDef.model_fields.items()
        if name not in SILENT_FIELDS
    }
    assert list(model.items()) == [(field.name, field.aliases) for field in FIELDS]
    assert StepDef.model_fields.keys() - model.keys() == SILENT_FIELDS


def test_every_field_has_a_reading_and_every_spelling_leads_to_one() -> None:
    assert list(READINGS) == [field.name for field in FIELDS] == list(read({}).settings())
    assert set(SPELLINGS.values()) == set(READINGS)


@pytest.mark.parametrize("field", [field.name for field in FIELDS])
@given(value=VALUES)
@example(value="PT0S")
@example(value={"query_lag": "PT0S", "late_bound": 0})
@example(value={"margin": 0})
@example(value={"max_attempts": None})
@example(value=math.nan)
def test_a_value_of_a_field_is_right_for_both_or_for_neither(field: str, value: Any) -> None:
    assume(not (value is None and field in ("effect", "call")))  # absent there: rules of their own report it
    found = read({field: value}).settings()[field]
    assert found.origin in (Origin.WRITTEN, Origin.WRONG)
    assert found.written == model_accepts(field, value)


@given(
    effect=st.sampled_from(Effect),
    fields=st.fixed_dictionaries(
        {},
        optional={
            "retryable": st.none() | st.booleans(),
            "max_attempts": st.sampled_from([None, 1, 2, "unlimited"]),
            "retry": st.sampled_from(
                [None, True, False, 1, 4, {}, {"max_attempts": 2}, {"max_attempts": None}]
            ),
        },
    ),
)
def test_both_draw_the_same_number_of_attempts_from_the_retry_fields(
    effect: Effect, fields: dict[str, Any]
) -> None:
    try:
        step = StepDef.from_document({"effect": effect, "call": "a.b", **fields})
    except ValidationError:
        assume(False)
        raise
    assert read({"effect": effect.value, **fields}).retry.attempts == step.attempts


def test_a_callable_is_accepted_by_the_model_and_a_name_by_both() -> None:
    assert StepDef(effect=Effect.READ, call=print).call is print
    assert isinstance(read({"call": "shop.calls:create"}).call.value, Reference)
    assert StepDef(effect=Effect.READ, call="shop.calls:create").call == "shop.calls:create"
