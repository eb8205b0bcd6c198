"""What the name of an object suggests that its methods reach: the outside, rows of our own, or nothing."""

import tomllib
from functools import cache
from pathlib import Path

from stepcheck.catalogue.names import words


def client(name: str) -> bool:
    """Whether something of that name (`self.payment_gateway`) speaks with the outside, by its last name's words."""
    return bool(_of("clients").intersection(_words(name)))


def store(name: str) -> bool:
    """Whether something of that name holds rows of our own."""
    return bool(_of("stores").intersection(_words(name)))


def plumbing(name: str) -> bool:
    """Whether something of that name stays inside the process, by the last of its words."""
    found = _words(name)
    return bool(found) and found[-1] in _of("plumbing")


def model(name: str) -> bool:
    """Whether something of that name asks a language model."""
    return bool(_of("models").intersection(_words(name)))


def _words(name: str) -> tuple[str, ...]:
    return words(name.replace("()", "").rpartition(".")[2])


@cache
def _of(group: str) -> frozenset[str]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return frozenset(table[group])
