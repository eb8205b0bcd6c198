"""Ignore comments: how they are written, what they cover, and which of them cover nothing."""

import datetime
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stepcheck import comments
from stepcheck.facts import Ignore, StepTable
from stepcheck.report import Finding, Suppressed

NOT_COVERED = frozenset({"unread-file", "unused-ignore"})
"""Rules whose findings no comment covers: a file that could not be read has no comments one could trust."""

_FORM = "write ignore[rule-name] -- reason"
_VERBS = frozenset(
    {"allow", "disable", "file-ignore", "ignore", "ignore-file", "ignore-next-line", "noqa", "off", "skip"}
)
_DIRECTIVE = re.compile(r"(?P<verb>[A-Za-z-]+)\s*(?:\[(?P<names>[^\]]*)\])?(?P<rest>.*)", re.DOTALL)
_REST = re.compile(r"\s*(?:until=(?P<until>\S*))?\s*(?:--\s*(?P<reason>.*?))?\s*", re.DOTALL)
_UNTIL = re.compile(r"(?<!\S)until=(\S*)")
"""The last day of a comment, where it stands in the reason."""
_OTHER_TOOL = re.compile(r"\s#\s*\w+")
"""Behind the reason, another tool's comment may follow."""


@dataclass(frozen=True, slots=True)
class Written:
    """One ignore comment, before it is known what it covers."""

    comment: comments.Comment
    names: tuple[str, ...]
    whole_file: bool
    reason: str
    until: datetime.date | None
    malformed: str
    target: int
    """The line it speaks of: its own, or the next one with code where it stands alone."""
    decorators: tuple[int, ...] = ()
    """The lines of the decorators that follow, where that line is one of the same definition."""

    def valid(self, today: datetime.date) -> bool:
        """Whether it can cover anything."""
        return not self.malformed and bool(self.reason) and not self.expired(today)

    def expired(self, today: datetime.date) -> bool:
        """Whether its last day is past."""
        return self.until is not None and self.until < today


@dataclass(frozen=True, slots=True)
class Judged:
    """Findings of one file, parted."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    ignores: tuple[Ignore, ...]


def read(path: str, text: str, suffix: str) -> tuple[Written, ...]:
    """The ignore comments of a file, in its order. Prose that happens to begin with `stepcheck:` is none."""
    lines = re.split(r"\r\n|\r|\n", text) if "stepcheck:" in text else []
    found = (_written(comment, lines) for comment in comments.read(path, text, suffix))
    return tuple(written for written in found if written is not None)


def today() -> datetime.date:
    """The day that ends of comments are compared with: SOURCE_DATE_EPOCH's (in UTC) where that is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit() and len(epoch) < 12:
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.date.today()


def judge(
    findings: Sequence[Finding],
    ignores: Sequence[Written],
    tables: Iterable[StepTable],
    *,
    known: Mapping[str, bool],
    today: datetime.date,
) -> Judged:
    """Part the findings of one file into those that stand and those that a comment covers.

    A comment covers findings that begin or end on its line (on the next line of code, where it stands alone),
    and the whole step where that line is the one of the step's name, or of a decorator of its definition:
    also what is found in a value that the step takes from elsewhere.
    `known` has every rule's name, with whether it ran on this file: a name is unused only if its rule ran.
    """
    valid = [ignore for ignore in ignores if ignore.valid(today)]
    bodies = _bodies(tables, valid[0].comment.span.path) if valid else {}
    kept: list[Finding] = []
    suppressed: list[Suppressed] = []
    used: dict[Written, set[str]] = defaultdict(set)
    for finding in findings:
        covering = [
            ignore for ignore in valid if finding.rule in ignore.names and _covers(ignore, finding, bodies)
        ]
        if not covering or finding.rule in NOT_COVERED:
            kept.append(finding)
            continue
        suppressed.append(Suppressed(finding, covering[0].reason, covering[0].comment.span))
        for ignore in covering:
            used[ignore].add(finding.rule)
    facts = tuple(_fact(ignore, used[ignore], known, today) for ignore in ignores)
    return Judged(tuple(kept), tuple(suppressed), facts)


def _written(comment: comments.Comment, lines: list[str]) -> Written | None:
    parts = _DIRECTIVE.match(comment.text)
    verb = parts["verb"].lower() if parts else ""
    if parts is None or (verb not in _VERBS and parts["names"] is None):
        return None
    names = tuple(dict.fromkeys(name.strip() for name in (parts["names"] or "").split(",") if name.strip()))
    whole_file = verb == "file-ignore"
    rest = _REST.fullmatch(parts["rest"])
    malformed, until = "", None
    if verb not in ("ignore", "file-ignore"):
        malformed = f"{parts['verb']!r} is neither 'ignore' nor 'file-ignore': {_FORM}"
    elif not names:
        malformed = f"it names no rule: {_FORM}"
    elif whole_file and not comment.alone:
        malformed = "it speaks of the whole file and does not stand on a line of its own"
    elif rest is None:
        malformed = f"{parts['rest'].strip()!r} is neither until=YYYY-MM-DD nor -- and a reason"
    reason = _OTHER_TOOL.split((rest["reason"] or "") if rest else "")[0].strip()
    if rest is not None and not malformed:
        reason, until, malformed = _dated(reason, rest["until"])
    target = _target(comment, lines)
    return Written(comment, names, whole_file, reason, until, malformed, target, _decorators(target, lines))


def _dated(reason: str, before: str | None) -> tuple[str, datetime.date | None, str]:
    """The reason, the last day, which stands `before` the reason or ends it, and why that cannot be read."""
    inside = list(_UNTIL.finditer(reason))
    given = [*([] if before is None else [before]), *(found[1] for found in inside)]
    if not given:
        return reason, None, ""
    if len(given) > 1:
        return reason, None, "it has more than one until="
    if inside and inside[0].end() != len(reason):
        return reason, None, "its until= stands inside the reason: put it before '--' or at the end"
    try:
        until = datetime.datetime.strptime(given[0], "%Y-%m-%d").date()
    except ValueError:
        return reason, None, f"{given[0]!r} is no date such as until=2027-01-31"
    return _UNTIL.sub("", reason).strip(), until, ""


def _target(comment: comments.Comment, lines: list[str]) -> int:
    if not comment.alone:
        return comment.span.line
    line = comment.span.line
    while line < len(lines) and comments.blank(lines[line]):
        line += 1
    return line + 1


def _decorators(first: int, lines: list[str]) -> tuple[int, ...]:
    """The lines of the decorators below that of a first one, up to what they decorate."""
    start = lines[first - 1] if first <= len(lines) else ""
    margin = start[: len(start) - len(start.lstrip())]
    if not start.startswith(f"{margin}@"):
        return ()
    found = []
    for number, line in enumerate(lines[first:], start=first + 1):
        if line.startswith(f"{margin}@"):
            found.append(number)
        elif line.startswith((f"{margin}def ", f"{margin}class ", f"{margin}async ")):
            break
    return tuple(found)


def _bodies(tables: Iterable[StepTable], path: str) -> dict[int, list[tuple[int, int, str]]]:
    """By each line of a file that stands for a whole step: the step's first and last line, and its name."""
    bodies: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for step in (step for table in tables for step in table.steps):
        places = [place for place in (step.span, step.body) if place.path == path]
        for line in sorted({place.line for place in places}):
            first, last = min(place.line for place in places), max(place.end_line for place in places)
            bodies[line].append((first, last, step.name))
    return bodies


def _covers(ignore: Written, finding: Finding, bodies: dict[int, list[tuple[int, int, str]]]) -> bool:
    if ignore.whole_file:
        return True
    here = [place for place in finding.places if place.path == ignore.comment.span.path]
    return any(
        ignore.target in (place.line, place.end_line)
        or any(
            first <= place.line <= last and (not finding.step or finding.step == name)
            for line in (ignore.target, *ignore.decorators)
            for first, last, name in bodies.get(line, ())
        )
        for place in here
    )


def _fact(ignore: Written, used: set[str], known: Mapping[str, bool], today: datetime.date) -> Ignore:
    valid = ignore.valid(today)
    return Ignore(
        span=ignore.comment.span,
        names=ignore.names,
        unknown=tuple((name, _nearest(name, known)) for name in ignore.names if name not in known),
        unused=tuple(name for name in ignore.names if valid and known.get(name) and name not in used),
        whole_file=ignore.whole_file,
        reason=ignore.reason,
        until=ignore.until,
        malformed=ignore.malformed,
        expired=ignore.expired(today),
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    import difflib  # noqa: PLC0415 (only on the way to a finding)

    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.6)), "")
