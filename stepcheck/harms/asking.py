"""Asking the other side something: whether a thing is there, what came since, and what comes piece by piece."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stepcheck.catalogue.names import words
from stepcheck.harms.answer import Answer
from stepcheck.harms.outside import Idle
from stepcheck.harms.thing import Thing, name_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

_FINDS = ("find", "query", "exists", "search", "has_", "is_", "lookup")
"""How the names of calls begin that ask whether something is there."""
_PERSON = frozenset({"person", "human", "operator"})
_GETS = ("get", "request", "head")


def ask(process: "Process", name: str, args: tuple[Any, ...]) -> Any:
    """Ask the other side; a search gives nothing where nothing happened, a GET a 404.

    A GET of an address that was handed in as a whole fetches what is there.
    """
    process.moment(f"before '{name}'")
    last = name.rpartition(".")[2]
    there = process.world.knows() or process.had_happened
    whole = last in _GETS and len(args) == 1 and name_of(args[0]) in process.local
    if whole or (last not in _GETS and not last.startswith(_FINDS)):
        asked = "It hands it to a person, by" if _PERSON.intersection(words(last)) else "It asks"
        process.outside.sends(f"{asked} '{name}'", name, "an answer")
        return Answer(process, name, 200)
    answer = "it is there" if there else "nothing is there"
    process.outside.sends(f"It asks '{name}': {answer}", name, answer)
    if last in _GETS:
        return Answer(process, name, 200 if there else 404, there)
    return Answer(process, name, 200) if there else None


def read_on(process: "Process", name: str, position: object) -> list[dict[str, int]]:
    """The events behind a position; where there are none, the program waits, and the run is over."""
    process.moment(f"before '{name}'")
    found = [{"id": number} for number in range(2) if not isinstance(position, int) or number >= position]
    if not found:
        raise Idle
    told = f"It asks '{name}' for what comes from {position} on: {len(found)} events"
    process.outside.sends(told, f"{name} from {position}", f"{len(found)} events")
    return found


def pieces(process: "Process", name: str) -> Iterator[Thing]:
    """What comes piece by piece; the line can break in between."""
    process.outside.sends(f"It reads '{name}'", name, "the first piece")
    yield Thing(process, "the first piece")
    if process.pick(["nothing", "the line breaks"]) != "nothing":
        process.outside.strike("the line breaks")
        process.outside.sends("The line breaks", name, "the line breaks", answered=False)
        raise ConnectionError(name)
    yield Thing(process, "the second piece")
