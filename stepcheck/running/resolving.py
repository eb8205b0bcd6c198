"""A person's word on an inbox item, taken from the command line into the ledger."""

import json
from pathlib import Path

from stepcheck.executor.drivers import World, drive
from stepcheck.executor.inbox import Resolution, ResolutionRefused, Word, resolve_machine
from stepcheck.executor.outputs import NotStorable
from stepcheck.running.refusal import CannotRun
from stepcheck.running.table_run import load

WHAT_FOLLOWS = {
    Resolution.IT_HAPPENED: "it counts as done, and is not sent again",
    Resolution.IT_DID_NOT_HAPPEN: "it may be sent once more, when the task is run again",
    Resolution.ABANDON: "it is given up, and the task with it when it is run again",
    Resolution.COMPENSATE: "its compensation may be sent, when the task is run again",
    Resolution.NO_COMPENSATE: "what it did stays",
}


def say(world: World, word: Word, table: str | None) -> str:
    """Record the word and return, in a sentence, what it leads to. Raises CannotRun where it is refused.

    With a table, `it_did_not_happen` repeats the step's query first, and a query that finds it refuses.
    """
    steps = None if table is None else load(table)
    try:
        drive(resolve_machine(word, steps), world)
    except KeyError as error:
        raise CannotRun(f"{error.args[0]}: 'stepcheck ledger inbox' lists what waits") from None
    except ResolutionRefused as error:
        raise CannotRun(f"refused: {error}; nothing has changed") from None
    except NotStorable as error:
        raise CannotRun(f"refused: {error}") from None
    return f"item {word.item_id} is closed: {WHAT_FOLLOWS[word.resolution]}"


def read_output(path: Path | None, resolution: Resolution) -> object:
    """Return the output a person gives for what happened, None for none. Raises CannotRun."""
    if path is None:
        return None
    if resolution is not Resolution.IT_HAPPENED:
        raise CannotRun(f"--output says what came of a step that happened; '{resolution}' has none")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotRun(f"the output '{path}' cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise CannotRun(f"the output '{path}' is no JSON: {error}") from None
