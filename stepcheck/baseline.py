"""Known findings in a file: read, compared with what a run finds, written anew."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stepcheck import rules, writing
from stepcheck.report import Finding, Report
from stepcheck.selection import choose, rooted
from stepcheck.settings import Settings, UsageError

VERSION = 1
NOT_HELD = frozenset({"unread-file"})
"""Rules whose findings no baseline holds: nobody knows what is in a file that was not read."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One known finding. It has no line: edits elsewhere in the file leave it as it is."""

    path: str
    rule: str
    fingerprint: str
    message: str
    """For people who read the file; not compared."""

    def line(self) -> str:
        """The entry on one line."""
        return f"{self.path}: {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Compared:
    """A run's findings against a baseline."""

    new: tuple[Finding, ...]
    held: tuple[Finding, ...]
    """Findings that the baseline knows."""
    stale: tuple[Entry, ...]
    """Entries that would have been found again, and were not."""


def read(file: Path) -> tuple[Entry, ...]:
    """The entries of a baseline file. Raises UsageError, with the file and the cure."""
    try:
        document = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{file}: there is no such baseline; --write-baseline makes one") from None
    except OSError as error:
        raise UsageError(f"{file}: could not be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: is no baseline: {error}; --write-baseline makes a new one") from None
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise UsageError(
            f"{file}: is no baseline: it has no list 'findings'; --write-baseline makes a new one"
        )
    if document.get("version") != VERSION:
        raise UsageError(
            f"{file}: is a baseline of version {document.get('version')!r}, not of version {VERSION}; "
            "--write-baseline makes a new one"
        )
    return tuple(
        sorted({_entry(file, number, given) for number, given in enumerate(document["findings"], start=1)})
    )


def compare(entries: Iterable[Entry], report: Report, settings: Settings, cwd: Path) -> Compared:
    """Part a report's findings into new and known ones.

    An entry is stale only where it would have been found again: its rule ran, on its file, and the file could
    be read; or there is no such file any more.
    """
    known = {(entry.rule, entry.path, entry.fingerprint): entry for entry in entries}
    held, new, met = [], [], set()
    for finding in report.findings:
        key = (finding.rule, rooted(finding.span.path, settings.root, cwd), finding.fingerprint)
        if key in known and finding.rule not in NOT_HELD:
            held.append(finding)
            met.add(key)
        else:
            new.append(finding)
    ran = {rule.name for rule in choose(settings, rules.load())}
    unread = {each.path for each in report.unread}
    looked = {rooted(path, settings.root, cwd) for path in report.files if path not in unread}
    stale = [
        entry
        for key, entry in sorted(known.items())
        if key not in met
        and ((entry.rule in ran and entry.path in looked) or not (settings.root / entry.path).exists())
    ]
    return Compared(tuple(new), tuple(held), tuple(stale))


def without_known(report: Report, settings: Settings, cwd: Path) -> Report:
    """The report without the findings that the settings' baseline holds. Raises UsageError."""
    if settings.baseline is None:
        return report
    return against(report, compare(read(settings.baseline), report, settings, cwd))


def against(report: Report, compared: Compared) -> Report:
    """The report with its findings parted as compared."""
    stale = tuple(entry.line() for entry in compared.stale)
    return replace(report, findings=compared.new, baselined=compared.held, compared=True, stale=stale)


def updated(entries: Iterable[Entry], report: Report, settings: Settings, cwd: Path) -> tuple[Entry, ...]:
    """The baseline that holds a report's findings and what the run could not judge, and nothing stale."""
    found = (
        Entry(rooted(one.span.path, settings.root, cwd), one.rule, one.fingerprint, one.message)
        for one in report.findings
        if one.rule not in NOT_HELD
    )
    return _merged((*pruned(entries, compare(entries, report, settings, cwd)), *found))


def pruned(entries: Iterable[Entry], compared: Compared) -> tuple[Entry, ...]:
    """The baseline without what is stale."""
    return _merged(set(entries) - set(compared.stale))


def write(file: Path, entries: Iterable[Entry]) -> None:
    """Replace the file in one go: sorted, one entry a line, newline-terminated. Raises UsageError."""
    lines = ",\n".join(
        json.dumps(
            {"rule": each.rule, "path": each.path, "fingerprint": each.fingerprint, "message": each.message}
        )
        for each in sorted(entries)
    )
    listed = f"[\n{lines}\n]" if lines else "[]"
    text = f'{{"version": {VERSION}, "findings": {listed}}}\n'
    try:
        writing.replace(file, text.encode())
    except OSError as error:
        raise UsageError(f"{file}: could not be written: {error.strerror or error}") from None


def _entry(file: Path, number: int, given: Any) -> Entry:
    fields = ("path", "rule", "fingerprint", "message")
    if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in fields):
        raise UsageError(
            f"{file}: entry {number} of 'findings' needs the strings rule, path, fingerprint and message; "
            "--write-baseline makes a new one"
        )
    return Entry(*(given[name] for name in fields))


def _merged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(
        sorted({(entry.rule, entry.path, entry.fingerprint): entry for entry in sorted(entries)}.values())
    )
