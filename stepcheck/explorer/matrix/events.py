"""The columns of the matrix: what happens to a step, and to which of them a fault of a schedule belongs."""

from enum import StrEnum

from stepcheck.explorer.faults import Fault, Way


class Event(StrEnum):
    """What happens to a step."""

    NOTHING = "no fault"
    CRASH_BEFORE = "crash before the call"
    CRASH_AFTER = "crash after the call"
    REQUEST_LOST = "request lost"
    ANSWER_LOST = "answer lost"
    SERVER_ERROR = "server error"
    REFUSED = "refused"
    LATE = "late arrival"
    QUERY = "empty, lagging or silent query"
    HANGS = "call that never ends"
    DOWN = "other side down"
    SECOND_WORKER = "second worker"
    COMPENSATION = "failing compensation"


_OF_FAULT = {
    Fault.CANCELLED_BEFORE: Event.CRASH_BEFORE,
    Fault.CANCELLED_AFTER: Event.CRASH_AFTER,
    Fault.TORN: Event.CRASH_AFTER,
    Fault.STORE_DOWN: Event.CRASH_AFTER,
    Fault.REQUEST_LOST: Event.REQUEST_LOST,
    Fault.ANSWER_LOST: Event.ANSWER_LOST,
    Fault.RESET: Event.ANSWER_LOST,
    Fault.ERROR_BEFORE: Event.SERVER_ERROR,
    Fault.ERROR_AFTER: Event.SERVER_ERROR,
    Fault.REFUSED: Event.REFUSED,
    Fault.LATE: Event.LATE,
    Fault.STALE: Event.QUERY,
    Fault.SILENT: Event.QUERY,
    Fault.PENDING: Event.QUERY,
    Fault.HANGS: Event.HANGS,
    Fault.SWITCH: Event.SECOND_WORKER,
}

_BEFORE = frozenset({"take", "look", "recover", "planned", "call_intent", "call"})
"""Moments at which nothing of the attempt that follows has been sent."""


def event_of(moment: str, way: Way) -> Event:
    """Return the column of a fault that struck at this moment."""
    if moment == "undo" or moment.startswith("comp"):
        return Event.COMPENSATION
    if way.fault in (Fault.DIES, Fault.POWER):
        return Event.CRASH_BEFORE if moment in _BEFORE else Event.CRASH_AFTER
    return _OF_FAULT[way.fault]
