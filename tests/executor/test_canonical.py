"""The canonical form: one value, one byte string; and refusal of what has two."""

import os
import subprocess
import sys
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.executor.canonical import CanonicalError, canonical, restore


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Rate(Enum):
    HALF = 0.5


text = st.text(max_size=20).filter(lambda value: unicodedata.is_normalized("NFC", value))
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | text
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.dates()
    | st.datetimes(timezones=st.just(UTC))
    | st.uuids()
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=12,
)


def typed(value: Any) -> Any:
    """The value with its types: True is no 1 here."""
    if isinstance(value, dict):
        return {key: typed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [typed(inner) for inner in value]
    return type(value), value


@given(values)
def test_what_is_read_back_is_what_was_written(value: Any) -> None:
    assert typed(restore(canonical(value))) == typed(value)


@given(values, values)
def test_two_values_have_one_form_only_if_they_are_one_value(one: Any, other: Any) -> None:
    assert (canonical(one) == canonical(other)) == (typed(one) == typed(other))


@given(st.dictionaries(text, scalars, min_size=2, max_size=6), st.randoms())
def test_the_order_of_a_dict_is_of_no_account(value: dict[str, Any], chance: Any) -> None:
    shuffled = list(value.items())
    chance.shuffle(shuffled)
    assert canonical(dict(shuffled)) == canonical(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.integers(0, 5))
def test_zeros_at_the_end_of_a_decimal_are_of_no_account(value: Decimal, zeros: int) -> None:
    longer = Decimal(f"{value:f}{'' if '.' in f'{value:f}' else '.'}{'0' * zeros}")
    assert canonical(longer) == canonical(value)


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), st.integers(-14 * 60, 14 * 60))
def test_one_instant_has_one_form_in_every_zone(value: datetime, minutes: int) -> None:
    here = value.replace(tzinfo=UTC)
    there = here.astimezone(timezone(timedelta(minutes=minutes)))
    assert canonical(here) == canonical(there)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, "1"),
        (1, Decimal(1)),
        (None, "null"),
        ([], {}),
        ("2026-01-02", date(2026, 1, 2)),
        (date(2026, 1, 2), datetime(2026, 1, 2, tzinfo=UTC)),
        ("00000000-0000-0000-0000-000000000000", UUID(int=0)),
        ([["a", "b"]], [["a"], ["b"]]),
        ({"a": ["b", 1]}, {"a": {"b": 1}}),
    ],
)
def test_values_of_two_types_never_meet(one: Any, other: Any) -> None:
    assert canonical(one) != canonical(other)


def test_an_enum_is_its_value_and_a_tuple_is_a_list() -> None:
    assert canonical([Colour.RED, Level.LOW]) == canonical(("red", 1))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"amount": 1.5}, "params.amount is a float, which has no one spelling"),
        ({"a": [{"b": float("nan")}]}, "params.a[0].b is a float"),
        ({"a": Rate.HALF}, "params.a is a float"),
        ({"tags": {"x", "y"}}, "params.tags is a set, whose order changes from process to process"),
        ({"at": datetime(2026, 1, 2)}, "params.at is a datetime without a time zone, which is no instant"),
        ({"raw": b"x"}, "params.raw is bytes"),
        ({1: "a"}, "params has the key 1, which is no str"),
        ({"n": 2**53 + 1}, "params.n is an integer beyond 2^53"),
        ({"n": Decimal("NaN")}, "params.n is the Decimal 'NaN', which is no number"),
        ({"name": "e\u0301"}, "params.name is not in Unicode's form NFC"),
        ({"e\u0301": 1}, "params, in the key 'e\u0301', is not in Unicode's form NFC"),
        ({"name": "\ud800"}, "params.name holds half of a surrogate pair"),
        ({"x": object}, "params.x is of the class 'type', which has no canonical form"),
        (
            {"at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))},
            "params.at is an instant that UTC's",
        ),
    ],
)
def test_what_has_two_spellings_is_refused_with_its_path(value: Any, message: str) -> None:
    with pytest.raises(CanonicalError) as error:
        canonical(value)
    assert str(error.value).startswith(message)


def test_a_value_that_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(CanonicalError, match="is nested deeper than 100 levels, or contains itself"):
        canonical(loop)


def test_no_digit_of_a_long_decimal_is_lost() -> None:
    long = Decimal("1234567890123456789012345678901234567890.5")
    assert restore(canonical(long)) == long
    assert canonical(long) != canonical(Decimal("1234567890123456789012345678901234567890.6"))


def test_the_form_is_the_same_in_every_process() -> None:
    code = (
        "from stepcheck.executor.keys import idempotency_key as key;"
        "print(key('t', '1', {'b': 'é', 'a': [1, {'y': None, 'x': True}]}))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1")
    }
    assert len(seen) == 1
