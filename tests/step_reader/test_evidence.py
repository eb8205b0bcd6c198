"""What makes a mapping a step table, and what does not."""

from typing import Any

import pytest

from stepcheck.facts import Name, Opaque
from stepcheck.frontends import TableOptions
from stepcheck.frontends._step import looks_like_table
from tests.step_reader.values import HERE, Names, tree


def is_table(*entries: Any, name: str = "THINGS", options: TableOptions | None = None) -> bool:
    return looks_like_table(map(tree, entries), name, options or TableOptions(), Names())


CALL = Name("f", HERE)


@pytest.mark.parametrize(
    "entry",
    [
        {"effect": "non_idem_write", "call": "f"},
        {"effect_class": "idem_write", "call": "a.f", "owner": "x"},
        {"efect": "idem_write", "call": CALL},
        {"kind": "non_idem_write", "call": CALL},
        {"effect": Name("Effect.IDEM_WRITE", HERE), "call": CALL},
        {"effect": "read", "call": "a.f", "owner": "x"},
        {"effect": "read", "call": "f", "timeout": 3},
        {"effect": "write", "call": "a:f"},
        {"effect": "idempotent", "call": CALL},
        {"effect": "non-idem-write", "call": CALL},
        {"effect": "wirte", "call": CALL},
        {"call": CALL, "query": None},
        {"call": CALL, "compensate": "a.g"},
        {"call": CALL, "identity": ["order"]},
        {"call": CALL, "dedupe": True},
        {"call": Opaque("a call", HERE), "compensate_deadline": "PT1M"},
        {"call": "a.f", "qurey": "a.g"},
    ],
)
def test_a_step_is_evidence_whatever_stands_beside_it(entry: Any) -> None:
    assert is_table(3, {"other": 1}, entry)


@pytest.mark.parametrize(
    "entry",
    [
        {"effect": "burn", "damage": 3},
        {"effect": "burn", "call": CALL, "query": CALL},
        {"effect": "NoSchedule", "key": "gpu", "operator": "Exists"},
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"},
        {"effect": "read"},
        {"effect": "read", "timeout": 3},
        {"effect": "read", "call": "555-1"},
        {"effect": "read", "call": "f", "title": "x"},
        {"effect": "non_idem_write", "message": "sent"},
        {"kind": "non_idem_write"},
        {"call": "http.post", "args": {"url": "https://example.com"}, "result": "answer"},
        {"call": {"to": "x"}, "query": "y"},
        {"query": "select 1", "timeout": 3},
        {"name": "checkout", "uses": "actions/checkout", "with": {"depth": 1}},
        {"run": "make", "timeout-minutes": 5, "if": "always()"},
        {"image": "redis", "ports": ["6379"], "depends_on": ["db"]},
        {"caller": "x", "identity": "y"},
        {},
        None,
    ],
)
def test_what_other_programs_read_is_no_evidence(entry: Any) -> None:
    assert not is_table(entry)
    assert not is_table(entry, name="steps")


@pytest.mark.parametrize(
    "field",
    [
        {"identity": CALL},
        {"identity": []},
        {"query": True},
        {"query": {"limit": 3}},
        {"query": Name("a.Query", HERE)},
        {"dedupe": "orders"},
    ],
)
def test_a_value_that_does_not_fit_its_field_is_no_evidence(field: dict[str, Any]) -> None:
    assert not is_table({"call": CALL} | field)


@pytest.mark.parametrize("word", ["append", "get", "spread", "thread"])
def test_a_word_that_may_stand_for_anything_is_no_evidence(word: str) -> None:
    assert not is_table({"effect": word, "call": CALL})


def test_steps_without_calls_are_a_table_where_nothing_else_is_in_it() -> None:
    assert is_table({"effect": "non_idem_write"}, {"effect": "read", "timeout": 3})
    assert is_table({"effect_class": "idem_write", "qurey": None}, {}, None)
    assert is_table({"effect": "non_idem_write"}, {"call": CALL})
    assert not is_table({"effect": "non_idem_write"}, {"timeout": 3})
    assert not is_table({"effect": "non_idem_write"}, {"effect": "read", "owner": "x"})
    assert not is_table({"effect": "non_idem_write"}, 3)
    assert not is_table({"effect": "read"}, {"effect": "read", "timeout": 3})


def test_more_foreign_effects_than_classes_make_no_table() -> None:
    ours, read, foreign = ({"effect": word, "call": CALL} for word in ("idem_write", "read", "burn"))
    assert is_table(ours, foreign)
    assert not is_table(ours, foreign, foreign)
    assert not is_table(read, foreign)
    assert is_table(read, read, foreign)


def test_a_query_may_be_a_step_of_the_table() -> None:
    entry = tree({"call": CALL, "query": "look"})
    assert looks_like_table([entry], "X", TableOptions(), Names(), frozenset({"look"}))
    assert not looks_like_table([entry], "X", TableOptions(), Names(), frozenset({"other"}))


@pytest.mark.parametrize("name", ["steps", "STEPS", "billing_steps", "billingSteps", "settlement-steps"])
def test_a_name_with_steps_makes_a_table_of_entries_with_nothing_but_a_call(name: str) -> None:
    steps = [tree({"call": "a.f"}), tree({"call": CALL, "timeout": 3})]
    assert looks_like_table(steps, name, TableOptions(), Names())
    assert not looks_like_table(steps, name, TableOptions(), Names(), listed=True)
    assert not is_table({"call": "f"}, name=name)
    assert not is_table({"call": "a.f"}, {"call": "a.g", "args": 3}, name=name)
    assert not is_table({"call": "a.f"}, 3, name=name)
    assert not is_table({"call": "a.f"}, {"timeout": 3}, name=name)
    assert not is_table(name=name)


@pytest.mark.parametrize("name", ["stepsize", "footsteps", "next_step", "steps_by_day"])
def test_steps_inside_another_word_say_nothing(name: str) -> None:
    assert not is_table({"call": "a.f"}, name=name)


def test_the_configured_alias_of_effect_is_evidence() -> None:
    options = TableOptions(aliases={"mode": "effect"})
    assert is_table({"mode": "read", "call": "a.f"}, options=options)
    assert not is_table({"mode": "read", "call": "a.f"})
