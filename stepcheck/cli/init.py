"""`stepcheck init`: configuration, hooks, CI, and a first table proposed from the code."""

from pathlib import Path

import click

from stepcheck import config
from stepcheck.cli import _terminal
from stepcheck.init.files import ByHand, Present, Taken, Write, apply, outcomes
from stepcheck.init.proposal import Proposal, as_python, as_yaml, propose
from stepcheck.settings import Settings, UsageError


@click.command("init", short_help="Set up the project, and propose a first step table.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--table-format",
    type=click.Choice(["yaml", "python"]),
    default="yaml",
    show_default=True,
    help="How the proposed step table is written.",
)
@click.pass_context
def command(context: click.Context, dry_run: bool, table_format: str) -> None:
    """Set up the project in the current folder, and propose a first step table from its code.

    Writes a configuration, and pre-commit and CI files where the project has git and GitHub; what belongs
    into a file that is there is shown, to be added by hand. The table is shown alone: its effect classes are
    guesses. No file is ever overwritten; a second run changes nothing.

    Exit codes: 0 done, 2 a file is in the way or cannot be written.
    """
    root = Path.cwd()
    try:
        shown, failed = _files(root, dry_run=dry_run)
        proposal = propose(_settings(root), root)
    except UsageError as error:
        _terminal.refuse(error)
        context.exit(2)
    except OSError as error:
        _terminal.say(f"error: {error}")
        context.exit(2)
    _terminal.write("".join(f"{part}\n" for part in [*shown, *_table(proposal, table_format)]))
    for sentence in failed:
        _terminal.say(f"error: {sentence}")
    context.exit(2 if failed else 0)


def _settings(root: Path) -> Settings:
    file = config.find(["."], root)
    return config.load(file, root) if file else Settings(root=root)


def _files(root: Path, *, dry_run: bool) -> tuple[list[str], list[str]]:
    """What was done, in words, and what could not be."""
    shown: list[str] = []
    failed: list[str] = []
    for outcome in outcomes(root):
        match outcome:
            case Write(path, text, append):
                how = "add to" if append else "write"
                if dry_run:
                    shown.append(f"would {how} {path}:\n\n{_indented(text)}")
                    continue
                try:
                    apply(outcome, root)
                except OSError as error:
                    failed.append(f"{path} cannot be written: {error.strerror or error}")
                else:
                    shown.append(f"{'added to' if append else 'wrote'} {path}")
            case ByHand(path, text):
                shown.append(f"add to {path} by hand:\n\n{_indented(text)}")
            case Present(path):
                shown.append(f"{path} knows stepcheck already")
            case Taken(path):
                failed.append(f"{path} is there and says something else: it is left as it is")
    return shown, failed


def _table(proposal: Proposal, table_format: str) -> list[str]:
    if not proposal.steps:
        return ["no function outside of the step tables looks like a call to the outside"]
    text = as_yaml(proposal) if table_format == "yaml" else as_python(proposal)
    more = f"{proposal.more} more functions look like steps; they are proposed once these are in a table"
    return [
        "a first step table, to be read and decided:",
        "",
        text.rstrip("\n"),
        *([more] if proposal.more else []),
    ]


def _indented(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.strip("\r\n").splitlines())
