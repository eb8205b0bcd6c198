"""What runs a function again as a whole: task queues, schedulers and engines, and the options that make them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.imports import usual


@dataclass(frozen=True, slots=True)
class Runner:
    """One of them."""

    name: str
    """For messages: `Celery`."""
    decorators: frozenset[str]
    """Last names of what makes a function one of theirs."""
    packages: frozenset[str]
    """First names of where those come from; empty where only the options tell."""
    switches: tuple[str, ...]
    """Options of which one makes it try again after an exception; empty where it does by itself."""
    only: tuple[str, ...]
    """Options that say after which exceptions."""
    number: tuple[str, ...]
    """Options that say how often."""
    attempts: int
    """In all, the first included, where no number is given; -1 for no end."""
    counts_extra: bool
    """The number is that of retries, not of attempts."""
    redelivers: Mapping[str, frozenset[str]]
    """Options and settings, with the words of values that let a broker give the work out once more."""
    rerun: bool
    """It gives the work out once more whatever the options say."""
    source: str


def runners(qualified: str) -> Iterator[Runner]:
    """Those that a decorator of that name, like `Call.qualified`, may be of: the ones of its package first."""
    name = usual(qualified.removesuffix("()"))
    first, _, rest = name.removeprefix("?").partition(".")
    last = rest.rpartition(".")[2] or first
    fitting = [one for one in _runners() if last in one.decorators]
    yield from (one for one in fitting if first in one.packages)
    if name.startswith("?") or not any(first in one.packages for one in fitting):
        yield from (one for one in fitting if first not in one.packages and (one.switches or one.redelivers))


@cache
def _runners() -> tuple[Runner, ...]:
    table: dict[str, Any] = contents("runners")
    return tuple(_runner(name, written) for name, written in table.items())


def _runner(name: str, written: Mapping[str, Any]) -> Runner:
    return Runner(
        name=name,
        decorators=frozenset(written["decorators"]),
        packages=frozenset(written["packages"]),
        switches=tuple(written.get("switches", ())),
        only=tuple(written.get("only", ())),
        number=tuple(written["number"]),
        attempts=written["attempts"],
        counts_extra=written["counts"] == "extra",
        redelivers={key: frozenset(words) for key, words in written.get("redelivers", {}).items()},
        rerun=written.get("rerun", False),
        source=written["source"],
    )
