"""What a report says of the whole run: the summary line, unread files, stale baseline entries."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.output._cells import escape
from stepcheck.report import Report, Unread
from stepcheck.rule import Severity

_UNREAD_RULE = "unread-file"


@dataclass(frozen=True, slots=True)
class Count:
    """How many findings one rule has."""

    rule: str
    severity: Severity
    stage: int
    findings: int


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 finding`, `0 findings`, `2 entries`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def summary(report: Report) -> str:
    """The summary line: what was found, how much was looked at, what was opaque, what was hidden."""
    looked = report.coverage
    parts = [
        _found(report),
        f"{count(looked.tables, 'table')}, {count(looked.steps, 'step')}",
        f"{count(looked.calls_followed, 'call')} followed, {looked.calls_opaque} opaque",
        f"{count(looked.settings_opaque, 'setting')} opaque",
        f"{len(report.suppressed)} suppressed by comments",
    ]
    if report.baselined:
        parts.append(f"{len(report.baselined)} in the baseline")
    if report.unread:
        parts.append(f"{count(len(report.unread), 'file')} unread")
    return "; ".join(parts)


def statistics(report: Report) -> list[Count]:
    """The findings counted by rule and severity, most first, then by name."""
    counted = Counter((found.rule, found.severity, found.stage) for found in report.findings)
    return [
        Count(*key, number) for key, number in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]


def untold(report: Report) -> list[Unread]:
    """The unread files that no finding tells of already."""
    told = {found.span.path for found in report.findings if found.rule == _UNREAD_RULE}
    return [unread for unread in report.unread if unread.path not in told]


def remarks(report: Report) -> Iterator[str]:
    """A line for each unread file that no finding tells of, and for each stale baseline entry."""
    for unread in untold(report):
        yield f"{escape(unread.path)}: could not be read: {escape(unread.reason)}"
    for entry in report.stale:
        yield f"stale baseline entry, which no finding matches any more: {escape(entry)}"


def _found(report: Report) -> str:
    looked = count(report.coverage.files, "file")
    if not report.findings:
        return f"no findings in {looked}"
    errors = sum(found.severity is Severity.ERROR for found in report.findings)
    kinds = [
        count(number, kind)
        for number, kind in ((errors, "error"), (len(report.findings) - errors, "warning"))
        if number
    ]
    places = len({found.span.path for found in report.findings})
    return f"{count(len(report.findings), 'finding')} ({', '.join(kinds)}) in {places} of {looked}"
