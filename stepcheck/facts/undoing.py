"""Undoing in plain code: when an undo is registered, on what it rests, in which order it runs, and where it ends."""

from dataclasses import dataclass

from stepcheck.facts.bodies import BodyWrite
from stepcheck.facts.code import Again
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class LateUndo:
    """Something that is done before its undo is kept, so that a lost answer leaves no undo."""

    span: Span
    """Of what is done."""
    function: str
    name: str
    """As written: `flights.reserve`."""
    holder: str
    """What keeps undos: `undo`."""
    kept: Span
    """Where the undo is kept."""
    step: bool
    """It is a step of many, and the step itself is kept once it is done."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ForwardUndo:
    """Undos that are run in the order in which things were done."""

    span: Span
    """Of the loop."""
    function: str
    holder: str
    kept: Span
    """Where an undo is kept."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class UnaskedUndo:
    """Something of unknown outcome that is undone without asking whether it happened."""

    span: Span
    """Of the undo."""
    function: str
    name: str
    done: str
    """What may have been done: `cards.charge`; or the state that says that nobody knows."""
    done_span: Span
    after: str
    """As which exceptions, or state: `TimeoutError`; nothing for every exception."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class SwallowedUndo:
    """An undo whose failure is only logged, and a record all the same that says that all was undone."""

    span: Span
    """Of the undo."""
    function: str
    name: str
    handler: Span
    recorded: Span
    says: str
    """As written: `saga.status`."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class EmptyUndo:
    """An undo that does nothing, of something that is done for somebody."""

    span: Span
    function: str
    """The undo."""
    empty: str
    """Why it does nothing."""
    done: str
    """What it is to undo, as written."""
    done_span: Span
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class EndlessUndo:
    """An undo that is begun again without limit."""

    span: Span
    function: str
    name: str
    """The undo, as written; the function where all of it is begun again."""
    again: Again
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class BlindUndo:
    """An undo, run because something failed, that a repeat does once more."""

    span: Span
    function: str
    write: BodyWrite
