"""The options of `stepcheck check`, in the groups in which its help lists them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from stepcheck import output

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path, dir_okay=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for; None or empty where it says nothing."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    stage: int | None
    severity: str | None
    config: Path | None
    isolated: bool
    force_exclude: bool
    code: bool | None
    cache: bool
    cache_dir: Path | None
    jobs: int | None
    stdin_filename: str | None
    output_format: str | None
    output_file: Path | None
    statistics: bool
    show_files: bool
    show_settings: bool
    color: str
    fix: bool
    unsafe_fixes: bool
    diff: bool
    baseline: Path | None
    write_baseline: Path | None
    prune_baseline: bool
    exit_zero: bool
    verbose: bool


def _names(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Names given one by one or with commas between them."""
    return tuple(name.strip() for each in given for name in each.split(",") if name.strip())


def _some_names(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """The same, but at least one where the option is given: an empty variable must not select every rule."""
    names = _names(context, parameter, given)
    if given and not names:
        raise click.BadParameter("it names no rule", context, parameter)
    return names


SELECTION = (
    click.option(
        "--select",
        multiple=True,
        callback=_some_names,
        metavar="RULES",
        help="Run only these rules, or 'all'.",
    ),
    click.option("--ignore", multiple=True, callback=_names, metavar="RULES", help="Do not run these rules."),
    click.option(
        "--stage", type=click.IntRange(1, 5), help="Run only rules up to this stage of the adoption ladder."
    ),
    click.option(
        "--severity",
        type=click.Choice(["error", "warning"]),
        help="Report only findings of at least this severity.",
    ),
)
INPUT = (
    click.option("--config", type=_FILE, help="Use this configuration file instead of looking for one."),
    click.option("--isolated", is_flag=True, help="Use no configuration file."),
    click.option("--code/--no-code", default=None, help="Read the bodies of functions, too (the default)."),
    click.option(
        "--cache/--no-cache", default=True, help="Keep what is told from code for the next run (the default)."
    ),
    click.option(
        "--cache-dir",
        type=click.Path(path_type=Path, file_okay=False),
        help="Where; else as STEPCHECK_CACHE_DIR says, or in .stepcheck_cache.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1, 64), help="Processes for large trees; else as STEPCHECK_JOBS says."
    ),
    click.option("--force-exclude", is_flag=True, help="Exclude files that are named one by one, too."),
    click.option(
        "--stdin-filename", metavar="NAME", help="What the file from the standard input ('-') is called."
    ),
)
OUTPUT = (
    click.option(
        "--output-format",
        metavar="FORMAT",
        type=click.Choice(output.names()),
        help=f"How findings are shown: {', '.join(output.names())}.",
    ),
    click.option("--output-file", type=_FILE, help="Write to this file instead of the standard output."),
    click.option("--statistics", is_flag=True, help="Count findings by rule instead of listing them."),
    click.option("--show-files", is_flag=True, help="List the files looked at, too."),
    click.option("--show-settings", is_flag=True, help="Show the settings and the rules that run, and stop."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Auto: on a terminal, unless NO_COLOR is set; FORCE_COLOR is honoured.",
    ),
)
CHANGES = (
    click.option("--fix", is_flag=True, help="Mend what can be mended without a change of meaning."),
    click.option(
        "--unsafe-fixes", is_flag=True, help="With --fix or --diff: also apply fixes that change meaning."
    ),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing."),
    click.option("--baseline", type=_FILE, help="Leave out the findings that this file holds."),
    click.option(
        "--write-baseline", type=_FILE, help="Make or update a baseline with all that is found now."
    ),
    click.option(
        "--prune-baseline", is_flag=True, help="Take entries that are found no more out of the baseline."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings."),
    click.option("-v", "--verbose", is_flag=True, help="Print the traceback of an internal error."),
)


def all_options(function: F) -> F:
    """Give a command every option above, in that order."""
    for option in reversed((*SELECTION, *INPUT, *OUTPUT, *CHANGES)):
        function = option(function)
    return function
