"""`stepcheck ledger`: the log, the inbox and the check of what is kept beside the log."""

import json
from pathlib import Path
from typing import Any

import click

from stepcheck.cli._ledger import FORMAT, LEDGER, TASK, opened, options, show

RESOLUTIONS = ["it_happened", "it_did_not_happen", "abandon", "compensate", "no_compensate"]


@click.group("ledger")
def command() -> None:
    """Read what a run recorded, and say what a person found out.

    Exit codes: 0 done, 1 'verify' found a difference, 2 a mistake in the call, no such ledger, or a
    resolution that is refused.
    """


@command.command("log", short_help="Show every event, in the order written.")
@options(LEDGER, TASK, FORMAT)
def log(ledger: str, task: str | None, output_format: str) -> None:
    """Show every event, in the order written; JSON has its digests in full, and times in milliseconds."""
    from stepcheck.running import contents, listing  # noqa: PLC0415 (only these commands need the executor)

    with opened(ledger) as world:
        found = contents.events(world.ledger, task)
    show(output_format, lambda: listing.log_json(found), lambda: listing.log_text(found))


@command.command("inbox", short_help="Show what waits for a person, and what can be said of it.")
@options(LEDGER, TASK, FORMAT)
@click.option("--all", "resolved", is_flag=True, help="Show what was resolved, too.")
def inbox(ledger: str, task: str | None, output_format: str, resolved: bool) -> None:
    """Show what waits for a person, why, and the command for each thing that can be said of it."""
    from stepcheck.running import contents, listing  # noqa: PLC0415

    with opened(ledger) as world:
        found = contents.inbox(world.ledger, task, resolved=resolved)
    show(output_format, lambda: listing.inbox_json(found, ledger), lambda: listing.inbox_text(found, ledger))


@command.command("tasks")
@options(LEDGER, FORMAT)
def tasks(ledger: str, output_format: str) -> None:
    """Show every task: its status, its steps, what waits."""
    from stepcheck.running import contents, listing  # noqa: PLC0415

    with opened(ledger) as world:
        found = contents.tasks(world.ledger)
    show(output_format, lambda: listing.tasks_json(found), lambda: listing.tasks_text(found))


@command.command("resolve", short_help="Record what a person found out about an ITEM.")
@click.argument("item", type=int)
@click.argument("resolution", type=click.Choice(RESOLUTIONS))
@click.option("--by", required=True, metavar="NAME", help="Who says so.")
@click.option("--evidence", required=True, metavar="TEXT", help="What shows it.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE.json",
    help="What came of a step that happened.",
)
@click.option("--table", metavar="FILE[:TABLE]", help="Repeat the step's query before it may be sent again.")
@options(LEDGER, FORMAT)
def resolve(item: int, ledger: str, output_format: str, **word: Any) -> None:
    """Record what a person found out about an inbox ITEM; nothing is sent. Run the task again afterwards."""
    from stepcheck.executor.inbox import Resolution, Word  # noqa: PLC0415
    from stepcheck.running import resolving  # noqa: PLC0415

    with opened(ledger) as world:
        said = Resolution(word["resolution"])
        output = resolving.read_output(word["output"], said)
        told = resolving.say(world, Word(item, said, word["by"], word["evidence"], output), word["table"])
    value = {"version": 1, "item": item, "resolution": str(said), "by": word["by"], "follows": told}
    show(output_format, lambda: json.dumps(value, indent=2, ensure_ascii=False) + "\n", lambda: iter([told]))


@command.command("verify", short_help="Fold the log anew, and tell every difference.")
@options(LEDGER, TASK, FORMAT)
@click.option("--mend", is_flag=True, help="Rebuild what differs from the log; the log is never changed.")
@click.pass_context
def verify(context: click.Context, ledger: str, task: str | None, output_format: str, mend: bool) -> None:
    """Fold the log anew, and compare projection, inbox and snapshots with it. 1 where they differ."""
    from stepcheck.running import contents  # noqa: PLC0415

    with opened(ledger) as world:
        found = contents.check(world.ledger, task, mend=mend)
    count = f"{found.tasks} {'task' if found.tasks == 1 else 'tasks'} compared with the log: "
    ends = "difference" if len(found.wrong) == 1 else "differences"
    last = count + (f"{len(found.wrong)} {ends}" if found.wrong else "no difference")
    value = {"version": 1, "tasks": found.tasks, "differences": found.wrong}
    show(output_format, lambda: json.dumps(value, indent=2) + "\n", lambda: iter([*found.wrong, last]))
    context.exit(1 if found.wrong else 0)


@command.command("snapshot", short_help="Keep what each task's log comes to, as a cache.")
@options(LEDGER, TASK, FORMAT)
def snapshot(ledger: str, task: str | None, output_format: str) -> None:
    """Fold each task's log and keep the result, a cache that `verify` compares with the log."""
    from stepcheck.running import contents  # noqa: PLC0415

    with opened(ledger) as world:
        made = contents.snapshot(world.ledger, task)
    value = {"version": 1, "snapshots": [{"task": name, "upto_event": upto} for name, upto in made]}
    lines = [f"task '{name}': up to event {upto}" for name, upto in made]
    show(output_format, lambda: json.dumps(value, indent=2, ensure_ascii=False) + "\n", lambda: iter(lines))
