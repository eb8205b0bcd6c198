"""One process that runs an example: its memory, and the moments at which something can go wrong in it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from stepcheck.catalogue import names
from stepcheck.catalogue.conclusions import Ended, of_state
from stepcheck.harms import deeds, objects, rows
from stepcheck.harms.effects import Request
from stepcheck.harms.errors import Errors
from stepcheck.harms.outside import Crash, Outside
from stepcheck.harms.prepared import Prepared
from stepcheck.harms.queries import Method, Query, RowThing
from stepcheck.harms.sending import SMOOTH
from stepcheck.harms.thing import Thing, name_of, text_of

_BEGUN = frozenset({"tool_call", "tool_use", "call"})
"""Kinds of records that say that something was called, and nothing of what became of it."""
_OF_CALL = frozenset({"tool_call_id", "call_id", "tool_use_id"})
"""What is another one each time a model calls a tool."""


@dataclass(frozen=True, slots=True)
class Life:
    """How a process begins what the example does."""

    texts: tuple[str, ...] = ()
    """Texts of the arguments, in turn."""
    again: str = ""
    """How it is told that it is begun again; empty for the first time."""
    model: bool = False
    """A model fills in what it likes: flags, and names of calls."""
    uncertain: bool = False
    """It is found as uncertain: what is sent had happened, what is taken back had not."""
    mortal: bool = True
    """The process can be killed."""
    undone: bool = False
    """What its class does first is done before."""
    calls: int = 1
    """How often it is called: each time it is wanted."""
    other: Callable[[], None] | None = None
    """Another process that may begin in between."""


class Process:
    """One life of the program."""

    def __init__(self, prepared: Prepared, outside: Outside, life: Life) -> None:
        self.prepared, self.outside, self.life = prepared, outside, life
        self.world, self.store = outside.world, outside.store
        self.errors = Errors(prepared.code.handled, prepared.code.raised)
        self.standins: Mapping[str, Any] = {}
        self.undoing = False
        """Whether all that is done now is there to take something back."""
        self.pending: list[Thing] = []
        """Objects that the next commit makes rows of."""
        self.memory: dict[tuple[str, str], Any] = {}
        """Fields of objects, by the object's name and their own."""
        self.local: set[str] = set()
        """Names of the objects of this process: what is put into them is gone with it."""
        self.inserted: list[Request] = []
        """What was inserted, and not committed."""
        self.bounded: set[str] = set()
        """Clients that were made with a timeout."""
        self.tries: dict[str, int] = {}
        """How often a client sends a request by itself, by the client's name, where more than once."""
        self.aborts: list[str] = []
        """Classes of exceptions in which a database aborts a commit."""
        self.dead = False
        """Whether it is gone: what it would still do, in a `finally`, it does no more."""
        self._calm = False
        self._other = life.other

    @property
    def had_happened(self) -> bool:
        """Whether what is found as uncertain was done: where it may be taken back, it was not."""
        return self.life.uncertain and not self.prepared.undoing

    def thing(self, name: str) -> Any:
        """What a name stands for that is nowhere defined."""
        return self.standins[name] if name in self.standins else Thing(self, name)

    def local_thing(self, name: str, text: str = "") -> Thing:
        """An argument, or an object that is made here."""
        self.local.add(name)
        return Thing(self, name, text)

    # What things ask.

    def field(self, thing: Thing, name: str) -> Any:
        """A field of a thing: what was put there, what its row says, or one more thing."""
        if isinstance(thing, Query):
            return Method(self, f"{name_of(thing)}.{name}", thing)
        if name in _OF_CALL and self.prepared.role == "tool":
            return self.outside.drawing.text()
        at = name_of(thing), name
        if at in self.memory:
            return self.memory[at]
        row = objects.row_of(self, thing)
        if row is not None and name in row:
            return row[name]
        if isinstance(thing, RowThing) and name in ("pk", "id"):
            return thing.row_key
        item = name.startswith("[")
        whole = f"{name_of(thing)}{name}" if item else f"{name_of(thing)}.{name}"
        if whole in self.standins:
            return self.standins[whole]
        text = (
            f"{name} of {thing}"
            if str(thing).isdigit()
            else f"{thing}.{name}"
            if str(thing) != name_of(thing) and not item
            else ""
        )
        return Thing(self, whole, text)

    def put(self, thing: Thing, name: str, value: Any) -> None:
        """Put something into a thing: into an object, or straight into what outlives the process."""
        own = name_of(thing).partition(".")[0] in self.local
        if own or names.tells_state(name) or objects.row_of(self, thing):
            self.memory[name_of(thing), name] = value
            return
        self.moment(f"before {thing}[{name}] is stored")
        self.store.rows(name_of(thing))[name] = {"value0": value}
        self.outside.writes(f"It stores {text_of(value)} in '{thing}' under {name}", f"{thing}: {name}")

    def holds(self, thing: Thing, key: Any) -> bool:
        """Whether something is in a thing."""
        return text_of(key) in self.store.rows(name_of(thing))

    def items(self, thing: Thing) -> list[Any]:
        """What a thing holds: a query its rows, everything else two things."""
        if isinstance(thing, Query):
            return rows.read(self, thing)
        names = [f"{name_of(thing)}[{number}]" for number in (0, 1)]
        return [
            Thing(self, name, "" if str(thing) == name_of(thing) else f"{thing}{name[-3:]}") for name in names
        ]

    def equals(self, thing: Thing, other: object) -> bool:
        """Whether a thing is equal to something: by its text; what is found as uncertain is said to be so."""
        if self.life.uncertain and isinstance(other, str):
            unknown = of_state(other) is Ended.UNCERTAIN or other in _BEGUN
            return unknown or text_of(thing) == other
        return text_of(thing) == text_of(other)

    def call(self, thing: Thing, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        """Call a thing that was handed on: what it is for is told by its name."""
        return deeds.do(self, self.prepared.sites.named(name_of(thing)), thing, args, words)

    # What the code does.

    def called(self, number: int, callee: Any, /, *args: Any, **words: Any) -> Any:
        """Every call of the example comes here; `number` tells which one it is."""
        if isinstance(callee, Thing):
            return deeds.do(self, self.prepared.site(number), callee, args, words)
        if callee is dict and args and isinstance(args[0], Thing):
            return {"body": text_of(args[0]), **words}
        if callee is str and args and isinstance(args[0], Thing):
            return text_of(args[0])
        return callee(*args, **words)

    # What can go wrong.

    def pick(self, ways: list[str]) -> str:
        """Take one of the ways it can go; the first is that all is well."""
        return ways[0] if self._calm else self.outside.schedule.pick(ways)

    @contextmanager
    def calm(self) -> Iterator[None]:
        """Nothing goes wrong in here."""
        self._calm, before = True, self._calm
        yield
        self._calm = before

    def moment(self, where: str) -> None:
        """Something can happen between two operations: the process dies, or another one does the same."""
        other = self._other
        way = self.pick([SMOOTH, *(["crash"] if self.life.mortal else []), *(["other"] if other else [])])
        if way == "crash":
            self.outside.strike("crash")
            self.outside.note(f"The process is killed {where}", "is killed")
            self.dead = True
            raise Crash
        if way == "other" and other is not None:
            self._other = None
            self.outside.strike("two at once")
            self.outside.say(f"{where[0].upper()}{where[1:]} another process begins the same")
            other()
