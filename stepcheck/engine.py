"""The run: files → facts → problems → findings → report."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from stepcheck import coverage, reading
from stepcheck.discovery import discover, piped
from stepcheck.facts import Ignore, StepTable, Unreadable, UnreadFile
from stepcheck.listing import PYTHON, File
from stepcheck.looking import MARK, Looked, Looking, Stdin
from stepcheck.report import Finding, Report, Suppressed, Unread
from stepcheck.rule import Severity
from stepcheck.settings import Settings, UsageError
from stepcheck.sources import Followed, Sources

if TYPE_CHECKING:
    import datetime

    from stepcheck.behaviour.reading import Behaviour

OnError = Callable[[str, Exception], None]


def run(
    settings: Settings,
    paths: Sequence[str],
    *,
    cwd: Path | None = None,
    stdin: Stdin | None = None,
    on_error: OnError | None = None,
) -> Report:
    """Check the files that the paths stand for. Raises UsageError for what cannot be asked for.

    A file that cannot be read is reported as unread, an error of our own likewise (and given to `on_error`);
    the other files are checked all the same.
    """
    here = cwd or Path.cwd()
    return finish(settings, check(settings, paths, cwd=here, stdin=stdin, on_error=on_error), here)


def check(
    settings: Settings,
    paths: Sequence[str],
    *,
    cwd: Path,
    stdin: Stdin | None = None,
    on_error: OnError | None = None,
) -> Report:
    """Everything there is to find, whatever a baseline holds and however little it matters."""
    found = discover(paths, settings, cwd) if stdin is None else piped(stdin.path, settings, cwd)
    checking = _Checking(settings, cwd, on_error)
    looked = {one.file.path: one for one in checking.look(found.files, stdin)}
    return checking.report(found.files, looked, found.unread)


def tables(settings: Settings, paths: Sequence[str], *, cwd: Path) -> tuple[StepTable, ...]:
    """The step tables in the files that the paths stand for; files that cannot be read are passed over."""
    found = discover(paths, settings, cwd)
    looked = _Checking(settings, cwd, None).look(found.files, None)
    return coverage.distinct(table for one in looked for table in one.tables)


def believed(settings: Settings, path: str, *, cwd: Path) -> "tuple[tuple[StepTable, ...], Behaviour | None]":
    """What is believed of one file, whether or not anything in it concerns us: its tables and its functions.

    Raises UsageError where there is no such file, Unreadable where it cannot be read.
    """
    files = discover([path], settings, cwd).files
    sources = Sources(settings, cwd)
    (file,) = files[:1] or (None,)
    if file is None:
        raise UsageError(f"no file to look into at {path!r}")
    data = reading.read(file.path, file.location, settings.max_file_size)
    found = tuple(sources.tables(file, data))
    return found, sources.behaviour(file, data, show=True) if file.suffix in PYTHON else None


def finish(settings: Settings, report: Report, cwd: Path) -> Report:
    """The report without what the baseline holds and what is below the asked severity."""
    if settings.baseline is not None:
        from stepcheck import baseline  # noqa: PLC0415 (most runs have none)

        report = baseline.without_known(report, settings, cwd)
    if settings.least is Severity.ERROR:
        report = replace(
            report, findings=tuple(one for one in report.findings if one.severity is Severity.ERROR)
        )
    return report


class _Checking:
    """One run, and what failed in it so far."""

    def __init__(self, settings: Settings, cwd: Path, on_error: OnError | None) -> None:
        self._settings = settings
        self._cwd = cwd
        self._on_error = on_error
        self._sources = Sources(settings, cwd)
        self._failed: dict[str, str] = {}
        self._looking = Looking(settings, cwd, self._sources, self._fail)

    def look(self, files: Sequence[File], stdin: Stdin | None) -> Iterator[Looked]:
        """What is in the files that may concern us."""
        return self._looking.look(files, stdin)

    def report(
        self, files: Sequence[File], looked: dict[str, Looked], unlisted: Sequence[UnreadFile]
    ) -> Report:
        """What the rules make of it."""
        tables = coverage.distinct(table for one in looked.values() for table in one.tables)
        unread = [*unlisted, *(each for one in looked.values() for each in one.unread)]
        paths = tuple(file.path for file in files)
        code = [fact for one in looked.values() for fact in one.facts]
        followed = self._followed(tables, looked)
        facts = [*unread, *tables, *coverage.steps(tables), *code, *followed.facts]
        findings, suppressed = self._judge(facts, looked, tables)
        counted = coverage.count(tables)
        return Report(
            findings=tuple(findings),
            suppressed=tuple(suppressed),
            unread=tuple(self._unread(unread)),
            coverage=replace(
                counted,
                calls_followed=counted.calls_followed + len(followed.calls),
                calls_opaque=counted.calls_opaque + len(followed.opaque),
                files=len({*paths, *(one.span.path for one in unlisted)}),
                functions=sum(one.functions for one in looked.values()),
            ),
            files=paths,
            sources=self._texts([*findings, *(each.finding for each in suppressed)], looked),
            tables=tables,
        )

    def _followed(self, tables: Sequence[StepTable], looked: dict[str, Looked]) -> Followed:
        """What is in the bodies of what the steps name, where code is read at all."""
        if not (self._settings.code and tables):
            return Followed()
        try:
            return self._sources.bodies(tables, lambda path: self._read(path, looked)[0])
        except Exception as error:  # the findings about the tables themselves are told all the same
            self._fail(tables[0].span.path, error)
            return Followed()

    def _judge(
        self, facts: Sequence[object], looked: dict[str, Looked], tables: Sequence[StepTable]
    ) -> tuple[list[Finding], list[Suppressed]]:
        """What the rules say of the facts, and of the comments that cover some of it."""
        marked = [path for path, one in looked.items() if one.marked]
        if not facts and not marked:
            return [], []
        from stepcheck.findings import Judges, order  # noqa: PLC0415 (loads every rule)

        judges = Judges(self._settings, self._cwd, self._fail)
        by_path: dict[str, list[Finding]] = defaultdict(list, {path: [] for path in marked})
        every = judges.findings(facts)
        for finding in every:
            # A comment may stand at the finding, or at the step that takes the value from there.
            for path in {place.path for place in finding.places}:
                by_path[path].append(finding)
        suppressed: dict[Finding, Suppressed] = {}
        ignores: list[Ignore] = []
        for path, found in sorted(by_path.items()):
            data, suffix = self._read(path, looked)
            text = reading.text(data, suffix)
            if MARK not in text:
                continue
            from stepcheck import suppress  # noqa: PLC0415 (few files have comments for us)

            one = looked.get(path)
            # What was not wholly read may hold what a comment is there for.
            whole = one is not None and not one.unread and path not in self._failed
            known = {name: runs and whole for name, runs in judges.known(path).items()}
            written = suppress.read(path, text, suffix)
            judged = suppress.judge(found, written, tables, known=known, today=self._today)
            for covered in judged.suppressed:
                suppressed.setdefault(covered.finding, covered)
            ignores += judged.ignores
        kept = [finding for finding in every if finding not in suppressed] + judges.findings(ignores)
        return sorted(kept, key=order), list(suppressed.values())

    @cached_property
    def _today(self) -> "datetime.date":
        """The one look at the clock of a run."""
        from stepcheck.suppress import today  # noqa: PLC0415 (few files have comments for us)

        return today()

    def _bytes(self, file: File) -> bytes:
        return reading.read(file.path, file.location, self._settings.max_file_size)

    def _read(self, path: str, looked: dict[str, Looked]) -> tuple[bytes, str]:
        """The bytes of a file that a finding points into, and its kind: nothing where it cannot be read."""
        if path in looked and looked[path].data:
            return looked[path].data, looked[path].file.suffix
        location = os.path.normpath(os.path.join(self._cwd, path))  # noqa: PTH118
        suffix = os.path.splitext(path)[1].lower()  # noqa: PTH122
        try:
            return self._bytes(File(path, location, suffix)), suffix
        except Unreadable:
            return b"", suffix

    def _texts(self, findings: Iterable[Finding], looked: dict[str, Looked]) -> dict[str, str]:
        paths = {
            place.path
            for finding in findings
            for place in (finding.span, *(related.span for related in finding.related))
        }
        return {path: reading.as_written(*self._read(path, looked)) for path in sorted(paths)}

    def _fail(self, path: str, error: Exception) -> None:
        self._failed.setdefault(path, f"internal error: {type(error).__name__}: {error}".rstrip(": "))
        if self._on_error:
            self._on_error(path, error)

    def _unread(self, facts: Iterable[UnreadFile]) -> list[Unread]:
        told = [
            Unread(span.path, reason, span)
            for span, reason in sorted({(one.span, one.reason) for one in facts})
        ]
        failed = [Unread(path, why) for path, why in self._failed.items()]
        return sorted([*told, *failed], key=lambda each: each.path)
