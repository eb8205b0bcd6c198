"""What the fixes of a run would make of each file, and what stays as it is and why."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stepcheck.fixes.edit import CannotFix, Edit, apply
from stepcheck.fixes.edits import Outcome, edits_of, place
from stepcheck.fixes.kinds import is_python, kind_of
from stepcheck.fixes.text import SourceText, decoded
from stepcheck.fixes.verify import says_the_same
from stepcheck.report import Finding
from stepcheck.rule import Change


@dataclass(frozen=True, slots=True)
class Skipped:
    """A finding whose fix was left undone."""

    finding: Finding
    reason: str
    """Completes "not fixed: "."""


@dataclass(frozen=True, slots=True)
class FixedFile:
    """One file before and after."""

    path: str
    old: bytes
    new: bytes
    old_text: str
    new_text: str
    fixed: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written, and what not. Making it writes nothing."""

    root: Path
    files: tuple[FixedFile, ...]
    skipped: tuple[Skipped, ...]

    @property
    def fixed(self) -> tuple[Finding, ...]:
        """All findings that the plan mends, by file."""
        return tuple(finding for file in self.files for finding in file.fixed)


def plan(findings: Iterable[Finding], root: Path, *, unsafe: bool = False) -> Plan:
    """What the fixes of these findings make of the files under `root`, in one pass.

    A fix at a place that another fix of the pass changes waits for the next run; fixes that are not safe are
    left out unless asked for. Each fixed file still parses, and says what it said apart from its fixes.
    """
    by_path: dict[str, list[tuple[Finding, Change]]] = defaultdict(list)
    skipped: list[Skipped] = []
    for finding in findings:
        if finding.fix is None:
            continue
        if finding.fix.safe or unsafe:
            by_path[place(finding.fix.change).path].append((finding, finding.fix.change))
        else:
            skipped.append(
                Skipped(finding, "the fix may change what the program does: --unsafe-fixes applies it")
            )
    sources: dict[str, tuple[bytes, SourceText]] = {}
    for path in sorted(by_path):
        try:
            data = (root / path).read_bytes()
            sources[path] = data, decoded(data, python=is_python(path))
        except (OSError, CannotFix) as error:
            reason = error.strerror or "" if isinstance(error, OSError) else str(error)
            skipped += [Skipped(finding, reason) for finding, _ in by_path[path]]
    asked = {
        path: (source.text, [change for _, change in by_path[path]]) for path, (_, source) in sources.items()
    }
    outcomes = edits_of(asked)
    files: list[FixedFile] = []
    for path, (data, source) in sources.items():
        chosen, clashing = _chosen(by_path[path], outcomes[path])
        text, failed = _applied(path, source, chosen)
        skipped += clashing + failed
        undone = {id(each.finding) for each in clashing + failed}
        fixed = tuple(finding for finding, _ in by_path[path] if id(finding) not in undone)
        if fixed:
            files.append(FixedFile(path, data, source.encoded(text), source.text, text, fixed))
    return Plan(root, tuple(files), tuple(skipped))


def replacements(findings: Sequence[Finding], sources: Mapping[str, str]) -> list[tuple[Edit, ...]]:
    """For each finding the edits that its fix is, in offsets of the given texts; none where it has no fix.

    A text is as it stands in the file, line ends included, without a byte order mark.
    """
    asked: dict[str, tuple[str, list[Change]]] = {}
    places: list[tuple[str, int] | None] = []
    for finding in findings:
        path = place(finding.fix.change).path if finding.fix else ""
        if finding.fix is None or path not in sources:
            places.append(None)
            continue
        changes = asked.setdefault(path, (sources[path], []))[1]
        places.append((path, len(changes)))
        changes.append(finding.fix.change)
    outcomes = edits_of(asked)
    found = [outcomes[where[0]][where[1]] if where else None for where in places]
    return [(outcome,) if isinstance(outcome, Edit) else () for outcome in found]


_Chosen = dict[Edit, list[tuple[Finding, Change]]]


def _chosen(
    findings: Sequence[tuple[Finding, Change]], outcomes: Sequence[Outcome]
) -> tuple[_Chosen, list[Skipped]]:
    """The edits that can be made together, first come first served, each with the findings it mends."""
    chosen: _Chosen = {}
    skipped: list[Skipped] = []
    for (finding, change), outcome in zip(findings, outcomes, strict=True):
        if isinstance(outcome, CannotFix):
            skipped.append(Skipped(finding, str(outcome)))
        elif outcome in chosen:
            chosen[outcome].append((finding, change))
        elif any(outcome.clashes(other) for other in chosen):
            skipped.append(Skipped(finding, "another fix changes the same place: run again for this one"))
        else:
            chosen[outcome] = [(finding, change)]
    return chosen, skipped


def _applied(path: str, source: SourceText, chosen: _Chosen) -> tuple[str, list[Skipped]]:
    """The text with all edits; where that would say something else besides, with those that do not."""
    try:
        return _verified(path, source, source.text, sorted(chosen), chosen), []
    except CannotFix as error:
        if len(chosen) == 1:
            return source.text, [Skipped(each, str(error)) for found in chosen.values() for each, _ in found]
    text = source.text
    skipped: list[Skipped] = []
    for edit in sorted(chosen, reverse=True):  # from the end, so that offsets before it still hold
        try:
            text = _verified(path, source, text, [edit], chosen)
        except CannotFix as error:
            skipped += [Skipped(finding, str(error)) for finding, _ in chosen[edit]]
    return text, skipped


def _verified(path: str, source: SourceText, text: str, edits: Sequence[Edit], chosen: _Chosen) -> str:
    if not edits:
        return text
    stream = kind_of(path).stream
    new = apply(text, edits)
    source.encoded(new)
    if not says_the_same(stream(text), stream(new), [chosen[edit][0][1] for edit in edits]):
        raise CannotFix("the file would say something else besides")
    return new
