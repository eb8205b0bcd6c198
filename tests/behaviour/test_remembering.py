"""What runs remember, and where: every snippet of the tables is found by its rule, or by none of the family."""

import re
from pathlib import Path

import pytest

from stepcheck.behaviour import regions, remembering, writes
from stepcheck.behaviour.context import study
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import read_flows
from stepcheck.rule import Problem
from stepcheck.rules import load_one

TABLES = sorted((Path(__file__).parent / "remembering").glob("*.txt"))
RULES = [table.stem for table in TABLES]
SNIPPETS = [
    pytest.param(head.partition(": ")[0], text, id=f"{table.stem}: {head}")
    for table in TABLES
    for head, _, text in (part.partition("\n") for part in re.split("(?m)^### ", table.read_text("utf-8"))[1:])
]


def problems(text: str) -> list[tuple[str, Problem]]:
    """What the rules of the family say, without the rest of the linter."""
    context = study(read_flows("a.py", text.encode()))
    studied = Study(context, writes.sent(context), regions.regions(context), ())
    return [
        (name, problem)
        for fact in remembering.facts(studied)
        for name in RULES
        for function in load_one(name).functions
        if isinstance(fact, function.fact)
        for problem in function.check(fact)
    ]


@pytest.mark.parametrize(("wanted", "text"), SNIPPETS)
def test_a_snippet_is_found_by_its_rule_and_a_lookalike_by_none(wanted: str, text: str) -> None:
    found = {name for name, _ in problems(text)}
    assert (wanted in found) if wanted != "quiet" else not found, found


@pytest.mark.parametrize("rule", RULES)
def test_each_table_holds_enough_of_both(rule: str) -> None:
    heads = re.findall("(?m)^### ([^:\n]+)", (Path(__file__).parent / "remembering" / f"{rule}.txt").read_text())
    assert heads.count(rule) >= 8
    assert heads.count("quiet") >= 12
