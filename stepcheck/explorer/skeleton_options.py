"""The ways in which a naive executor can be naive, as data."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.effect import Effect


class Then(Enum):
    """What follows an outcome that nobody knows, or an empty query."""

    PERSON = "a person is asked"
    CALL = "the call is made again"
    FAILED = "the step is recorded as failed"
    UNDO = "its compensation runs"


class Cancelled(Enum):
    """What a handler of cancellations does to the ledger."""

    LEAVES = "it leaves it alone"
    FAILED = "it records the step as failed"
    DELETES = "it deletes the intent"


@dataclass(frozen=True, slots=True)
class Undo:
    """How the naive executor makes up for what was done."""

    recorded: bool = True
    """Whether a compensation is put into the ledger, before it is sent."""
    resends: bool = False
    """Whether it is sent again after a lost answer."""
    from_first_intent: bool = True
    """Whether its deadline counts from the first intent; else from the start of the process."""
    bounded: bool = True
    """Whether it has a deadline at all."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A naive executor: it looks a step up by a key it recomputes. Each field is a way of doing one thing.

    What is not given is done as well as the skeleton can.
    """

    key: tuple[str, ...] = ("task", "seq", "name", "params")
    """What the key is made of: task, seq, name, params, identity."""
    separator: str = "/"
    live_seq: bool = False
    """Whether steps are numbered as they are run, after those that are done have been skipped."""
    intent_first: bool = True
    done_first: bool = False
    """Whether a step is recorded as done when its call is only about to be made."""
    resends: frozenset[Effect] = frozenset({Effect.READ, Effect.IDEM_WRITE})
    """What is sent again after a lost answer."""
    attempts: int | None = 3
    """None for no limit."""
    catches_all: bool = True
    """Whether server errors and resets are caught too, and not timeouts alone."""
    unknown: Then = Then.PERSON
    """What follows an unknown outcome where there is no query to ask."""
    absent: Then = Then.PERSON
    """What follows an empty query."""
    inbox: bool = True
    """Whether a person's work is a row, and not only an exception."""
    stops_for_person: bool = True
    """Whether a task that waits for a person is left alone by whoever runs tasks."""
    cancelled: Cancelled = Cancelled.LEAVES
    output_first: bool = True
    """Whether an output is stored before its step is recorded as done."""
    refusals_definite: bool = False
    """Whether a refused later attempt counts as a failure of the step."""
    reads_history: bool = False
    """Whether the conversation tells what is done, and not the ledger."""
    undo: Undo = Undo()
