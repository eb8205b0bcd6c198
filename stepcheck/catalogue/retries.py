"""What begins things again: retry libraries, clients that retry by themselves, and the policies they take."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.http import REPEATED_BY_URLLIB3, VERBS
from stepcheck.catalogue.imports import usual
from stepcheck.facts import Outcome

ENDLESS: Final = -1
"""The number of attempts of what never gives up."""


@dataclass(frozen=True, slots=True)
class Retrier:
    """A decorator, an iterable or a helper that runs code again."""

    library: str
    names: tuple[str, ...]
    """Like `Call.qualified`."""
    attempts: int
    """In all, the first included, when nothing is configured; `ENDLESS` for no end."""
    seconds: int | None
    """The time after which it gives up when nothing is configured."""
    bounds: tuple[str, ...]
    """Arguments that say how many."""
    seconds_by: tuple[str, ...]
    """Arguments that say how long."""
    retries: tuple[str, ...]
    """Arguments that say after which exceptions; without them, after every one."""
    position: int | None
    """Where the first of `retries` may stand without its name."""
    required: bool
    """One of `retries` is always given."""
    counts_extra: bool
    """The number is that of retries, not of attempts."""
    unbounded: tuple[str, ...]
    """What as a value of a bound takes the end away: a name, or a literal as written."""
    stops_attempts: tuple[str, ...]
    """Calls given as a bound whose first argument is the number of attempts."""
    stops_seconds: tuple[str, ...]
    only: tuple[str, ...]
    """Calls given as one of `retries` whose first argument has the exceptions."""
    but: tuple[str, ...]
    """Those whose first argument has the exceptions left out."""
    source: str


@dataclass(frozen=True, slots=True)
class Client:
    """A client that sends again by itself."""

    name: str
    constructors: tuple[str, ...]
    """What takes the option, like `Call.qualified`."""
    attempts: int
    """In all, when nothing is configured; 1 for no retry, `ENDLESS` for no end that counts."""
    seconds: int | None
    verbs: frozenset[str] | None
    """The methods that it repeats; None for all."""
    after: Outcome
    """What is known, at the worst, of a try when the next one is made."""
    same_key: bool
    """All tries of one call bear one key of the client's own, or are dropped by the server: a repeat is safe."""
    option: str
    """The argument that says how many, or nothing."""
    counts_extra: bool
    opens: tuple[str, ...]
    """Arguments that, when true, make it retry after more."""
    off: str
    """How it is switched off."""
    note: str
    source: str

    @property
    def repeats_writes(self) -> bool:
        """It may send a POST twice, by default, with an effect each time."""
        verbs = VERBS if self.verbs is None else self.verbs
        return self.attempts != 1 and "POST" in verbs and self.after is Outcome.UNKNOWN and not self.same_key


def retrier(qualified: str) -> Retrier | None:
    """What is known of a retrier by one of its names."""
    return retriers().get(usual(qualified))


@cache
def retriers() -> Mapping[str, Retrier]:
    """Every retrier by each of its names."""
    return {
        name: found
        for found in (_retrier(*item) for item in _table("retriers").items())
        for name in found.names
    }


def client(name: str) -> Client | None:
    """What is known of a client by its name (`CallFact.client`)."""
    return clients().get(name)


@cache
def clients() -> Mapping[str, Client]:
    """Every client by its name."""
    return {name: _client(name, written) for name, written in _table("clients").items()}


def made_by(qualified: str) -> Client | None:
    """The client that a constructor makes or configures: `requests.adapters.HTTPAdapter`."""
    name = usual(qualified).removesuffix("()")
    return next((found for found in clients().values() if name in found.constructors), None)


def _retrier(library: str, written: Mapping[str, Any]) -> Retrier:
    return Retrier(
        library=library,
        names=tuple(written["names"]),
        attempts=written["attempts"],
        seconds=written.get("seconds"),
        bounds=tuple(written.get("bounds", ())),
        seconds_by=tuple(written.get("seconds_by", ())),
        retries=tuple(written["retries"]),
        position=written.get("position"),
        required=written.get("required", False),
        counts_extra=written["counts"] == "extra",
        unbounded=tuple(written.get("unbounded", ())),
        stops_attempts=tuple(written.get("stops", {}).get("attempts", ())),
        stops_seconds=tuple(written.get("stops", {}).get("seconds", ())),
        only=tuple(written.get("only", ())),
        but=tuple(written.get("but", ())),
        source=written["source"],
    )


def _client(name: str, written: Mapping[str, Any]) -> Client:
    verbs = written["verbs"]
    after = {"unknown": Outcome.UNKNOWN, "refused": Outcome.REFUSED, "not_sent": Outcome.NOT_SENT}
    return Client(
        name=name,
        constructors=tuple(written.get("constructors", ())),
        attempts=written["attempts"],
        seconds=written.get("seconds"),
        verbs=None if verbs == "all" else REPEATED_BY_URLLIB3 if verbs == "idempotent" else frozenset(verbs),
        after=after[written["after"]],
        same_key=written.get("same_key", False),
        option=written.get("option", ""),
        counts_extra=written.get("counts", "total") == "extra",
        opens=tuple(written.get("opens", ())),
        off=written["off"],
        note=written.get("note", ""),
        source=written["source"],
    )


@cache
def _table(name: str) -> dict[str, Any]:
    return contents(name)
