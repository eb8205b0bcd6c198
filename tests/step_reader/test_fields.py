"""What one field's value is read into."""

import math
from datetime import timedelta
from typing import Any

import pytest

from stepcheck.facts import (
    Absence,
    Dedupe,
    Duration,
    Effect,
    Invocation,
    Lambda,
    Mapping,
    Name,
    Opaque,
    Origin,
    Retry,
    Scalar,
    Sequence,
    Setting,
    Span,
    Step,
    Unlimited,
    Word,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._step import read_step
from tests.step_reader.values import HERE, NAME, Names, tree


def read(fields: Any, known: dict[str, Any] | None = None) -> Step:
    mapping = tree(fields)
    assert isinstance(mapping, Mapping)
    return read_step(
        "create", NAME, "STEPS", mapping, Names(known or {}), frozenset({"undo"}), TableOptions()
    )


def setting(field: str, value: Any) -> Setting[Any]:
    return read({field: value}).settings()[field]


def shown(field: str, value: Any) -> tuple[str, str]:
    found = setting(field, value)
    assert found.origin is Origin.WRONG
    assert found.span == HERE
    return found.text, found.why


@pytest.mark.parametrize(
    ("field", "value", "text", "why"),
    [
        ("effect", "write", "write", "is not one of read, idem_write, non_idem_write"),
        ("effect", 3, "3", "is not one of read, idem_write, non_idem_write"),
        ("call", 3, "3", "is no callable"),
        ("call", "", "", "is empty"),
        ("query", {"a": 1}, "{...}", "is no callable"),
        ("compensate_deadline", "10m", "10m", "is not an ISO 8601 duration such as 'PT10M'"),
        ("compensate_deadline", "P1M", "P1M", "counts years or months, which have no fixed length"),
        ("compensate_deadline", "PT0S", "PT0S", "is zero"),
        ("compensate_deadline", 600, "600", "is a number without a unit"),
        ("compensate_deadline", True, "True", "is no length of time"),
        ("compensate_deadline", timedelta(0), "0:00:00", "is zero"),
        ("compensate_deadline", timedelta(seconds=-1), "-1 day, 23:59:59", "is negative"),
        ("retryable", "yes", "yes", "is neither true nor false"),
        ("retryable", 1, "1", "is neither true nor false"),
        ("max_attempts", 0, "0", "is no number of attempts: the first one counts, so it starts at 1"),
        ("max_attempts", True, "True", "is no number of attempts"),
        ("max_attempts", "3", "3", "is no number of attempts"),
        ("max_attempts", 2.0, "2.0", "is no number of attempts"),
        ("retry", 0, "0", "is no number of attempts: the first one counts, so it starts at 1"),
        ("retry", "often", "often", "says neither whether nor how often the step may be tried again"),
        (
            "retry",
            {"max_attempts": 0},
            "0",
            "is no number of attempts: the first one counts, so it starts at 1",
        ),
        ("retry", {"bse": 1}, "bse", "is no part of this field, nearest is 'base'"),
        ("timeout", 0, "0", "is zero"),
        ("timeout", -1.5, "-1.5", "is negative"),
        ("timeout", math.nan, "nan", "is no length of time"),
        ("timeout", 1e300, "1e+300", "is longer than a million years"),
        ("timeout", "30", "30", "is not an ISO 8601 duration such as 'PT10M'"),
        ("identity", "order_id", "order_id", "is not a list of names"),
        ("volatile", ["now", 3], "3", "is not a name"),
        ("dedupe", 3, "3", "says nothing about a repeated key"),
        ("dedupe", {"window": "1h"}, "1h", "is not an ISO 8601 duration such as 'PT10M'"),
        ("on_uncertain", "retry", "retry", "is not one of query, human"),
        ("on_absent", "query", "query", "is not one of human, retry"),
        ("absence", True, "True", "gives no bounds"),
        ("absence", {"basis": ""}, "", "is empty"),
        ("output", "file", "file", "is not one of ref, inline"),
    ],
)
def test_a_value_that_can_never_be_right_says_why(field: str, value: Any, text: str, why: str) -> None:
    assert shown(field, value) == (text, why)


@pytest.mark.parametrize(
    ("field", "value", "meaning"),
    [
        ("effect", "read", Effect.READ),
        ("effect_class", "idem_write", Effect.IDEM_WRITE),
        ("compensate_deadline", "PT10M", Duration(timedelta(minutes=10), "PT10M")),
        ("compensate_deadline", timedelta(hours=1), Duration(timedelta(hours=1))),
        ("retryable", False, False),
        ("max_attempts", 4, 4),
        ("max_attempts", None, Unlimited.UNLIMITED),
        ("max_attempts", math.inf, Unlimited.UNLIMITED),
        ("max_attempts", "unlimited", Unlimited.UNLIMITED),
        ("timeout", 2.5, Duration(timedelta(seconds=2.5))),
        ("timeout", "PT2S", Duration(timedelta(seconds=2), "PT2S")),
        ("timeout", None, Unlimited.UNLIMITED),
        ("timeout", math.inf, Unlimited.UNLIMITED),
        ("key_params", ["order", "amount"], (Word("order", HERE), Word("amount", HERE))),
        ("dedupe", True, Dedupe(True)),
        ("dedupe", False, Dedupe(False)),
        ("dedupe", "sent_mails", Dedupe(True, own_table="sent_mails")),
        (
            "dedupe",
            {"window": "P1D", "stored_errors": True, "compares_payload": False, "margin": 0},
            Dedupe(True, Duration(timedelta(days=1), "P1D"), True, False),
        ),
        ("dedupe", {"window": None}, Dedupe(True)),
        ("on_uncertain", "human", "human"),
        ("on_absent", "retry", "retry"),
        (
            "absence",
            {"query_lag": 0, "late_bound": "PT1M", "basis": "the bank's manual"},
            Absence(Duration(timedelta(0)), Duration(timedelta(minutes=1), "PT1M"), "the bank's manual"),
        ),
        ("absence", {}, Absence(None, None, "")),
        ("output", "inline", "inline"),
        ("retry", True, Retry(True, 3, HERE, "the table")),
        ("retry", False, Retry(False, 1, HERE, "the table")),
        ("retry", 1, Retry(False, 1, HERE, "the table", HERE)),
        ("retry", {"max_attempts": None}, Retry(True, Unlimited.UNLIMITED, HERE, "the table", HERE)),
        ("retry", {"base": 1, "cap": "PT1M", "jitter": "none"}, Retry(True, 3, HERE, "the table")),
    ],
)
def test_a_value_is_read_with_its_place(field: str, value: Any, meaning: object) -> None:
    found = next(item for item in read({field: value}).settings().values() if item.written)
    assert (found.value, found.span) == (meaning, HERE)


@pytest.mark.parametrize("field", sorted(set(read({}).settings()) - {"max_attempts", "timeout"}))
def test_a_written_none_is_known_to_be_absent(field: str) -> None:
    found = setting(field, None)
    assert (found.origin, found.value, found.absent) == (Origin.WRITTEN, None, True)


@pytest.mark.parametrize("value", [Opaque("made by a call", HERE), Name("config.value", HERE), Lambda(HERE)])
@pytest.mark.parametrize("field", sorted(set(read({}).settings()) - {"call", "query", "compensate"}))
def test_what_only_a_run_could_tell_is_opaque(field: str, value: Any) -> None:
    assert read(Mapping((entry(field, value),), HERE)).settings()[field].origin is Origin.OPAQUE


def entry(field: str, value: Any) -> Any:
    mapping = tree({field: Scalar(None, HERE)})
    assert isinstance(mapping, Mapping)
    return type(mapping.entries[0])(mapping.entries[0].key, value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("identity", ["a", Opaque("a call", HERE)]),
        ("retry", {"max_attempts": Name("LIMIT", HERE)}),
        ("dedupe", {"window": Opaque("a call", HERE)}),
        ("absence", {"basis": Name("BASIS", HERE)}),
    ],
)
def test_one_opaque_part_makes_the_whole_opaque(field: str, value: Any) -> None:
    assert setting(field, value).origin is Origin.OPAQUE


def test_a_wrong_part_is_wrong_at_its_own_place_even_beside_an_opaque_one() -> None:
    place = Span("steps.py", 7, 1, 7, 3)
    found = setting("retry", {"base": Opaque("a call", HERE), "max_attempts": Scalar(-1, place)})
    assert (found.origin, found.span, found.text) == (Origin.WRONG, place, "-1")


def test_names_are_followed_to_what_they_stand_for() -> None:
    known = {"LIMIT": 5, "Kinds.WRITE": "non_idem_write", "KEY": ["order"]}
    step = read(
        {
            "effect": Name("Kinds.WRITE", HERE),
            "max_attempts": Name("LIMIT", HERE),
            "identity": Name("KEY", HERE),
        },
        known,
    )
    assert step.effect.value is Effect.NON_IDEM_WRITE
    assert step.max_attempts.value == 5
    assert step.identity.value == (Word("order", HERE),)


def test_an_enum_member_that_cannot_be_seen_counts_by_its_last_word() -> None:
    assert setting("effect", Name("kinds.Effect.NON_IDEM_WRITE", HERE)).value is Effect.NON_IDEM_WRITE
    assert setting("effect", Name("READ", HERE)).value is Effect.READ
    assert setting("effect", Name("read", HERE)).origin is Origin.OPAQUE
    assert setting("effect", Name("kinds.Effect.WRITE", HERE)).origin is Origin.OPAQUE


def test_a_call_of_the_model_is_read_like_the_mapping_it_stands_for() -> None:
    keywords = tree({"window": "PT1H"})
    assert isinstance(keywords, Mapping)
    ours = Invocation(Name("stepdef.Dedupe", HERE), (), keywords.entries, HERE)
    other = Invocation(Name("vendor.Policy", HERE), (), keywords.entries, HERE)
    assert setting("dedupe", ours).value == Dedupe(True, Duration(timedelta(hours=1), "PT1H"))
    assert setting("dedupe", other).origin is Origin.OPAQUE


def test_a_callable_that_cannot_be_told_is_opaque_and_a_named_one_a_reference() -> None:
    step = read({"call": Name("create", HERE), "query": Opaque("a call", HERE), "compensate": "undo"})
    assert step.call.value is not None
    assert step.call.value.name == "create"
    assert step.query.origin is Origin.OPAQUE
    assert step.compensate.value is not None
    assert step.compensate.value.target.value == "step"


def test_a_list_of_names_may_be_empty() -> None:
    assert setting("identity", Sequence((), HERE)).value == ()
