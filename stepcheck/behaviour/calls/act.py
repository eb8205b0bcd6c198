"""What one call of a function, or one assignment of a record's state, is for."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.code.flow import Call, Point
from stepcheck.facts import Evidence, Span


class Deed(Enum):
    """What a call is for."""

    WRITE = "write"
    """It does something outside that a repeat does once more, as far as is known."""
    SETS = "sets"
    """It does something outside that a repeat leaves as it is: a PUT, an upsert."""
    ASKS = "asks"
    """It asks the outside."""
    LOOKUP = "lookup"
    """It reads rows of our own."""
    CLAIM = "claim"
    """Of several only the first carries it out, and who was first is looked at, or told by an exception."""
    LOCK = "lock"
    """It keeps others out for a while."""
    RECORD = "record"
    """It makes or changes rows of our own, or the state of a record in memory (`row.status = "done"`)."""
    DELETE = "delete"
    """It deletes rows of our own."""
    COMMIT = "commit"
    ROLLBACK = "rollback"
    ACK = "ack"
    """It tells a queue that a message need not come again."""
    PAUSE = "pause"
    HARMLESS = "harmless"
    """Logs, metrics, plain computing: nothing that a repeat would hurt."""
    OPAQUE = "opaque"
    """It is not known: it may do anything."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call, or one assignment of a record's state, with what it is for."""

    deed: Deed
    name: str
    """As written: `Order.objects.create`, `mail.status`."""
    point: Point
    span: Span
    call: Call | None
    """None for an assignment."""
    evidence: Evidence
    why: str
    """In words: `it is a POST`."""
    weak: bool = False
    """Told by a word that many harmless calls have too: to be believed only where other things fit."""
    subject: str = ""
    """What the record is of or in, as exactly as is told: the model, the SQL's table, else what it is called on."""
    states: tuple[str, ...] = ()
    """The states written or asked for, in lower case where they are names: of arguments or assignments named
    status, state and kin; `mark_sent` and `sent_at = now()` say "sent"."""
    additive: bool = False
    """Each repeat adds to what the last one left: `x = x + 1`, INCR."""
