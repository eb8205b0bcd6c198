"""What the rules of one family of facts say of a snippet, without the rest of the linter; and tables of snippets."""

import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from stepcheck import engine
from stepcheck.behaviour.again import regions, writes
from stepcheck.behaviour.context import study
from stepcheck.behaviour.reading import behaviour
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import read_flows
from stepcheck.findings import Judges
from stepcheck.report import Finding
from stepcheck.rule import Problem
from stepcheck.rules import load_one
from stepcheck.settings import Settings

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


def whole(text: str, rules: tuple[str, ...]) -> list[tuple[str, Problem]]:
    """The same of all facts of the snippet, whatever family they are of."""
    facts = behaviour(read_flows("a.py", text.encode())).facts
    return [
        (name, problem)
        for name in rules
        for function in load_one(name).functions
        for fact in facts
        if type(fact) is function.fact
        for problem in function.check(fact)
    ]


def judged(text: str) -> list[Finding]:
    """Every finding about the code of the snippet, whether or not the bytes of the file ask for a look."""

    def fail(path: str, error: Exception) -> None:
        raise AssertionError(path) from error

    judges = Judges(Settings(root=Path("/"), code=True), Path("/"), fail)
    return judges.findings(behaviour(read_flows("a.py", text.encode())).facts)


def checked(folder: Path, text: str) -> list[tuple[int, str]]:
    """The line and rule of every finding of a whole run over the snippet, in order."""
    (folder / "a.py").write_text(textwrap.dedent(text), "utf-8")
    return [
        (finding.span.line, finding.rule)
        for finding in engine.run(Settings(root=folder, code=True), ["."], cwd=folder).findings
    ]


def marked(text: str) -> list[tuple[int, str]]:
    """The lines at whose end a comment names a rule, with that rule."""
    lines = enumerate(text.splitlines(), 1)
    marks = [(number, re.search(r"  # ([\w-]+)$", line)) for number, line in lines]
    return [(number, mark[1]) for number, mark in marks if mark]


def snippets(folder: str) -> list[tuple[str, str, str]]:
    """The snippets of a folder's tables: what each is to give, a name for it, its text."""
    found = []
    for table in sorted((Path(__file__).parent / folder).glob("*.txt")):
        for part in re.split("(?m)^### ", table.read_text("utf-8"))[1:]:
            head, _, text = part.partition("\n")
            found.append((head.partition(": ")[0], head, text))
    return found
