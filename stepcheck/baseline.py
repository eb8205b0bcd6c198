"""Known findings in a file: read, compared with what a run finds, written anew."""

import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stepcheck.config import UsageError
from stepcheck.report import Finding

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


def compare(
    entries: Iterable[Entry],
    findings: Sequence[Finding],
    *,
    rules: Collection[str],
    paths: Collection[str],
    place: Callable[[str], str],
) -> Compared:
    """Part findings into new and known ones.

    `rules` ran, on the files `paths`: other entries are not stale. `place` gives a finding's path as the
    baseline has it.
    """
    known = {(entry.rule, entry.path, entry.fingerprint): entry for entry in entries}
    held, new, met = [], [], set()
    for finding in findings:
        key = (finding.rule, place(finding.span.path), finding.fingerprint)
        if key in known and finding.rule not in NOT_HELD:
            held.append(finding)
            met.add(key)
        else:
            new.append(finding)
    stale = [
        entry
        for key, entry in sorted(known.items())
        if key not in met and entry.rule in rules and entry.path in paths
    ]
    return Compared(tuple(new), tuple(held), tuple(stale))


def updated(entries: Iterable[Entry], compared: Compared, place: Callable[[str], str]) -> tuple[Entry, ...]:
    """The baseline that holds a run's findings and what the run could not judge, and nothing stale."""
    found = (
        Entry(place(finding.span.path), finding.rule, finding.fingerprint, finding.message)
        for finding in (*compared.new, *compared.held)
        if finding.rule not in NOT_HELD
    )
    return _merged((*(set(entries) - set(compared.stale)), *found))


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
    replace_text(file, text)


def replace_text(file: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never half. Raises UsageError."""
    try:
        handle, made = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(made, file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_umask())  # noqa: PTH101
            os.replace(made, file)  # noqa: PTH105
        except BaseException:
            os.unlink(made)  # noqa: PTH108
            raise
    except OSError as error:
        raise UsageError(f"{file}: could not be written: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
