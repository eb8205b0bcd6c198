"""What the commands of `stepcheck ledger` share: options, and how a ledger is opened and errors are told."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stepcheck.cli import _terminal

if TYPE_CHECKING:
    from stepcheck.executor.drivers import World

F = TypeVar("F", bound=Callable[..., Any])

LEDGER = click.option(
    "--ledger",
    default=".stepcheck/ledger.db",
    show_default=True,
    metavar="PATH|URL",
    help="The ledger: a SQLite file, or a postgresql:// URL.",
)
TASK = click.option("--task", metavar="ID", help="This task only.")
FORMAT = click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def options(*given: Callable[[F], F]) -> Callable[[F], F]:
    """Give a command these options, in that order."""

    def add(function: F) -> F:
        for option in reversed(given):
            function = option(function)
        return function

    return add


@contextlib.contextmanager
def opened(place: str) -> Iterator["World"]:
    """Open a ledger that is there; every error ends the command with one sentence and code 2."""
    from stepcheck.running.places import ledger_that_is_there  # noqa: PLC0415 (only these commands need it)
    from stepcheck.running.refusal import CannotRun  # noqa: PLC0415

    context = click.get_current_context()
    try:
        with _terminal.prints_beside_the_output(), ledger_that_is_there(place) as world:
            yield world
    except CannotRun as error:
        for line in str(error).splitlines():
            _terminal.say(f"error: {line}")
        context.exit(2)
    except KeyboardInterrupt:
        context.exit(130)
    except Exception as error:  # a mistake of ours must not look like an answer
        _terminal.tell("", error, traceback=bool(os.environ.get("STEPCHECK_TRACEBACK")))
        context.exit(2)


def show(output_format: str, as_json: Callable[[], str], as_lines: Callable[[], Iterator[str]]) -> None:
    """Put out the one or the other."""
    text = as_json() if output_format == "json" else "".join(f"{line}\n" for line in as_lines())
    _terminal.write(text, machine=output_format == "json")
