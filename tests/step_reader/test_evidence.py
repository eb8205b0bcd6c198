"""What makes a mapping a step table, and what does not."""

from typing import Any

import pytest

from stepcheck.facts import Name, Opaque
from stepcheck.frontends import TableOptions
from stepcheck.frontends._step import looks_like_table
from tests.step_reader.values import HERE, Names, tree


def is_table(*entries: Any, name: str = "THINGS", options: TableOptions | None = None) -> bool:
    return looks_like_table(map(tree, entries), name, options or TableOptions(), Names())


@pytest.mark.parametrize(
    "entry",
    [
        {"effect": "non_idem_write"},
        {"effect_class": "idem_write", "owner": "x"},
        {"efect": "idem_write"},
        {"kind": "non_idem_write"},
        {"effect": Name("Effect.IDEM_WRITE", HERE)},
        {"effect": "read", "call": "f"},
        {"effect": "read", "timeout": 3},
        {"effect": "write", "call": "f"},
        {"call": Name("f", HERE), "query": None},
        {"call": Opaque("a call", HERE), "compensate_deadline": "PT1M"},
        {"call": "f", "qurey": "g"},
    ],
)
def test_a_step_is_evidence_whatever_stands_beside_it(entry: Any) -> None:
    assert is_table(3, {"other": 1}, entry)


@pytest.mark.parametrize(
    "entry",
    [
        {"effect": "burn", "damage": 3},
        {"effect": "NoSchedule", "key": "gpu", "operator": "Exists"},
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"},
        {"effect": "read"},
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


@pytest.mark.parametrize("name", ["steps", "STEPS", "billing_steps", "billingSteps", "settlement-steps"])
def test_a_name_with_steps_makes_a_table_of_entries_with_nothing_but_a_call(name: str) -> None:
    assert is_table({"call": "f"}, {"call": "g", "timeout": 3}, name=name)
    assert not is_table({"call": "f"}, {"call": "g", "args": 3}, name=name)
    assert not is_table({"call": "f"}, 3, name=name)
    assert not is_table({"call": "f"}, {"timeout": 3}, name=name)
    assert not is_table(name=name)


@pytest.mark.parametrize("name", ["stepsize", "footsteps", "next_step"])
def test_steps_inside_another_word_say_nothing(name: str) -> None:
    assert not is_table({"call": "f"}, name=name)


def test_the_configured_alias_of_effect_is_evidence() -> None:
    options = TableOptions(aliases={"mode": "effect"})
    assert is_table({"mode": "read", "call": "f"}, options=options)
    assert not is_table({"mode": "read", "call": "f"})
