"""What the rules of one family of facts say of a snippet, without the rest of the linter; and tables of snippets."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from stepcheck.behaviour.again import regions, writes
from stepcheck.behaviour.context import study
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import read_flows
from stepcheck.rule import Problem
from stepcheck.rules import load_one

Facts = Callable[[Study], Iterator[object]]


def problems(text: str, facts: Facts, rules: tuple[str, ...]) -> list[tuple[str, Problem]]:
    """Every problem with its rule."""
    context = study(read_flows("a.py", text.encode()))
    studied = Study(context, writes.sent(context), regions.regions(context), ())
    return [
        (name, problem)
        for fact in facts(studied)
        for name in rules
        for function in load_one(name).functions
        if isinstance(fact, function.fact)
        for problem in function.check(fact)
    ]


def snippets(folder: str) -> list[tuple[str, str, str]]:
    """The snippets of a folder's tables: what each is to give, a name for it, its text."""
    found = []
    for table in sorted((Path(__file__).parent / folder).glob("*.txt")):
        for part in re.split("(?m)^### ", table.read_text("utf-8"))[1:]:
            head, _, text = part.partition("\n")
            found.append((head.partition(": ")[0], head, text))
    return found
