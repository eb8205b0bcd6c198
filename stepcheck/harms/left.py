"""What a run leaves open, and who can see that: told where a good twin ends without an answer."""

from collections.abc import Iterator, Sequence

from stepcheck.catalogue.conclusions import Ended, of_state
from stepcheck.catalogue.names import words
from stepcheck.harms.judge import UNDER_WAY
from stepcheck.harms.life import End
from stepcheck.harms.outside import Outside
from stepcheck.harms.recorded import named, only_sought
from stepcheck.harms.situations import Situation
from stepcheck.harms.store import ADDED
from stepcheck.harms.thing import text_of

_BEGUN = UNDER_WAY | {"requested"}


def left(situation: Situation, outside: Outside, ends: Sequence[End]) -> str:
    """Return a sentence of what is open at the end, and where that can be seen; nothing where nothing is."""
    failed = [end for end in ends if not end.returned] if situation is Situation.TOGETHER else ends[-1:]
    error = next((end.error for end in failed if end.kind == "raised" and not end.definite), "")
    stopped = bool(failed) and not failed[0].returned
    said = next(_states(outside), None)
    where = next(_rows(outside), "")
    if stopped and (said or where) and situation is Situation.RECOVERED:
        row = f"'{said[0]}' says '{said[1]}'" if said else f"'{where}' has it on record"
        return f"It is not begun again, as {row}: a person can ask whether it happened"
    if said:
        return f"It is left open, and '{said[0]}' says so ('{said[1]}'): whoever looks there can find out"
    if not error:
        return ""
    if outside.handed:
        return f"Its reader is told with {error} that the rest is missing"
    if "human" in words(error):
        return f"It is left to a person: its caller gets {error}"
    world = outside.world
    if not world.asked or (world.undone and all(one in world.undone for one in world.forward())):
        return ""
    if where:
        return f"It is left open, and '{where}' has it on record: whoever looks there can find out"
    who = "broker" if situation is Situation.TRIED else "caller"
    return f"It is left open: its {who} gets {error}, which says neither that it happened nor that it did not"


def _states(outside: Outside) -> Iterator[tuple[str, str]]:
    """Rows that say that nobody knows yet, or that a person has to look, each with the word."""
    for table, key, row in outside.store.every():
        for value in row.values():
            text = text_of(value) if isinstance(value, str) else ""
            if text in _BEGUN or of_state(text) is Ended.UNCERTAIN or "human" in words(text):
                yield named(table, key), text


def _rows(outside: Outside) -> Iterator[str]:
    """Rows that were made in this run."""
    for table, key, row in outside.store.every():
        if row and table != ADDED and not only_sought(outside.store, table, key, row):
            yield named(table, key)
