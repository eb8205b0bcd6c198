"""Who runs functions: the decorators, calls and classes by which frameworks take them over."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.imports import usual


@dataclass(frozen=True, slots=True)
class Runner:
    """Something that runs functions."""

    role: str
    """`task`, `consumer`, `read`, `route`, `tool`, `step`, `workflow`."""
    who: str
    packages: frozenset[str]
    decorators: frozenset[str]
    anywhere: bool
    """A decorator of that name counts, wherever it comes from."""
    receiver: bool
    """Only where it is an attribute: `app.get`."""
    methods: bool
    """Its `methods` say what it answers; GET without them."""
    takes: Mapping[str, str]
    """Calls that are handed a function, with the keyword; nothing where any will do."""
    source: str


@dataclass(frozen=True, slots=True)
class Known:
    """A runner, and whether its package is known."""

    runner: Runner
    sure: bool


def decorated(qualified: str, dotted: str) -> Known | None:
    """Who runs a function with that decorator, named like `Call.qualified`, and as written."""
    package = _package(qualified)
    candidates = [runner for runner in _runners() if _matches(runner, dotted)]
    for runner in candidates:
        if package in runner.packages:
            return Known(runner, sure=True)
    if package in _table()["no_runners"]:
        return None
    return next((Known(runner, sure=False) for runner in candidates if runner.anywhere), None)


def handed(dotted: str) -> Iterator[tuple[Runner, str]]:
    """Who takes a function over that is given to a call of that name, each with the keyword (nothing: any)."""
    last = dotted.rpartition(".")[2]
    tail = ".".join(dotted.split(".")[-2:])
    for runner in _runners():
        for name in (last, tail) if last != tail else (last,):
            if name in runner.takes:
                yield runner, runner.takes[name]


def words(section: str, name: str) -> frozenset[str]:
    """One of the lists of `class`, `webhook` or `queue`."""
    return frozenset(_table()[section][name])


def polled(name: str) -> str:
    """Whose messages a call of that name fetches, or nothing."""
    found: str = _table()["queue"]["calls"].get(name, "")
    return found


def _matches(runner: Runner, dotted: str) -> bool:
    last = dotted.rpartition(".")[2]
    tail = ".".join(dotted.split(".")[-2:])
    if runner.receiver and "." not in dotted:
        return False
    return last in runner.decorators or tail in runner.decorators


def _package(qualified: str) -> str:
    return usual(qualified).split(".")[0].split("(")[0].lstrip("?:")


@cache
def _runners() -> tuple[Runner, ...]:
    return tuple(
        Runner(
            role=found["role"],
            who=found["who"],
            packages=frozenset(found["packages"]),
            decorators=frozenset(found["decorators"]),
            anywhere=found.get("anywhere", False),
            receiver=found.get("receiver", False),
            methods=found.get("methods", False),
            takes=found.get("takes", {}),
            source=found["source"],
        )
        for found in _table()["runner"]
    )


@cache
def _table() -> dict[str, Any]:
    return contents("roles")
