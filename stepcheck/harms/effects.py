"""The outside world of an example: what happened in it, under which keys, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stepcheck.catalogue import keys, undo
from stepcheck.demo import short
from stepcheck.harms.drawn import meant
from stepcheck.harms.thing import shortened, text_of


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked to be done."""

    name: str
    """The call as it is written: `bank.transfer`."""
    about: str
    """Its arguments as the other side sees them."""
    key: str
    """Nothing where none is sent."""
    repeatable: bool = False
    """A second one leaves everything as it is: a PUT."""
    undoes: bool = False
    """It takes something back."""

    @property
    def shown(self) -> str:
        """The name for stories: of a row's method without the row's table."""
        return self.name.partition(":")[2] or self.name

    @property
    def called(self) -> str:
        """The call for stories, with its key."""
        about = f" ({shortened(self.about)})" if self.about else ""
        return f"'{self.shown}'{about}" + (f" with the key '{short(self.key)}'" if self.key else "")

    @property
    def told(self) -> str:
        """The call for those who know what a call looks like."""
        return f"{self.shown}({shortened(self.about)})"

    @property
    def meant(self) -> str:
        """What is wanted, without what differs from try to try."""
        return meant(f"{self.shown}({self.about})")


@dataclass(slots=True)
class World:
    """The other side: it honours keys, and does whatever else it is asked as often as it is asked."""

    effects: list[Request] = field(default_factory=list)
    """In the order in which they happened."""
    undone: list[Request] = field(default_factory=list)
    """Effects that were taken back."""
    removed: list[Request] = field(default_factory=list)
    """Effects that were deleted before they were done once more."""
    undos: list[tuple[Request, Request | None]] = field(default_factory=list)
    """Calls that take something back, with the effect they met."""
    acknowledged: list[Request] = field(default_factory=list)
    """Requests whose sender was told that they are done."""
    under_way: list[Request] = field(default_factory=list)
    """Sent, and not there yet."""
    refused: list[Request] = field(default_factory=list)
    """Refused because their key had come with another body before."""
    begun: int = 0
    """How many effects there were when the step began."""
    half: str = ""
    """What was asked for when something else of the step had happened already, and never came."""
    asked: list[Request] = field(default_factory=list)
    """All that was asked for, whatever came of it."""
    sends: int = 0
    unwinds: bool = False
    """The example takes back all that it has noted when something fails."""
    undoing: frozenset[str] = frozenset()
    """Names of calls that take something back."""

    def land(self, request: Request) -> bool:
        """Do what is asked. False where it is refused: the key is known, and the body another one."""
        if request.key:
            for before in self.effects:
                if before.key == request.key and before.name == request.name:
                    if before.about != request.about and before.meant == request.meant:
                        self.refused.append(request)
                        return False
                    return True
        if request.repeatable and any(one.meant == request.meant for one in self.effects):
            return True
        if request.undoes:
            self._undo(request)
        self.effects.append(request)
        return True

    def _undo(self, request: Request) -> None:
        met = [one for one in self.forward() if takes_back(request, one)]
        fresh = [one for one in met if one not in self.undone]
        self.undone += fresh[-1:]
        if undo.additive(request.name.rpartition(".")[2]):
            self.undos.append((request, met[-1] if met else None))
            return
        # Whoever can be told to take something back remembers that, and does not begin it afterwards.
        never = [one for one in self.under_way if takes_back(request, one)]
        self.under_way = [one for one in self.under_way if one not in never]
        taken = met or never
        self.undos.append((request, taken[-1] if taken else None))

    def forward(self) -> list[Request]:
        """The effects that are not there to take others back."""
        return [one for one in self.effects if not one.undoes]

    def arrive(self) -> list[Request]:
        """What was under way is there; give what has come to something by that."""
        before = len(self.effects)
        for request in self.under_way:
            self.land(request)
        self.under_way.clear()
        return self.effects[before:]

    def knows(self) -> bool:
        """Whether anything that was asked for is there, which is what a query tells."""
        return any(one not in self.undone for one in self.forward())


def takes_back(undoing: Request, done: Request) -> bool:
    """Whether a call takes back what another did: they are of one object, or speak of the same."""
    if done.undoes:
        return False
    same = undoing.name.rpartition(".")[0] == done.name.rpartition(".")[0] != ""
    shared = set(undoing.about.split(", ")) & set(done.about.split(", "))
    if "[" in undoing.name:
        return same
    first = done.about.partition(", ")[0]
    if first.startswith("/") and undoing.about.startswith(first):
        return True
    return bool(shared) or f"answer of {done.name}" in undoing.about


def request(
    name: str,
    args: tuple[Any, ...],
    words: Mapping[str, Any],
    *,
    repeatable: bool = False,
    undoes: bool = False,
) -> Request:
    """What a call asks for; its key apart from what it is about."""
    key = ""
    about = [text_of(one) for one in args]
    for word, value in words.items():
        if keys.names_key(word) or word == "key":
            key = text_of(value)
            continue
        if word == "headers" and isinstance(value, dict):
            found = [text_of(one) for header, one in value.items() if keys.names_key(str(header))]
            key = found[0] if found else key
            continue
        if word not in ("timeout", "headers"):
            about.append(text_of(value))
    return Request(name, ", ".join(about), "" if key == "None" else key, repeatable, undoes)
