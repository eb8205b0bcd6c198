"""`stepcheck run`: run a table's steps in order on the reference executor."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stepcheck.cli import _terminal

if TYPE_CHECKING:
    from stepcheck.running.progress import Watch
    from stepcheck.running.table_run import Asked


@click.command("run", short_help="Run the steps of a table, each recorded before it is sent.")
@click.argument("table", metavar="FILE[:TABLE]")
@click.option(
    "--task", "task_id", required=True, metavar="ID", help="The task: the same id carries the same task on."
)
@click.option(
    "--ledger",
    default=".stepcheck/ledger.db",
    show_default=True,
    metavar="PATH|URL",
    help="Where the task is recorded: a SQLite file, or a postgresql:// URL.",
)
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    metavar="FILE.json",
    help="An object from each step's name to its params; without it every step gets {}.",
)
@click.option(
    "--allow-volatile", is_flag=True, help="Run although the ledger's storage forgets when power is lost."
)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(context: click.Context, /, output_format: str, **given: Any) -> None:
    """Run the steps of a table in order, each recorded before it is sent.

    FILE is Python, or YAML, TOML or JSON with dotted paths; its callables are imported and called: run only
    what you would run anyway. The same command run again goes on where the task stands: what is done is not
    sent again, what is uncertain is queried first. A step that is the compensation of another is run only to
    make up for it. What steps print goes to the standard error.

    Exit codes: 0 all done, 2 a mistake in the call, the table or the params, or a ledger that cannot be used,
    4 something waits for a person, 5 failed, compensated or given up, 130 interrupted.
    """
    from stepcheck.running import progress  # noqa: PLC0415 (only this command needs the executor)
    from stepcheck.running.table_run import Asked  # noqa: PLC0415

    seen = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    watch = progress.on_terminal(sys.stderr, _terminal.width()) if seen else progress.unseen
    context.exit(_run(Asked(**given), watch, output_format))


def _run(asked: "Asked", watch: "Watch", output_format: str) -> int:
    from stepcheck.running import progress, shown  # noqa: PLC0415
    from stepcheck.running.refusal import CannotRun  # noqa: PLC0415
    from stepcheck.running.table_run import run_table  # noqa: PLC0415

    again = "run the same command again: what was being called is settled first"
    try:
        # What a step prints must not stand in the middle of the result.
        with _terminal.prints_beside_the_output():
            standing = run_table(asked, watch)
    except CannotRun as error:
        for line in str(error).splitlines():
            _terminal.say(f"error: {line}")
        return 2
    except KeyboardInterrupt:
        _terminal.say(f"interrupted; {again}")
        return 130
    except SystemExit:
        _terminal.say(f"error: a step ended the process; {again}")
        return 2
    except Exception as error:  # a mistake of ours must not look like an outcome
        _terminal.tell("", error, traceback=bool(os.environ.get("STEPCHECK_TRACEBACK")))
        return 2
    finally:
        if watch is not progress.unseen:
            sys.stderr.write(progress.CLEAR)
            sys.stderr.flush()
    lines = shown.as_text(standing)
    text = shown.as_json(standing) if output_format == "json" else "".join(f"{line}\n" for line in lines)
    _terminal.write(text, machine=output_format == "json")
    return standing.code
