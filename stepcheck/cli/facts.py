"""`stepcheck facts`: what is believed of each step, function and call of a file, and why."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stepcheck import config, engine
from stepcheck.cli import _terminal
from stepcheck.facts import Unreadable
from stepcheck.settings import Settings, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepcheck.behaviour.reading import Behaviour
    from stepcheck.facts import StepTable
    from stepcheck.facts.seen import Seen

VERSION = 1
"""Of the JSON."""


@click.command("facts", short_help="Show what is believed of each step, function and call.")
@click.argument("path", type=click.Path(path_type=str))
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it is shown.",
)
@click.option("--all", "every", is_flag=True, help="Show calls that hurt nobody, too: logs, plain computing.")
@click.pass_context
def command(context: click.Context, path: str, output_format: str, *, every: bool) -> None:
    """Show what is believed of each step, function and call in the file PATH, and what that rests on.

    The findings of `check` follow from these facts and from nothing else. A call that is taken for something it
    is not can be told about in [tool.stepcheck.calls].

    Exit codes: 0 shown, 2 a mistake in the call or a file that could not be read.
    """
    from stepcheck.cli._facts_text import lines  # noqa: PLC0415 (what facts are is not loaded by other commands)

    cwd = Path.cwd()
    try:
        file = config.find([path], cwd)
        settings = config.load(file, cwd) if file else Settings(root=cwd)
        tables, behaviour = engine.believed(settings, path, cwd=cwd)
    except UsageError as error:
        for line in str(error).splitlines():
            _terminal.say(f"error: {line}")
        context.exit(2)
    except Unreadable as error:
        at = error.unread.span
        _terminal.say(f"error: {at.path}:{at.line}:{at.column}: {error.unread.reason}")
        context.exit(2)
    if output_format == "json":
        _terminal.write(json.dumps(document(path, tables, behaviour), indent=2, ensure_ascii=False) + "\n")
        return
    text = "".join(f"{line}\n" for line in lines(tables, behaviour, harmless=every))
    _terminal.write(text or "nothing is known of this file\n")


def document(path: str, tables: "Sequence[StepTable]", behaviour: "Behaviour | None") -> dict[str, Any]:
    """The same as JSON; facts are the lines of the text, with the function that they are about."""
    from stepcheck.cli._facts_text import fact_line, lines  # noqa: PLC0415

    return {
        "version": VERSION,
        "path": path,
        "tables": list(lines(tables, None)),
        "functions": [_function(one) for one in behaviour.seen] if behaviour else [],
        "not_looked_into": [
            {"name": one.name, "line": one.span.line, "why": f"it {one.spent}"}
            for one in behaviour.functions
            if one.spent
        ]
        if behaviour
        else [],
        "facts": [
            {"function": getattr(fact, "function", None), "text": fact_line(fact)} for fact in behaviour.facts
        ]
        if behaviour
        else [],
    }


def _function(seen: "Seen") -> dict[str, Any]:
    return {
        "name": seen.name,
        "line": seen.span.line,
        "runs": [
            {"role": run.role, "who": run.who, "line": run.span.line, "evidence": run.evidence.value}
            for run in seen.runs
        ],
        "calls": [
            {
                "name": call.name,
                "line": call.span.line,
                "column": call.span.column,
                "deed": call.deed,
                "weak": call.weak,
                "subject": call.subject,
                "states": list(call.states),
                "evidence": call.evidence.value,
                "why": call.why,
                "key": call.key or None,
            }
            for call in seen.calls
        ],
    }
