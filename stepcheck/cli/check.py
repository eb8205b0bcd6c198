"""`stepcheck check`: report the steps that are not safe to try again."""

import gc
import os
import sys
from pathlib import Path
from typing import Any

import click

from stepcheck import output, rules, selection
from stepcheck.cli import _changes, _settings, _terminal
from stepcheck.cli._options import Asked, all_options
from stepcheck.looking import Stdin
from stepcheck.report import Report
from stepcheck.settings import UsageError


@click.command("check", short_help="Report the steps that are not safe to try again.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str))
@all_options
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Report the steps in PATHS (files, folders, '-' for the standard input) that are not safe to try again.

    Exit codes: 0 nothing found, 1 findings, 2 a mistake in the call or the configuration, something that
    could not be read, or an internal error, 3 no file to look at.
    """
    given["paths"] = given["paths"] or (".",)
    gc.set_threshold(100_000, 20, 20)  # syntax trees are many objects and no cycles
    traceback = given["verbose"] or bool(os.environ.get("STEPCHECK_TRACEBACK"))
    try:
        code = _run(Asked(**given), Path.cwd(), traceback=traceback)
    except UsageError as error:
        code = 2
        _terminal.refuse(error)
    except KeyboardInterrupt:
        code = 130
    except Exception as error:  # a mistake of ours must not look like findings
        code = 2
        _terminal.tell("", error, traceback=traceback)
    context.exit(code)


def _run(asked: Asked, cwd: Path, *, traceback: bool) -> int:
    """Do what is asked; the exit code."""
    _changes.consistent(asked)
    settings = _settings.settings(asked, cwd)
    if asked.show_settings:
        _terminal.write(_settings.shown(settings, cwd), asked.output_file, machine=True)
        return 0
    output_format = _format(settings.output_format, asked)
    failed: dict[str, None] = {}

    def on_error(path: str, error: Exception) -> None:
        if path not in failed:
            failed[path] = None
            _terminal.tell(path, error, traceback=traceback)

    run = _changes.Run(settings, asked.paths, cwd, _stdin(asked), on_error)
    whole, report, text = _outcome(run, asked)
    if text is None:
        options = output.Options(
            color=_terminal.colored(asked.color, asked.output_file),
            width=_terminal.width(),
            rules=selection.choose(settings, rules.load()) if output_format.lists_rules else (),
            statistics=asked.statistics,
            show_files=asked.show_files,
        )
        if output_format.review:
            from stepcheck.cli._review import reviewed  # noqa: PLC0415 (loads the executor and the explorer)

            options = reviewed(options, whole, report)
        text = output_format.render(report, options)
    _terminal.write(text, asked.output_file, machine=output_format.machine)
    if not report.files and not report.unread:
        return _nothing(asked)
    if report.unread:  # what an internal error kept from being checked is among it
        return 2
    return 1 if report.findings and not asked.exit_zero else 0


def _format(name: str, asked: Asked) -> output.Format:
    """The output format. Raises UsageError where it has no room for what is asked for."""
    found = output.load(name)
    if asked.statistics and not found.statistics:
        able = [each for each in output.names() if output.load(each).statistics]
        raise UsageError(f"{name} has no place for --statistics: use it with {', '.join(able)}")
    if asked.show_files and not found.shows_files:
        able = [each for each in output.names() if output.load(each).shows_files]
        raise UsageError(f"{name} has no place for --show-files: use it with {', '.join(able)}")
    return found


def _outcome(run: _changes.Run, asked: Asked) -> tuple[Report, Report, str | None]:
    """What is found, what of it is to be reported, and the output where that is not the report."""
    remarks: list[str] = []
    if asked.fix:
        report, remarks = _changes.fix(run, unsafe=asked.unsafe_fixes)
    else:
        report = run.check()
    if asked.write_baseline:
        report, told = _changes.write_baseline(run, report, asked.write_baseline)
        remarks.append(told)
    elif asked.prune_baseline:
        pruned = _changes.prune_baseline(run, report)
        remarks.append(f"{pruned} stale {'entry' if pruned == 1 else 'entries'} taken out of the baseline")
    whole, report = report, run.finish(report)
    text = None
    if asked.diff:
        text, remarks = _changes.diff(run, report, unsafe=asked.unsafe_fixes)
    for remark in remarks:
        _terminal.say(remark)
    return whole, report, text


def _stdin(asked: Asked) -> Stdin | None:
    if "-" not in asked.paths:
        if asked.stdin_filename:
            raise UsageError("--stdin-filename needs '-' as the only path")
        return None
    if len(asked.paths) > 1:
        raise UsageError("'-' (the standard input) must be the only path")
    return Stdin(asked.stdin_filename or "-", sys.stdin.buffer.read())


def _nothing(asked: Asked) -> int:
    named = all(path == "-" or Path(path).is_file() for path in asked.paths)
    if named and asked.force_exclude:  # a hook names what was changed, and all of that may well be excluded
        return 0
    where = ", ".join(repr(path) for path in asked.paths)
    _terminal.say(f"error: no Python, YAML, TOML or JSON file to look at in {where}")
    return 3
