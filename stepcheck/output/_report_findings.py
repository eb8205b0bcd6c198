"""The findings of a report as HTML: by step, then by file and function."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape as quoted

from stepcheck.code.units import Unit, units
from stepcheck.facts import Span, Step
from stepcheck.ladder import TableRung, about
from stepcheck.output._cells import escape
from stepcheck.output._help import Help
from stepcheck.output._report_code import code
from stepcheck.output._summary import count
from stepcheck.report import Finding, Report
from stepcheck.rule import Severity

Lines = dict[str, list[str]]
_CLASS = re.compile(rb"^class[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Group:
    """Findings under one heading."""

    anchor: str
    kind: str
    """`step`, `function` or `file`."""
    name: str
    place: str
    findings: tuple[Finding, ...]


def declared(report: Report) -> dict[tuple[Span, str], Step]:
    """The steps of all tables, by their places and names."""
    return {(step.span, step.name): step for table in report.tables for step in table.steps}


def by_step(report: Report, rungs: Sequence[TableRung]) -> list[Group]:
    """A group for each step that something is found about, in the order of the tables."""
    steps = declared(report)
    groups = []
    for at, table in enumerate(rungs, start=1):
        for number, rung in enumerate(table.steps, start=1):
            found = about(steps[rung.span, rung.name], report.findings)
            if found:
                place = f"{table.name or 'steps'}, {rung.span.path}:{rung.span.line}"
                groups.append(Group(f"step-{at}-{number}", "step", rung.name, place, tuple(found)))
    return groups


def by_place(report: Report, told: Sequence[Group]) -> list[Group]:
    """A group for each function and each rest of a file with findings that no step has."""
    done = {found for group in told for found in group.findings}
    left: dict[tuple[str, str], list[Finding]] = {}
    known: dict[str, list[tuple[int, int, str]]] = {}
    for found in report.findings:
        if found not in done:
            path = found.span.path
            if path not in known:
                known[path] = _functions(path, report.sources.get(path, ""))
            left.setdefault((path, _around(known[path], found.span.line)), []).append(found)
    return [
        Group(
            f"place-{number}",
            "function" if name else "file",
            name or path,
            f"{path}:{some[0].span.line}" if name else "",
            tuple(some),
        )
        for number, ((path, name), some) in enumerate(left.items(), start=1)
    ]


def _functions(path: str, text: str) -> list[tuple[int, int, str]]:
    """The functions of a Python file that are in no other one: first line, last line, name."""
    if not path.endswith((".py", ".pyi")) and "def " not in text:
        return []
    data = text.encode("utf-8", "surrogatepass")
    found = []
    line, at = 1, 0
    for unit in units(data):
        line, at = line + data.count(b"\n", at, unit.start), unit.start
        found.append((line, line + data.count(b"\n", at, unit.end) - 1, _name(data, unit)))
    return found


def _name(data: bytes, unit: Unit) -> str:
    """A function's name, with that of the class that it is a method of."""
    name = unit.name
    if data[unit.start : unit.start + 1].isspace():
        classes = _CLASS.findall(data, 0, unit.start)
        name = b".".join([*classes[-1:], name])
    return name.decode("utf-8", "replace")


def _around(functions: list[tuple[int, int, str]], line: int) -> str:
    at = bisect_right(functions, line, key=lambda one: one[0]) - 1
    return functions[at][2] if at >= 0 and line <= functions[at][1] else ""


def groups(found: Sequence[Group], lines: Lines, known: Mapping[str, Help]) -> Iterator[str]:
    """The groups, each under a heading of the third level."""
    for group in found:
        yield f'<section class="group" id="{group.anchor}">'
        name = f"<code>{quoted(escape(group.name))}</code>"
        place = f' <small class="soft">{quoted(escape(group.place))}</small>' if group.place else ""
        yield f"<h3>{name}{place}</h3>"
        for one in group.findings:
            yield from _finding(one, lines, known[one.rule])
        yield "</section>"


def _finding(found: Finding, lines: Lines, known: Help) -> Iterator[str]:
    rule = quoted(found.rule)
    yield f'<article class="finding {found.severity}">'
    yield (
        f'<h4><span class="severity">{found.severity}</span> '
        f'<a href="#rule-{rule}">{rule}</a></h4><p class="message">{quoted(escape(found.message))}</p>'
    )
    yield from code(found, lines)
    yield "<dl>"
    if known.sentence and known.harm != "none":
        yield f"<dt>harm</dt><dd><b>{known.harm}</b>: {known.sentence}</dd>"
    yield f"<dt>why</dt><dd>{quoted(known.rule)}</dd>" if known.rule else ""
    yield f"<dt>evidence</dt><dd>{found.evidence}</dd>"
    if found.fix:
        options = "--fix" if found.fix.safe else "--fix --unsafe-fixes"
        title = quoted(escape(found.fix.title))
        yield f"<dt>fix</dt><dd>{title}: <code>stepcheck check {options}</code></dd>"
    yield f"<dt>see it</dt><dd><code>{quoted(known.demo or known.explain)}</code></dd>"
    yield "</dl></article>"


def counted(found: Sequence[Finding]) -> str:
    """How many there are of each severity: `2 errors, 1 warning`."""
    errors = sum(one.severity is Severity.ERROR for one in found)
    parts = ((errors, "error"), (len(found) - errors, "warning"))
    return ", ".join(count(number, kind) for number, kind in parts if number) or "none"
