"""What the callables that steps name do in their bodies: facts that join a step table and code."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.code import Again, KeyParameter, KeyState
from stepcheck.facts.concluding import UnboundedWrite
from stepcheck.facts.effect import Effect
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span
from stepcheck.facts.step import Step


class Part(Enum):
    """As what a step names a callable."""

    CALL = "call"
    QUERY = "query"
    COMPENSATE = "compensate"


@dataclass(frozen=True, slots=True)
class BodyWrite:
    """Something that a body changes, itself or through the functions that it calls."""

    name: str
    """As written: `client.post`."""
    span: Span
    function: str
    """The function that it stands in, by its qualified name."""
    effect: Effect
    evidence: Evidence
    why: str
    """What the effect rests on, in words: `it is a POST`."""
    key: KeyState
    """An id that the caller chose counts as a key, as does one that goes through a helper."""
    ours: bool
    """It changes rows of our own."""
    asked: bool
    """Something is asked, or claimed, on every path before, and the answer decides whether it is done."""
    via: tuple[Span, ...] = ()
    """The calls on the way from the body to it, outermost first."""

    @property
    def begins(self) -> Span:
        """Where the body comes to it: the call that leads there, or it itself."""
        return self.via[0] if self.via else self.span

    @property
    def fills(self) -> bool:
        """Whether it only makes a row of our own that was found to be missing, as caches and defaults do."""
        return self.ours and self.asked

    @property
    def repeats(self) -> bool:
        """Whether a second run of the body does it once more, as far as is known."""
        return self.effect is Effect.NON_IDEM_WRITE and self.key is KeyState.ABSENT and not self.asked


@dataclass(frozen=True, slots=True)
class Newest:
    """A question that asks for whatever came last, and not for one thing by its key or identity."""

    name: str
    """As written: `.order_by('-created_at').first`."""
    span: Span


@dataclass(frozen=True, slots=True)
class StepBody:
    """The body of a callable that a step names, followed through the project."""

    span: Span
    """Of the name in the table."""
    step: Step
    part: Part
    name: str
    """As written in the table."""
    definition: Span
    writes: tuple[BodyWrite, ...] = ()
    """In the order of the bodies, each once."""
    empty: str = ""
    """Why it does nothing at all (`it only logs`), or nothing."""
    newest: Newest | None = None
    dropped: KeyParameter | None = None
    """A parameter that takes a key, which the body never reads, while it sends something."""
    unbounded: UnboundedWrite | None = None
    """A write that waits for ever."""
    second: tuple[BodyWrite, BodyWrite] | None = None
    """Two writes that a repeat does once more, the second of which follows on the first."""
    again: Again | None = None
    """What begins the whole body again without limit."""
    others_bounded: bool = False
    """The table gives another step a timeout."""
    twin: str = ""
    """The step of the table, declared a write, whose call it is."""
