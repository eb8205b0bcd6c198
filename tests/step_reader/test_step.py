"""A mapping of fields read into a step."""

from typing import Any

import pytest

from stepcheck.facts import (
    Entry,
    Mapping,
    Name,
    Opaque,
    Origin,
    Retry,
    Scalar,
    Span,
    Step,
    UnknownField,
    Unlimited,
    Word,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._step import read_step
from tests.step_reader.values import HERE, NAME, Names, tree

SPREAD = Span("steps.py", 2, 1, 2, 7)


def read(
    fields: Any,
    known: dict[str, Any] | None = None,
    options: TableOptions | None = None,
    body: Span | None = None,
) -> Step:
    mapping = tree(fields)
    assert isinstance(mapping, Mapping)
    resolver = Names(known or {})
    return read_step("create", NAME, "STEPS", mapping, resolver, frozenset(), options or TableOptions(), body)


def entries(*pairs: tuple[Any, Any]) -> Mapping:
    return Mapping(
        tuple(Entry(None if key is None else tree(key), tree(value)) for key, value in pairs), HERE
    )


def test_a_step_knows_its_name_table_and_places() -> None:
    step = read({"effect": "read"})
    assert (step.name, step.table, step.span, step.body) == ("create", "STEPS", NAME, HERE)
    assert read({}, body=SPREAD).body == SPREAD


def test_what_is_not_written_is_a_default_at_the_name_and_says_whose() -> None:
    settings = read({}).settings()
    assert {found.origin for found in settings.values()} == {Origin.DEFAULT}
    assert {found.span for found in settings.values()} == {NAME}
    assert all(found.why for found in settings.values())
    assert {field: found.value for field, found in settings.items() if found.value is not None} == {
        "on_absent": "human",
        "output": "ref",
    }


@pytest.mark.parametrize(
    ("field", "nearest"),
    [
        ("qurey", "query"),
        ("efect", "effect"),
        ("effectClass", "effect_class"),
        ("maxAttempts", "max_attempts"),
        ("compensate-deadline", "compensate_deadline"),
        ("deadline", "compensate_deadline"),
        ("attempts", "max_attempts"),
        ("compensation", "compensate"),
        ("Timeout", "timeout"),
        ("owner", ""),
        ("args", ""),
        ("input", ""),
    ],
)
def test_an_unknown_field_is_kept_with_the_nearest_one(field: str, nearest: str) -> None:
    [unknown] = read({field: 1}).unknown_fields
    assert (unknown.name, unknown.span, unknown.nearest) == (field, HERE, nearest)


@pytest.mark.parametrize(
    ("field", "value", "fits"), [("attempts", 3, True), ("attempts", "x", False), ("owner", {}, True)]
)
def test_an_unknown_field_knows_whether_its_value_fits_the_nearest_one(
    field: str, value: object, fits: bool
) -> None:
    assert [unknown.fits for unknown in read({field: value}).unknown_fields] == [fits]


def test_name_description_and_configured_fields_are_no_mistake() -> None:
    options = TableOptions(
        extra_fields=frozenset({"owner"}), aliases={"side_effect": "effect", "key": "key_params"}
    )
    step = read(
        {"name": "x", "description": "y", "owner": "z", "side_effect": "read", "key": ["a"]}, options=options
    )
    assert step.unknown_fields == ()
    assert step.effect.value == "read"
    assert step.identity.value == (Word("a", HERE),)


def test_a_key_that_is_no_text_is_an_unknown_field() -> None:
    assert read(entries((3, "x"))).unknown_fields == (UnknownField("3", HERE, ""),)


def test_a_field_given_twice_is_kept_and_the_later_one_wins() -> None:
    step = read(entries(("effect", "read"), ("effect_class", "idem_write"), ("call", "a"), ("call", "b")))
    assert step.repeated_fields == (Word("effect_class", HERE), Word("call", HERE))
    assert step.effect.value == "idem_write"


def test_a_later_entry_overrides_a_spread_and_that_is_no_repetition() -> None:
    step = read(entries((None, {"effect": "read", "timeout": 1}), ("effect", "idem_write")))
    assert (step.effect.value, step.repeated_fields, step.open) == ("idem_write", (), False)
    assert step.timeout.written
    assert read(entries(("effect", "idem_write"), (None, {"effect": "read"}))).effect.value == "read"


def test_a_spread_that_cannot_be_read_opens_the_step() -> None:
    step = read(entries(("effect", "read"), (None, Opaque("a call", SPREAD)), ("timeout", 3)))
    assert step.open
    assert step.effect.origin is Origin.OPAQUE
    assert (step.query.origin, step.query.span) == (Origin.OPAQUE, SPREAD)
    assert step.timeout.written
    assert step.retry == Retry(None, None, SPREAD, "the table")


def test_a_spread_is_followed_by_name_and_through_spreads() -> None:
    inner = entries((None, entries((None, Name("BASE", SPREAD)))), ("timeout", 3))
    step = read(entries((None, entries((None, inner)))), known={"BASE": {"effect": "read"}})
    assert (step.effect.value, step.open) == ("read", False)


def test_a_spread_that_spreads_itself_ends_open() -> None:
    loop: dict[str, Any] = {}
    loop["SELF"] = entries((None, Name("SELF", SPREAD)))
    assert read(loop["SELF"], known=loop).open


def test_a_conditional_entry_is_opaque_and_no_repetition() -> None:
    maybe = Entry(Scalar("effect", HERE), Scalar("read", HERE), conditional=True)
    sure = Entry(Scalar("effect", HERE), Scalar("idem_write", HERE))
    after = read(Mapping((sure, maybe), HERE))
    before = read(Mapping((maybe, sure), HERE))
    assert (after.effect.origin, after.repeated_fields) == (Origin.OPAQUE, ())
    assert before.effect.value == "idem_write"


def test_a_key_that_only_a_run_could_tell_opens_the_step() -> None:
    assert read(entries((Opaque("a call", SPREAD), 1))).open


@pytest.mark.parametrize(
    ("fields", "repeats", "attempts"),
    [
        ({"effect": "read"}, True, 3),
        ({"effect": "idem_write"}, True, 3),
        ({"effect": "non_idem_write"}, False, 1),
        ({"effect": "write"}, None, None),
        ({}, None, None),
        ({"effect": "non_idem_write", "retryable": True}, True, 3),
        ({"effect": "read", "retryable": False}, False, 1),
        ({"effect": "read", "retryable": False, "max_attempts": 5}, False, 1),
        ({"effect": "read", "max_attempts": 1}, False, 1),
        ({"effect": "non_idem_write", "max_attempts": 5}, True, 5),
        ({"effect": "non_idem_write", "max_attempts": None}, True, Unlimited.UNLIMITED),
        ({"effect": "non_idem_write", "retry": True}, True, 3),
        ({"effect": "read", "retry": False}, False, 1),
        ({"effect": "read", "retry": {"max_attempts": 7}}, True, 7),
        ({"effect": "read", "retry": {"max_attempts": 7}, "max_attempts": 2}, True, 2),
        ({"effect": "read", "retry": None, "retryable": None}, True, 3),
        ({"effect": "read", "max_attempts": 0}, True, 3),
        ({"effect": "read", "retryable": Opaque("a call", HERE)}, None, None),
        ({"effect": Opaque("a call", HERE)}, None, None),
    ],
)
def test_the_retry_fields_together_say_how_often(fields: Any, repeats: bool | None, attempts: object) -> None:
    retry = read(fields).retry
    assert (retry.repeats, retry.attempts) == (repeats, attempts)


def test_a_default_retry_says_whose_it_is() -> None:
    retry = read({"effect": "read"}).retry
    assert (retry.span, retry.whose) == (NAME, "the executor's default: 3 attempts")
    assert read({"retryable": True}).retry.whose == "the table"
