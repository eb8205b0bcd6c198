"""The model of a step: what it takes from a document, and which combinations it refuses."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from stepcheck import engine
from stepcheck.facts import FIELDS, Effect, Unlimited
from stepcheck.facts.field import FieldName
from stepcheck.settings import Settings
from stepcheck.stepdef import AbsenceProof, Dedupe, Retry, StepDef


def create() -> None: ...


def undo() -> None: ...


def step(**fields: Any) -> StepDef:
    return StepDef.from_document({"effect": "non_idem_write", "call": create, **fields})


def refusal(**fields: Any) -> str:
    with pytest.raises(ValidationError) as told:
        step(**fields)
    (mistake,) = told.value.errors()
    return str(mistake["msg"]).removeprefix("Value error, ")


def test_a_written_entry_of_a_table_is_taken_as_it_is() -> None:
    found = step(query=None, compensate=undo, compensate_deadline="PT10M")
    assert found.effect is Effect.NON_IDEM_WRITE
    assert (found.call, found.query, found.compensate) == (create, None, undo)
    assert found.compensate_deadline == timedelta(minutes=10)
    assert found.attempts == 1


def test_aliases_are_taken_and_a_field_and_its_alias_together_are_refused() -> None:
    entry = {"effect_class": "read", "call": "a.b", "key_params": ["order"]}
    found = StepDef.from_document(entry)
    assert (found.effect, found.identity) == (Effect.READ, ("order",))
    assert StepDef(effect=Effect.READ, call=create, identity=("order",)).identity == ("order",)
    with pytest.raises(ValidationError, match="effect_class"):
        StepDef.from_document({**entry, "effect": "read"})


def test_a_written_none_is_no_limit_where_leaving_it_out_is_a_default() -> None:
    assert (step().max_attempts, step(max_attempts=None).max_attempts) == (None, Unlimited.UNLIMITED)
    assert (step().timeout, step(timeout=None).timeout) == (None, Unlimited.UNLIMITED)


def test_parts_of_a_step_are_models_too() -> None:
    found = step(
        retry={"max_attempts": 2, "cap": "PT5S"},
        dedupe={"window": "P1D"},
        query="a.b",
        absence={"query_lag": 0, "late_bound": 5},
    )
    assert found.retry == Retry(max_attempts=2, cap=timedelta(seconds=5))
    assert found.dedupe == Dedupe(window=timedelta(days=1))
    assert found.absence == AbsenceProof(query_lag=timedelta(0), late_bound=timedelta(seconds=5))


def test_a_set_of_names_has_one_order() -> None:
    assert step(identity={"b", "a", "c"}).identity == ("a", "b", "c")


def test_an_idem_write_needs_no_dedupe() -> None:
    assert not step(effect="idem_write").keyed
    assert step(effect="idem_write", dedupe=True).keyed
    assert not step(effect="read", dedupe=False).keyed


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"effect": "read", "compensate": undo}, "a read has no compensate: repeating it is always safe"),
        ({"effect": "read", "dedupe": True}, "a read has no dedupe: repeating it is always safe"),
        (
            {"effect": "read", "on_uncertain": "human"},
            "a read has no on_uncertain: repeating it is always safe",
        ),
        ({"compensate_deadline": "PT1M"}, "compensate_deadline needs a compensate that it ends"),
        ({"on_uncertain": "query"}, "on_uncertain 'query' needs a query"),
        ({"absence": {}}, "absence needs a query that it bounds"),
        ({"on_absent": "retry"}, "on_absent 'retry' needs a query"),
        (
            {"on_absent": "retry", "query": "a.b"},
            "on_absent 'retry' needs absence with query_lag and late_bound",
        ),
        (
            {"on_absent": "retry", "query": "a.b", "absence": {"query_lag": 1}},
            "on_absent 'retry' needs absence with query_lag and late_bound",
        ),
        ({"retryable": True, "max_attempts": 1}, "retryable needs max_attempts of more than 1"),
        ({"retryable": False, "max_attempts": 2}, "max_attempts of more than 1 needs a retryable step"),
        ({"qurey": "a.b"}, "Extra inputs are not permitted"),
        (
            {"compensate": undo, "compensate_deadline": "P1M"},
            "counts years or months, which have no fixed length",
        ),
        ({"timeout": 0}, "is not longer than zero"),
    ],
)
def test_what_has_no_sense_is_refused_with_a_reason(fields: dict[str, Any], why: str) -> None:
    assert refusal(**fields) == why


def test_the_type_of_field_names_is_the_list_of_fields() -> None:
    assert get_args(FieldName) == tuple(field.name for field in FIELDS)


VALUES = {"compensate": "a.b", "dedupe": True, "on_uncertain": "human"}


def test_every_field_for_writes_alone_is_refused_in_a_read_and_found_by_the_linter(tmp_path: Path) -> None:
    assert {field.name for field in FIELDS if Effect.READ not in field.effects} == set(VALUES)
    for name, value in VALUES.items():
        with pytest.raises(ValidationError, match=f"a read has no {name}"):
            StepDef.from_document({"effect": "read", "call": "a.b", name: value})
        document = {"steps": {"look": {"effect": "read", "call": "a.b", "timeout": 5, name: value}}}
        (tmp_path / "a.json").write_text(json.dumps(document))
        report = engine.run(Settings(root=tmp_path, select=("invalid-field",)), ["."], cwd=tmp_path)
        assert [one.message.endswith(f" {name}") for one in report.findings] == [True]


def test_a_step_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        step().effect = Effect.READ
