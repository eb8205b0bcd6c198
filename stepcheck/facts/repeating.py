"""What does not bear it that the unit around it is run again: batches, pairs of effects, additions, used-up input."""

from dataclasses import dataclass

from stepcheck.facts.code import Again
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class Batch:
    """A write that is done for each of many items, in a unit that is run again as a whole."""

    name: str
    """As written: `mailer.send`."""
    span: Span
    function: str
    """The function that the loop stands in."""
    item: str
    """What each turn is about: `user`."""
    loop: Span
    write: Span
    """Where it is done: `span`, or in a helper that is called there."""
    again: Again
    """How the unit is begun again."""
    redelivered: bool
    """Also where nothing failed: a broker gives the work out once more."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class SecondEffect:
    """A write that follows another one in one unit of work, so that no one answer tells of both."""

    name: str
    span: Span
    function: str
    first: str
    """The one before, as written."""
    first_span: Span
    who: str
    """Who runs the unit again: `the engine of 'activity.defn'`."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Append:
    """A write that adds to what is there, in a unit that is run again."""

    name: str
    span: Span
    function: str
    why: str
    """What makes it add: `the SQL is an INSERT`, `'incrby' adds`."""
    again: Again
    redelivered: bool
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class UsedInput:
    """Something that the first try uses up or changes, and that the next try is given again."""

    name: str
    """As written: `fh`, `ctx['render']`."""
    span: Span
    """Where it is used, or changed."""
    function: str
    origin: Span | None
    """Where it is made, before what is begun again."""
    how: str
    """For messages: `an open file, which the first try reads to its end`."""
    again: Again
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class BeforeSuspension:
    """A write that may run before a place from which the function is later begun again from its top."""

    name: str
    span: Span
    function: str
    suspends: str
    """What suspends, as written: `interrupt`."""
    suspends_span: Span
    who: str
    """Who begins the function again: `LangGraph`."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class StackedRetries:
    """A write that several things try again, one around the other."""

    name: str
    span: Span
    function: str
    layers: tuple[Again, ...]
    """From the outermost inwards."""
    evidence: Evidence

    @property
    def product(self) -> int | None:
        """How often the write may be sent in all; None where one of them does not say."""
        total = 1
        for again in self.layers:
            if again.attempts is None:
                return None
            total *= again.attempts
        return total
