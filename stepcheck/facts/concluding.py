"""What code concludes from how a write ended: facts, told without syntax."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.code import KeyState
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


class Conclusion(Enum):
    """What is taken for granted of a write from then on."""

    FAILED = "failed"
    """It did not happen."""
    DONE = "done"
    """It happened."""


@dataclass(frozen=True, slots=True)
class ConcludedWrite:
    """A write of which one thing is concluded where another may be true."""

    span: Span
    """Where it is concluded: the record, the answer, the raise."""
    name: str
    """The write, as written: `psp.charge`."""
    write: Span
    function: str
    evidence: Evidence
    conclusion: Conclusion
    said: str
    """How it is concluded, for messages: `'cart.status' is set to 'failed'`."""
    after: str
    """The exceptions after which it is, as written: `requests.Timeout`; nothing for every exception."""
    caught: Span
    """The handler, or what else swallows."""


class Missed(Enum):
    """What comes of an unknown outcome that no handler was meant for."""

    ESCAPES = "escapes"
    FAILED = "failed"
    """It is taken for a failure."""


@dataclass(frozen=True, slots=True)
class NarrowHandler:
    """A handler that leaves some unknown outcomes open, of a write that has others too."""

    span: Span
    """Of the handler's types."""
    name: str
    write: Span
    function: str
    evidence: Evidence
    takes: str
    """The exceptions that it takes, as written."""
    misses: str
    """One that it does not, by its usual name: `requests.ConnectionError`."""
    missed: Missed
    at: Span
    """Where it is taken for a failure; the write, where it escapes."""
    said: str
    key: KeyState


@dataclass(frozen=True, slots=True)
class UncertainCall:
    """A write that is begun on a path from where it is known that it may have been done already."""

    span: Span
    name: str
    function: str
    evidence: Evidence
    since: Span
    """Where it is recorded, tested or caught that nobody knows."""
    how: str
    """The same for messages: `'row.status' is 'uncertain'`."""
    asked: Span | None
    """The question that every such path asks; None where some path asks none."""
    waits: bool
    """Something is waited for before the question."""
    key: KeyState


@dataclass(frozen=True, slots=True)
class RetriedDuplicate:
    """A new row that is written again after the very error that says that it is there."""

    span: Span
    """Of what begins it again: the handler, the decorator's exceptions."""
    name: str
    """What writes the row, as written."""
    write: Span
    function: str
    evidence: Evidence
    who: str
    through: str
    """The exception, as written: `IntegrityError`."""


class Afterwards(Enum):
    """What comes after a wait that was given up."""

    AGAIN = "again"
    """The work is begun again."""
    FAILED = "failed"
    """It is taken for a failure."""


@dataclass(frozen=True, slots=True)
class AbandonedWork:
    """A wait with a limit for work in a thread, which goes on when the wait is over."""

    span: Span
    """Of the wait."""
    name: str
    """The work, as written: `client.charge`."""
    work: Span
    """Where it is handed to the thread."""
    function: str
    evidence: Evidence
    wait: str
    """What waits, as written: `asyncio.wait_for`."""
    afterwards: Afterwards
    at: Span
    said: str


@dataclass(frozen=True, slots=True)
class UnboundedWrite:
    """A write by a client that waits for ever."""

    span: Span
    name: str
    function: str
    evidence: Evidence
    bound: str
    """What would bound it: `timeout`."""
    made: Span | None
    """Where the client was told to wait for ever; None where it does so by itself."""
