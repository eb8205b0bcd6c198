"""Keys as they are made and given in code: what they are put together of, who writes them, what shares them."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.code import Again
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class JoinedKey:
    """A key in which two parts of any length stand next to each other, or of which little is left."""

    name: str
    span: Span
    """Where it is put together, or cut."""
    given: Span
    sends: Span
    parts: tuple[str, ...]
    """The two parts with nothing between them, as written; empty for a digest."""
    bits: int
    """What is left of a digest; 0 where that is not the point."""
    digest: str = ""
    """What it is cut from, or made by: `hexdigest()`."""
    alone: bool = True
    """Nothing but it, and constants, is in the key."""


class Writer(Enum):
    """Who makes a key up."""

    CALL = "call"
    """The model's side: the id of one call of a tool."""
    PARAMETER = "parameter"
    """The model, as an argument of a tool."""
    SCHEMA = "schema"
    """The model, as a schema that it is given asks."""


@dataclass(frozen=True, slots=True)
class ModelKey:
    """A key that a model, or its run-time, makes up."""

    name: str
    """What it goes by at the place: `idempotency_key`."""
    span: Span
    sends: Span
    writer: Writer
    text: str
    """As written: `ctx.tool_call_id`, the parameter."""
    function: str
    evidence: Evidence


class Sharing(Enum):
    """What has one key for several."""

    LOOP = "loop"
    """All turns of a loop."""
    TWO = "two"
    """Two writes of one function."""
    CONSTANT = "constant"
    """All calls there are."""
    RUN = "run"
    """All writes of one run."""
    NAME = "name"
    """All steps of one name, in an executor's own keys."""
    TASKS = "tasks"
    """All tasks, in an executor's own keys."""


@dataclass(frozen=True, slots=True)
class SharedKey:
    """One key for more than one intent."""

    name: str
    span: Span
    sends: Span
    function: str
    sharing: Sharing
    text: str
    """What the key is, or is made of, as written."""
    write: str
    """The call that it is given to, as written."""
    other: Span | None
    """The loop, or the first of two writes."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ChangingBody:
    """What is sent under a key that stays the same, and is itself another one each time."""

    name: str
    """Of the key."""
    span: Span
    """Of what changes."""
    sends: Span
    write: str
    field: str
    """What it is sent as, or nothing."""
    text: str
    why: str
    key: Span
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class UnkeyedWrite:
    """A write that can carry a key, carries none, and stands where code runs more than once."""

    name: str
    span: Span
    function: str
    key: str
    """What it takes: `idempotency_key`, `the header 'Idempotency-Key'`."""
    again: Again
    evidence: Evidence
    claimed: bool
    """Something is claimed, or looked up, on every way to it."""
