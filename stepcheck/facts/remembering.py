"""What a run remembers, and where: facts about conversations, cursors, handles, logs and numbers."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class ConversationCheck:
    """A write that is made, or not, after a look into a conversation."""

    span: Span
    """Of the write."""
    name: str
    """The write as written."""
    messages: str
    """The conversation as written: `self.messages`."""
    look: Span
    """Of the branch."""
    stored: bool
    """A store is asked, or something is claimed, on the way as well."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class PollCursor:
    """A variable that says from where an endless loop reads on."""

    span: Span
    """Of the call that reads."""
    name: str
    """The variable as written: `self.offset`."""
    start: str
    """What it is when the process starts, as written."""
    polls: str
    """The call that reads, as written."""
    handles: str
    """What is done with what was read, as written."""
    handled: Span
    stored: bool
    """It may be kept somewhere, or was read from somewhere."""
    claimed: bool
    """What was read is claimed, or looked up, before it is handled."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class WaitedHandle:
    """Work submitted elsewhere and waited for by its handle, in one unit that is begun again."""

    span: Span
    """Of the submission."""
    submits: str
    handle: str
    """The variable that holds the handle, or nothing."""
    who: str
    """Who begins the unit again."""
    waits: Span
    """Where it is waited for."""
    keyed: bool
    """A key or a name that is derived from the task goes with the submission."""
    looked_up: bool
    """There is a way to the waiting without the submission."""
    stored: bool
    """The handle may be stored in between."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change or deletion of rows that say what steps did."""

    span: Span
    table: str
    deletes: bool
    log: bool
    """It is named after a log; else it only holds a row for each task and step."""
    keyed: bool
    """The rows are picked by task and step."""
    compares: bool
    """Only where the state is still what it was: a claim."""
    beside_log: bool
    """The file adds to a log of its own as well, and this is another table."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class StoredOutput:
    """An answer put into a row of a log."""

    span: Span
    log: str
    """What it is put into, as written."""
    text: str
    """The answer as written: `response.text`."""
    why: str
    """Why it may be of any length."""
    evidence: Evidence


class Numbering(Enum):
    """Where the number of a step comes from."""

    LENGTH = "length"
    """Of a list in memory or of a conversation."""
    COUNTER = "counter"
    """Of the process, from a literal on."""
    SKIPPING = "skipping"
    """A count of what was run, not of what was planned."""
    UNORDERED = "unordered"
    """A place in something that has no order of its own."""
    COMPLETION = "completion"
    """A place in the order in which things ended."""


@dataclass(frozen=True, slots=True)
class StepNumber:
    """A value given as the number of a step beside its task, or put into a key."""

    span: Span
    name: str
    """What it is given as: `step_seq`."""
    given: str
    """The value as written."""
    numbering: Numbering
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Rerun:
    """A recorded call that is carried out because no answer of it is recorded."""

    span: Span
    name: str
    missing: str
    """The test, in words."""
    test: Span
    asked: bool
    """Something else is asked, or its effect looked at, on the way."""
    never: bool
    """It is recorded that it was not begun."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class StartedScheduler:
    """A scheduler, or a thread that runs jobs by the clock, that is started with a web application."""

    span: Span
    name: str
    at: str
    """When, for messages: `when the module is imported`."""
    guarded: bool
    """Something lets only one process through."""
    harmless: bool
    """Its jobs are known and change nothing outside."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class EmptyRerun:
    """A call that is made again because its answer was empty."""

    span: Span
    name: str
    test: Span
    model: bool
    """It only asks a model: a repeat costs money, and does nothing."""
    evidence: Evidence


class Left(Enum):
    """What is left to a model."""

    ATTEMPTS = "how often it is tried"
    CLASS = "what a repeat does"
    AGAIN = "whether it is done although it was done"


@dataclass(frozen=True, slots=True)
class ModelParameter:
    """A parameter of a tool that decides about retries, and that a model fills in."""

    span: Span
    name: str
    tool: str
    left: Left
    sends: str
    """A write of the tool, as written; nothing where it only reads."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """Something in code that an engine replays from its beginning that may come out differently."""

    span: Span
    text: str
    why: str
    """For messages: `the clock is read`."""
    workflow: str
    engine: str
    logged_only: bool
    """It only goes into logs, metrics and what is in memory."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ActedChoice:
    """A write made after a model's choice, in a unit that is begun again."""

    span: Span
    name: str
    model: str
    asked: Span
    who: str
    """Who begins the unit again."""
    recorded: bool
    """The choice is recorded in between."""
    evidence: Evidence
