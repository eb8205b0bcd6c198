"""What the name of an object suggests that its methods reach: the outside, rows of our own, or nothing."""

import tomllib
from functools import cache
from pathlib import Path

from stepcheck.catalogue.names import words


def client(name: str) -> bool:
    """Whether something of that name (`self.payment_gateway`) speaks with the outside, by its last name's words."""
    return bool(_of("clients").intersection(_words(name)))


def acts_outside(name: str) -> bool:
    """Whether verbs on something of that name leave the process: it speaks with the outside, by more than HTTP."""
    return bool(_of("clients").intersection(_words(name)) - _of("http_only"))


def store(name: str) -> bool:
    """Whether something of that name holds rows of our own."""
    return bool(_of("stores").intersection(_words(name)))


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


def _words(name: str) -> tuple[str, ...]:
    return words(name.replace("()", "").rpartition(".")[2])


@cache
def _of(group: str) -> frozenset[str]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return frozenset(table[group])
