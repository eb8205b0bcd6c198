"""The order of records, claims and writes: what is in the log when a call is made, as rules judge it."""

from dataclasses import dataclass

from stepcheck.facts.code import KeyState
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class Noted:
    """A record, a look at one, or a claim."""

    name: str
    """As written: `Order.objects.create`."""
    span: Span
    states: tuple[str, ...] = ()
    """What it says, where that is told: `sent`."""


@dataclass(frozen=True, slots=True)
class LedgeredWrite:
    """A write to the outside, with what its function has recorded of it before, and what it records later."""

    span: Span
    name: str
    """As written: `bank.transfer`."""
    function: str
    evidence: Evidence
    why: str
    key: KeyState
    looked: Noted | None
    """A look at our own rows that decides whether it is sent, where what it looked at is recorded afterwards."""
    before: Noted | None
    """A record that is made on some path before it."""
    over: Noted | None
    """A record before it that says it is done already, with nothing that takes that back when it fails."""
    after: Noted | None
    """A record of it that is made afterwards."""
    claimed: bool
    """A claim, a lock, or something that may be one, is on the way to it."""
    asked: bool = False
    """The other side is asked for the thing first, and its answer decides."""

    @property
    def keyed(self) -> bool:
        """Whether the other side can tell a repeat."""
        return self.key is KeyState.STABLE


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """A claim that is committed, and a call behind it that may fail."""

    span: Span
    """Of the claim."""
    name: str
    function: str
    evidence: Evidence
    call: str
    """The call, as written."""
    call_span: Span
    left: bool
    """A path from the failure leaves the claimed state, or something else in the file does."""
    expires: bool
    """The claim ends by itself."""


@dataclass(frozen=True, slots=True)
class TransactedWrite:
    """A write to the outside inside a transaction of a database."""

    span: Span
    name: str
    function: str
    evidence: Evidence
    why: str
    who: str
    """What opens the transaction, as written."""
    opened: Span
    rerun: bool
    """The transaction is run again where the database aborts it."""
    record: Noted | None
    """A record made before it in the same transaction."""
    keyed: bool
    """The other side can tell a repeat by a key that no rollback takes away."""


@dataclass(frozen=True, slots=True)
class DeletedRecord:
    """A record that is deleted when a call fails that it was made for."""

    span: Span
    """Of the deletion."""
    name: str
    function: str
    record: Noted
    call: str
    call_span: Span
    through: str
    """The exceptions that lead there, as written; nothing for all."""
    keys: bool
    """The call is given a key, or a reference, that is made of the record; else it is a claim on the call."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class StoredOutcome:
    """An outcome stored so that later calls get it as their answer, although nobody knows whether it is one."""

    span: Span
    """Of the storing."""
    name: str
    function: str
    call: str
    call_span: Span
    through: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class DeliveredWrite:
    """A write that a handler reaches whose sender delivers more than once."""

    span: Span
    name: str
    function: str
    evidence: Evidence
    why: str
    who: str
    """Who delivers: `the queue`."""
    told: Span
    """What tells that it is delivered more than once."""
    local: bool
    """It adds to rows of our own."""
    others: tuple[Span, ...] = ()
    """Further writes that it reaches unguarded."""
