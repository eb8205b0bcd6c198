"""What the name of an object suggests that its methods reach: the outside, rows of our own, or nothing."""

from functools import cache, lru_cache
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words


def client(name: str) -> bool:
    """Whether something of that name (`self.payment_gateway`) speaks with the outside, by its last name's words."""
    return bool(_of("clients").intersection(_words(name)))


@lru_cache(8192)
def acts_outside(name: str) -> bool:
    """Whether verbs on something of that name leave the process: it speaks with the outside, by more than HTTP."""
    telling = _of("clients") - _of("http_only")
    return any(telling.intersection(words(segment)) for segment in name.replace("()", "").split("."))


def stands_for(name: str) -> str:
    """What an object of that name probably is, like the beginning of `Call.qualified`: `redis.Redis`; or nothing."""
    table: dict[str, str] = _table()["stands_for"]
    return next((table[word] for word in _words(name) if word in table), "")


def store(name: str) -> bool:
    """Whether something of that name holds rows of our own."""
    return bool(_of("stores").intersection(_words(name)))


def ledger(name: str) -> bool:
    """Whether something of that name keeps what happened: whatever is given to it is noted there."""
    return bool(_of("ledgers").intersection(_words(name)))


def plumbing(name: str) -> bool:
    """Whether something of that name stays inside the process, by the last of its words, or is the wire itself."""
    found = _words(name)
    return bool(found) and (found[-1] in _of("plumbing") or wire(name))


def wire(name: str) -> bool:
    """Whether something of that name is a socket or a signal: `send` on it is no message to anybody."""
    return bool(_of("wires").intersection(words(name)))


def model(name: str) -> bool:
    """Whether something of that name asks a language model."""
    return bool(_of("models").intersection(_words(name)))


@lru_cache(8192)
def _words(name: str) -> tuple[str, ...]:
    return words(name.replace("()", "").rpartition(".")[2])


@cache
def _of(group: str) -> frozenset[str]:
    return frozenset(_table()[group])


@cache
def _table() -> dict[str, Any]:
    return contents("receivers")
