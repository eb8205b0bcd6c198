"""`stepcheck simulate`: every schedule of faults over a declared table, and what each leads to."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stepcheck import config, engine
from stepcheck.cli import _terminal
from stepcheck.facts import StepTable, Unreadable
from stepcheck.report import Report
from stepcheck.settings import Settings, UsageError

if TYPE_CHECKING:
    from stepcheck.explorer.matrix.cells import TableMatrix
    from stepcheck.explorer.matrix.modelled import Doubts

MOST_FAULTS = 4
LARGE = 20
"""Different steps from which on it is said that it takes long."""


@click.command("simulate", short_help="Run every schedule of faults over a step table.")
@click.argument("where", metavar="FILE[:TABLE]")
@click.option(
    "--faults",
    type=click.IntRange(0, MOST_FAULTS),
    default=2,
    show_default=True,
    help="Schedules of at most so many faults.",
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="For a terminal, for programs, or one page to look at together.",
)
@click.option("--output-file", type=click.Path(path_type=Path), help="Write there and not to the terminal.")
@click.pass_context
def command(
    context: click.Context, where: str, faults: int, output_format: str, output_file: Path | None
) -> None:
    """Run every schedule of faults over the step table in FILE, which is read and never imported.

    Each step is modelled from its declaration. The matrix says what a crash, a lost answer, a late arrival, a
    second worker lead to; each bad cell has its shortest schedule, told as a story.

    Exit codes: 0 clean, 1 a schedule duplicates, loses or forgets, 2 a mistake in the call or a file that
    cannot be read.
    """
    try:
        tables, report = _read(where, Path.cwd())
        found = _simulate(tables, faults, report)
        _terminal.write(_text(found, output_format), output_file, machine=output_format != "text")
    except UsageError as error:
        for line in str(error).splitlines():
            _terminal.say(f"error: {line}")
        context.exit(2)
    context.exit(1 if any(table.bad for table in found) else 0)


def _read(where: str, cwd: Path) -> tuple[Sequence[StepTable], Report]:
    """The tables that are meant, and what the linter finds in their file. Raises UsageError."""
    path, _, name = where.rpartition(":")
    if not path or Path(where).exists():
        path, name = where, ""
    if not Path(path).is_file():
        folder = Path(path).is_dir()
        raise UsageError(
            f"{path!r} is a folder: name a file in it" if folder else f"there is no file {path!r}"
        )
    file = config.find((path,), cwd)
    settings = config.load(file, cwd) if file else Settings(root=cwd)
    report = engine.check(settings, (path,), cwd=cwd)
    if report.unread:
        raise UsageError("\n".join(f"{one.place}: could not be read: {one.reason}" for one in report.unread))
    tables = engine.tables(settings, (path,), cwd=cwd)
    known = ", ".join(repr(table.name) for table in tables) or "none"
    if not tables:
        raise UsageError(_why_none(settings, path, cwd))
    chosen = [table for table in tables if not name or table.name == name]
    if not chosen:
        raise UsageError(f"{path}: there is no step table {name!r} in it; there are: {known}")
    return chosen, report


def _why_none(settings: Settings, path: str, cwd: Path) -> str:
    """Why no step table was found; a file without a word of ours is not read by a check, broken or not."""
    try:
        engine.believed(settings, path, cwd=cwd)
    except Unreadable as error:
        at = error.unread.span
        return f"{at.path}:{at.line}:{at.column}: could not be read: {error.unread.reason}"
    return f"{path}: there is no step table in it: a step is a mapping with 'effect' and 'call'"


def _simulate(tables: Sequence[StepTable], faults: int, report: Report) -> "list[TableMatrix]":
    from stepcheck.explorer.matrix.cells import matrix  # noqa: PLC0415

    found = [matrix(table, faults, _doubts(table, report), _begin) for table in tables]
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    return found


def _begin(number: int, of: int, step: str) -> None:
    """Say once that it will take long, and show on a terminal how far it has come."""
    if number == 1 and of > LARGE:
        _terminal.say(
            f"note: {of} steps that differ in more than their names are simulated, "
            "each in a second or more; fewer --faults take less time"
        )
    if sys.stderr.isatty():
        shown = "".join(each if each.isprintable() else "?" for each in step)
        line = f"simulating {number} of {of}: '{shown}'"
        sys.stderr.write(f"\r\x1b[K{line[: _terminal.width() - 1]}")
        sys.stderr.flush()


def _doubts(table: StepTable, report: Report) -> "Mapping[str, Doubts]":
    """What the linter has found about each step, an ignored finding included: to ignore it mends nothing."""
    from stepcheck.explorer.matrix.modelled import doubts  # noqa: PLC0415

    return doubts(table, [*report.findings, *(one.finding for one in report.suppressed)])


def _text(tables: "Sequence[TableMatrix]", output_format: str) -> str:
    match output_format:
        case "json":
            from stepcheck.explorer.matrix import as_json  # noqa: PLC0415

            return as_json.text(tables)
        case "html":
            from stepcheck.explorer.matrix import as_html  # noqa: PLC0415

            return as_html.text(tables)
        case _:
            from stepcheck.explorer.matrix import as_text  # noqa: PLC0415

            return "".join(f"{line}\n" for line in as_text.lines(tables, _terminal.width()))
