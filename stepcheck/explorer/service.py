"""The other side of a step as it really is, whatever the step table says of it."""

from dataclasses import dataclass
from enum import Enum


class Key(Enum):
    """Which key the call sends."""

    GIVEN = "the executor's"
    NONE = "none"
    FRESH = "a new one at each attempt"
    NUMBERED = "the executor's, with the number of the attempt"


class Reading(Enum):
    """What the call makes of an outcome that nobody knows."""

    HONEST = "it says so"
    SWALLOWED = "it returns as if all was well"
    FAILURE = "it says that nothing happened"


class Match(Enum):
    """What the query asks for."""

    IDENTITY = "the business identity"
    NEIGHBOUR = "something that others have too: it finds what belongs to somebody else"
    WRITES = "it is the write once more"


@dataclass(frozen=True, slots=True)
class Service:
    """One other side. Times are milliseconds."""

    writes: bool = True
    key: Key = Key.GIVEN
    honours_key: bool = False
    window_ms: int | None = None
    """How long a key is remembered; None for ever."""
    stored_errors: bool = False
    """Whether a repeat of a key is given the first answer even if that was a server error."""
    compares_payload: bool = False
    lag_ms: int = 0
    """How far behind a query's answer may be."""
    late_ms: tuple[int, ...] = ()
    """How long after the caller gave up a request may still land."""
    query: Match = Match.IDENTITY
    reading: Reading = Reading.HONEST
    client_retries: int = 0
    """How often the client library sends again by itself when it has no answer."""
    parts: int = 1
    """How many effects one call is to have."""
    bounded: bool = True
    """Whether a call ends at its timeout."""
    down: bool = False
    """Every call is a server error, without an effect."""
    refuses: bool = False
    """Every call is refused: for what comes after a failure."""
    long_output: bool = False


KEYED = Service(honours_key=True)
READER = Service(writes=False)
