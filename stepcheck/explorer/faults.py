"""What can go wrong at an operation, as data: each fault costs one, doing as it should costs nothing."""

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """One kind of thing that can go wrong, or `NONE`."""

    NONE = "none"
    DIES = "dies"
    """The process goes before the operation. To die after one is to die before the next."""
    POWER = "power loss"
    """Every process goes, and the last commits that had not reached the disk are gone too."""
    REQUEST_LOST = "request lost"
    ANSWER_LOST = "answer lost"
    LATE = "late arrival"
    """Nobody answers in time, and the request lands after that."""
    ERROR_BEFORE = "server error before the effect"
    ERROR_AFTER = "server error after the effect"
    RESET = "connection reset after the effect"
    REFUSED = "refused"
    """A 4xx: no effect, and the other side says so."""
    HANGS = "hangs"
    """The call never ends; only where nothing bounds it."""
    CANCELLED_BEFORE = "cancelled before the effect"
    CANCELLED_AFTER = "cancelled after the effect"
    HALF = "half of it lost"
    """The first of a step's two requests lands and the second does not."""
    STALE = "stale query"
    """The query answers as of some time ago."""
    SILENT = "query without an answer"
    PENDING = "query answers pending"
    TORN = "dies in the middle of storing the output"
    STORE_DOWN = "output store down"
    OTHER_CHOICE = "the model chooses otherwise"
    SWITCH = "the other worker goes on"
    """The worker is paused, for longer than its lease if need be, and another one goes on."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way an operation can go: the fault, and how much of it (milliseconds, commits, which choice)."""

    fault: Fault
    amount: int = 0


SMOOTH = Way(Fault.NONE)

WRITE_FAULTS = (
    Fault.REQUEST_LOST,
    Fault.ANSWER_LOST,
    Fault.ERROR_BEFORE,
    Fault.ERROR_AFTER,
    Fault.RESET,
    Fault.REFUSED,
    Fault.CANCELLED_BEFORE,
    Fault.CANCELLED_AFTER,
)
"""What can become of a request that has an effect; late arrivals and halves are up to the service."""

READ_FAULTS = (Fault.ANSWER_LOST, Fault.ERROR_BEFORE, Fault.REFUSED, Fault.CANCELLED_BEFORE)
"""A read without an effect: before and after are the same."""

EVERY = frozenset(Fault)
