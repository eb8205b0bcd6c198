"""How undoing is spelled: which calls undo what, what keeps undos, and which states say that all is undone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words


@dataclass(frozen=True, slots=True)
class _Words:
    groups: Mapping[str, frozenset[str]]
    pairs: Mapping[str, frozenset[str]]


def holds(name: str) -> bool:
    """Whether something of that name (`self._compensations`) holds undos."""
    return bool(_of("holders").intersection(_named(name)))


def generic(name: str) -> bool:
    """Whether a function of that name undoes whatever was done: `compensate`, `saga.roll_back`."""
    found = _named(name)
    return bool(_of("generic").intersection(found)) or found[:2] == ("roll", "back")


def verb(name: str) -> str:
    """The word by which a call of that name undoes one thing (`flights.cancel`), or nothing."""
    found = _named(name)
    return found[0] if found and found[0] in _of("verbs") else ""


def undoes(name: str) -> bool:
    """Whether a call of that name undoes something that was done for somebody."""
    return generic(name) or bool(verb(name))


def additive(name: str) -> bool:
    """Whether an undo of that name moves money or goods, so that one too many does harm."""
    found = _named(name)
    return bool(found) and found[0] in _of("additive") and not conditional(name)


def conditional(name: str) -> bool:
    """Whether an undo of that name looks by itself whether there is something to undo."""
    return bool(_of("conditional").intersection(_named(name)[1:]))


def local(name: str) -> bool:
    """Whether a call of that name only gives back what the process holds."""
    found = _named(name)
    return bool(found) and found[0] in _of("local")


def takes(name: str) -> bool:
    """Whether a call of that name takes something that the process itself holds: `pool.acquire`."""
    found = _named(name)
    return not found or found[0] in _of("takes")


def keeps(name: str) -> bool:
    """Whether a method of that name keeps something for later: `append`."""
    return _last(name) in _of("keeps")


def defers(name: str) -> bool:
    """Whether a method of that name keeps an undo for later: `add_compensation`."""
    return "_".join(_named(name)) in _of("deferred")


def pair(do: str, undo: str) -> bool:
    """Whether by their names the second undoes the first: `cards.charge`, `cards.refund`."""
    done, undone = _named(do), _named(undo)
    return bool(done and undone) and undone[0] in _words().pairs.get(done[0], frozenset())


def same_thing(do: str, undo: str) -> bool:
    """Whether two names may speak of one thing: `create_network` and `delete_machine` do not."""
    made, unmade = _things(do), _things(undo)
    return not made or not unmade or not made.isdisjoint(unmade)


def done(text: str) -> bool:
    """Whether a state, or a name of one (`Status.ROLLED_BACK`), says that all was undone."""
    found = _named(text)
    if _of("failed").intersection(found):
        return False
    spaced = " ".join(found)
    return bool(_of("states").intersection(found)) or any(phrase in spaced for phrase in _of("phrases"))


def fails(name: str) -> bool:
    """Whether something of that name says that an undo failed, or hands it to a person."""
    return bool(_of("failed").intersection(words(name)))


def refunds(name: str) -> bool:
    """Whether some part of a dotted name is one of what moves money or goods back: `stripe.Refund.create`."""
    return any(additive(part.removesuffix("s")) for part in name.split("."))


def _things(name: str) -> frozenset[str]:
    """What a name says that is done to, in the singular, without by what it is found: `network` of
    `delete_network_by_name`."""
    found = _named(name)[1:]
    end = next((place for place, word in enumerate(found) if word in _of("found_by")), len(found))
    return frozenset(word.removesuffix("s") for word in found[:end])


@lru_cache(8192)
def _named(name: str) -> tuple[str, ...]:
    """The words of the last of a dotted name's parts."""
    return words(_last(name))


def _last(name: str) -> str:
    return name.replace("()", "").rpartition(".")[2]


def _of(group: str) -> frozenset[str]:
    return _words().groups[group]


@cache
def _words() -> _Words:
    table = contents("undo")
    pairs = {name: frozenset(some) for name, some in table.pop("pairs").items()}
    return _Words({name: frozenset(some) for name, some in table.items() if name != "source"}, pairs)
