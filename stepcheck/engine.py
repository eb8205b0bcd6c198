"""The run: files → facts → problems → findings → report."""

import datetime
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from stepcheck import baseline, coverage, prefilter, reading, rules, selection, suppress
from stepcheck.config import ALL, Settings
from stepcheck.discovery import File, discover
from stepcheck.facts import Span, StepTable, Unreadable, UnreadFile
from stepcheck.report import Finding, Report, Unread
from stepcheck.rule import AnyRule, Evidence, Problem, Severity
from stepcheck.sources import Sources

OnError = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True)
class Stdin:
    """A file that comes from the standard input."""

    path: str
    """What findings call it; its suffix says how to read it."""
    data: bytes


@dataclass(slots=True)
class _Looked:
    """What was read from one file."""

    file: File
    data: bytes
    tables: list[StepTable] = field(default_factory=list)
    unread: list[UnreadFile] = field(default_factory=list)


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
    report = check(settings, paths, cwd=here, stdin=stdin, on_error=on_error)
    if settings.baseline is not None:
        compared = compare(settings, report, baseline.read(settings.baseline), here)
        report = against(report, compared)
    return at_least(report, settings.least)


def check(
    settings: Settings,
    paths: Sequence[str],
    *,
    cwd: Path,
    stdin: Stdin | None = None,
    on_error: OnError | None = None,
) -> Report:
    """Everything there is to find, whatever a baseline holds and however little it matters."""
    checking = _Checking(settings, cwd, on_error)
    files: tuple[File, ...] = ()
    unlisted: tuple[UnreadFile, ...] = ()
    if stdin is not None:
        suffix = os.path.splitext(stdin.path)[1].lower() or ".py"  # noqa: PTH122
        files = (File(stdin.path, os.path.join(cwd, stdin.path), suffix),)  # noqa: PTH118
    else:
        found = discover(paths, settings, cwd)
        files, unlisted = found.files, found.unread
    looked = list(checking.look(files, stdin))
    return checking.report(files, looked, unlisted)


def compare(
    settings: Settings, report: Report, entries: Iterable[baseline.Entry], cwd: Path
) -> baseline.Compared:
    """A report's findings against a baseline. Entries of rules that did not run, or of other files, stay."""

    def place(path: str) -> str:
        return selection.rooted(path, settings.root, cwd)

    known = tuple(entries)
    ran = {rule.name for rule in selection.choose(settings, rules.load())}
    gone = {each.path for each in known if not (settings.root / each.path).exists()}
    unread = {each.path for each in report.unread}
    paths = {place(path) for path in report.files if path not in unread} | gone
    return baseline.compare(known, report.findings, rules=ran, paths=paths, place=place)


def against(report: Report, compared: baseline.Compared) -> Report:
    """The report without the findings that a baseline holds."""
    stale = tuple(entry.line() for entry in compared.stale)
    return replace(report, findings=compared.new, baselined=compared.held, stale=stale)


def at_least(report: Report, least: Severity) -> Report:
    """The report without findings below a severity."""
    if least is Severity.WARNING:
        return report
    return replace(
        report, findings=tuple(each for each in report.findings if each.severity is Severity.ERROR)
    )


def today() -> datetime.date:
    """The day that ends of ignore comments are compared with: SOURCE_DATE_EPOCH's (UTC) where that is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit() and len(epoch) < 12:
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.date.today()


class _Checking:
    """One run: what it depends on, and what it may ask again."""

    def __init__(self, settings: Settings, cwd: Path, on_error: OnError | None) -> None:
        self._settings = settings
        self._cwd = cwd
        self._on_error = on_error
        self._every = rules.names()
        self._rules: dict[type, list[AnyRule]] = defaultdict(list)
        for rule in selection.choose(settings, rules.load()):
            self._rules[rule.fact].append(rule)
        self._silence = selection.Silence(settings, cwd)
        self._sources = Sources(settings, cwd)
        self._failed: dict[str, str] = {}
        self._today = today()

    def look(self, files: Iterable[File], stdin: Stdin | None) -> Iterator[_Looked]:
        """Read what may concern us, and leave the rest."""
        aliases = tuple(self._settings.tables.aliases)
        for file in files:
            looked = _Looked(file, b"")
            try:
                data = (
                    stdin.data
                    if stdin
                    else reading.read(file.path, file.location, self._settings.max_file_size)
                )
                if not prefilter.concerns(data, file.suffix, aliases):
                    continue
                looked.data = data
                looked.tables.extend(self._sources.tables(file, data))
            except Unreadable as error:
                looked.unread.append(error.unread)
            except (RecursionError, MemoryError):
                looked.unread.append(reading.unreadable(file.path, "it is nested too deeply").unread)
            except Exception as error:  # one file's trouble must not hide the others' findings
                self._fail(file.path, error)
            yield looked

    def report(
        self, files: Sequence[File], looked: Sequence[_Looked], unlisted: Sequence[UnreadFile]
    ) -> Report:
        """What the rules make of it."""
        tables = coverage.distinct(table for one in looked for table in one.tables)
        unread = [*unlisted, *(each for one in looked for each in one.unread)]
        facts = [*unread, *tables, *coverage.steps(tables)]
        by_path: dict[str, list[Finding]] = defaultdict(list)
        for finding in self._fingerprinted(self._findings(facts)):
            by_path[finding.span.path].append(finding)
        parted = [self._part(path, by_path[path], looked, tables) for path in self._paths(by_path, looked)]
        ignores = [ignore for judged in parted for ignore in judged.ignores]
        kept = [finding for judged in parted for finding in judged.kept]
        kept += self._fingerprinted(self._findings(ignores))
        findings = tuple(sorted(kept, key=_order))
        suppressed = [each for judged in parted for each in judged.suppressed]
        return Report(
            findings=findings,
            suppressed=tuple(sorted(suppressed, key=lambda each: _order(each.finding))),
            unread=tuple(self._unread(unread)),
            coverage=replace(coverage.count(tables), files=len(files)),
            files=tuple(file.path for file in files),
            sources=self._texts([*findings, *(each.finding for each in suppressed)], looked),
        )

    def _paths(self, by_path: dict[str, list[Finding]], looked: Sequence[_Looked]) -> list[str]:
        """Files with findings or with something written for us, sorted."""
        return sorted({*by_path, *(one.file.path for one in looked if b"stepcheck:" in one.data)})

    def _findings(self, facts: Iterable[object]) -> Iterator[Finding]:
        """What every rule says of every fact, each once."""
        met: set[tuple[str, Span, str]] = set()
        for fact in facts:
            for rule in self._rules.get(type(fact), ()):
                for problem in self._problems(rule, fact):
                    finding = self._finding(rule, problem)
                    key = (finding.rule, finding.span, finding.message)
                    if key not in met and not {rule.name, ALL} & self._silence.of(finding.span.path):
                        met.add(key)
                        yield finding

    def _problems(self, rule: AnyRule, fact: Any) -> list[Problem]:
        try:
            return list(rule.check(fact))
        except Exception as error:  # as above
            self._fail(fact.span.path, error)
            return []

    def _finding(self, rule: AnyRule, problem: Problem) -> Finding:
        severity = self._settings.severity.get(rule.name, rule.severity)
        return Finding(
            rule=rule.name,
            severity=Severity.WARNING if problem.evidence is Evidence.NAME else severity,
            stage=rule.stage,
            span=problem.span,
            message=problem.message,
            evidence=problem.evidence,
            step=problem.step,
            related=problem.related,
            fix=problem.fix,
        )

    def _fingerprinted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings in order, those alike in all but their place told apart by a number."""
        met: Counter[tuple[str, ...]] = Counter()
        for finding in sorted(findings, key=_order):
            path = selection.rooted(finding.span.path, self._settings.root, self._cwd)
            parts = (finding.rule, path, finding.step, finding.message)
            text = "\0".join((*parts, str(met[parts])))
            met[parts] += 1
            digest = hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=16)
            yield replace(finding, fingerprint=digest.hexdigest())

    def _part(
        self, path: str, findings: list[Finding], looked: Sequence[_Looked], tables: Sequence[StepTable]
    ) -> suppress.Judged:
        """Apply the ignore comments of one file to its findings."""
        one = next((one for one in looked if one.file.path == path), None)
        data, suffix = (one.data, one.file.suffix) if one else self._read(path)
        if b"stepcheck:" not in data:
            return suppress.Judged(tuple(findings), (), ())
        silent = self._silence.of(path)
        ran = {rule.name for some in self._rules.values() for rule in some}
        # What was not wholly read may hold what a comment is there for.
        whole = one is not None and not one.unread and path not in self._failed
        known = {name: whole and name in ran and not {name, ALL} & silent for name in self._every}
        ignores = suppress.read(path, reading.text(data, suffix), suffix)
        return suppress.judge(findings, ignores, tables, known=known, today=self._today)

    def _read(self, path: str) -> tuple[bytes, str]:
        """A file that is not among those looked at, and that a finding points into."""
        location = os.path.normpath(os.path.join(self._cwd, path))  # noqa: PTH118
        try:
            data = reading.read(path, location, self._settings.max_file_size)
        except Unreadable:
            data = b""
        return data, os.path.splitext(path)[1].lower()  # noqa: PTH122

    def _texts(self, findings: Iterable[Finding], looked: Sequence[_Looked]) -> dict[str, str]:
        known = {one.file.path: (one.data, one.file.suffix) for one in looked if one.data}
        paths = {
            place.path
            for finding in findings
            for place in (finding.span, *(related.span for related in finding.related))
        }
        return {path: reading.text(*(known.get(path) or self._read(path))) for path in sorted(paths)}

    def _fail(self, path: str, error: Exception) -> None:
        self._failed.setdefault(path, f"internal error: {type(error).__name__}: {error}".rstrip(": "))
        if self._on_error:
            self._on_error(path, error)

    def _unread(self, facts: Iterable[UnreadFile]) -> list[Unread]:
        unread = {(fact.span, fact.reason) for fact in facts}
        told = [Unread(span.path, reason) for span, reason in sorted(unread)]
        return sorted(
            [*told, *(Unread(path, why) for path, why in self._failed.items())], key=lambda each: each.path
        )


def _order(finding: Finding) -> tuple[Span, str, str]:
    return finding.span, finding.rule, finding.message
