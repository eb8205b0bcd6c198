"""What a run may write besides its output: fixes and baselines."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stepcheck import engine
from stepcheck.cli._options import Asked
from stepcheck.looking import Stdin
from stepcheck.report import Report
from stepcheck.selection import rooted
from stepcheck.settings import Settings, UsageError

if TYPE_CHECKING:
    from stepcheck.fixes import Skipped

_PASSES = 5
"""A fix may wait for another one in the same place; more rounds than this mean that two are at odds."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the engine that can be made again."""

    settings: Settings
    paths: tuple[str, ...]
    cwd: Path
    stdin: Stdin | None
    on_error: engine.OnError

    def check(self) -> Report:
        """Everything there is to find."""
        return engine.check(self.settings, self.paths, cwd=self.cwd, stdin=self.stdin, on_error=self.on_error)

    def finish(self, report: Report) -> Report:
        """What of it is to be reported."""
        return engine.finish(self.settings, report, self.cwd)


def consistent(asked: Asked) -> None:
    """Raise UsageError for options that exclude each other."""
    if (asked.fix or asked.diff) and asked.paths == ("-",):
        raise UsageError("--fix and --diff need files: they cannot mend the standard input")
    if asked.fix and asked.diff:
        raise UsageError("--fix and --diff exclude each other: --diff shows what --fix would write")
    if asked.unsafe_fixes and not (asked.fix or asked.diff):
        raise UsageError("--unsafe-fixes does nothing by itself: add --fix or --diff")
    if asked.write_baseline and (asked.baseline or asked.prune_baseline):
        raise UsageError(
            "--write-baseline excludes --baseline and --prune-baseline: it already leaves out what is stale"
        )


def diff(run: Run, report: Report, *, unsafe: bool) -> tuple[str, list[str]]:
    """What fixes would change, as a diff, and a remark for each fix that would be left undone."""
    from stepcheck.fixes.plan import plan  # noqa: PLC0415 (fixes are seldom asked for)
    from stepcheck.fixes.write import diff as shown  # noqa: PLC0415

    planned = plan(report.findings, run.cwd, unsafe=unsafe)
    return shown(planned), [_skipped(one) for one in planned.skipped]


def fix(run: Run, *, unsafe: bool) -> tuple[Report, list[str]]:
    """Apply fixes until none is left that can be: what is found then, and a remark on each file changed."""
    from stepcheck.fixes.plan import plan  # noqa: PLC0415
    from stepcheck.fixes.write import write  # noqa: PLC0415

    remarks: list[str] = []
    report = run.check()
    for _ in range(_PASSES):
        planned = plan(run.finish(report).findings, run.cwd, unsafe=unsafe)
        left = {one.path: one.reason for one in write(planned)}
        written = [file for file in planned.files if file.path not in left]
        remarks += [f"{file.path}: {len(file.fixed)} fixed" for file in written]
        if not written:
            remarks += [f"{path}: not fixed: {reason}" for path, reason in left.items()]
            remarks += [_skipped(one) for one in planned.skipped]
            break
        report = run.check()
    return report, remarks


def write_baseline(run: Run, report: Report, name: Path) -> tuple[Report, str]:
    """Write everything found to the file; what is left is what no baseline holds, and what was done.

    Raises UsageError.
    """
    from stepcheck import baseline  # noqa: PLC0415 (most runs have none)

    file = run.cwd / name
    entries = baseline.read(file) if file.exists() else ()
    written = baseline.updated(entries, report, run.settings, run.cwd)
    baseline.write(file, written)
    held = f"{len(written)} {'finding' if len(written) == 1 else 'findings'}"
    key = rooted(name.as_posix(), run.settings.root, run.cwd)
    told = f'wrote {name}: {held}; use --baseline {name}, or baseline = "{key}" in the configuration'
    return baseline.against(report, baseline.compare(written, report, run.settings, run.cwd)), told


def prune_baseline(run: Run, report: Report) -> int:
    """Take what is stale out of the baseline; how many entries that were. Raises UsageError."""
    from stepcheck import baseline  # noqa: PLC0415 (most runs have none)

    file = run.settings.baseline
    if file is None:
        raise UsageError("--prune-baseline needs a baseline: name it by --baseline, or in the configuration")
    entries = baseline.read(file)
    compared = baseline.compare(entries, report, run.settings, run.cwd)
    if compared.stale:
        baseline.write(file, baseline.pruned(entries, compared))
    return len(compared.stale)


def _skipped(skipped: "Skipped") -> str:
    found = skipped.finding
    return f"{found.span.path}:{found.span.line}: {found.rule}: not fixed: {skipped.reason}"
