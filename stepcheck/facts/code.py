"""What functions do to the outside and how it comes that they do it again: facts, told without syntax."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.facts.effect import Effect
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


class Limit(Enum):
    """Whether something ends by itself while the other side stays down."""

    BOUNDED = "bounded"
    NONE = "none"
    OPAQUE = "opaque"
    """Only a run, or code that was not read, could tell."""


class Outcome(Enum):
    """What an exception tells of the call that raised it."""

    NOT_SENT = "not sent"
    """Nothing has left: no connection, no address, no free slot."""
    REFUSED = "refused"
    """The other side answered that it did not do it."""
    UNKNOWN = "unknown"
    """It may have been done."""
    OPAQUE = "opaque"
    """The exception is not one that is known."""


@dataclass(frozen=True, slots=True)
class Again:
    """One way in which something is begun again by itself."""

    who: str
    """Who retries, for messages: `the loop`, `'tenacity.retry'`, `the client ('retry_on_timeout')`."""
    span: Span
    """The decorator, the loop's header, the call of the helper, the policy."""
    limit: Limit
    attempts: int | None
    """How many there are at most, where that is written down as a number."""
    outcome: Outcome
    """What is known of the try before when it is begun again, at the worst."""
    through: str
    """The exceptions that lead back, as written: `httpx.TimeoutException`; nothing for every exception."""
    evidence: Evidence
    pauses: bool = False
    """Whether it waits in between."""
    default: bool = False
    """Nobody wrote it: it is what whoever retries does by itself."""
    answer: int | None = None
    """The status of the answer that leads back, where it is none of the exceptions."""

    @property
    def often(self) -> str:
        """How often something may happen that way, for messages."""
        if self.limit is Limit.NONE:
            return "any number of times"
        return "more than once" if self.attempts is None else f"up to {self.attempts} times"

    @property
    def after(self) -> str:
        """After what it is begun again, for messages."""
        if self.answer is not None:
            return f"an answer of {self.answer}"
        if not self.through:
            return "a lost answer"
        return " or ".join(repr(name) for name in self.through.split(", ")[:2])

    @property
    def doubtful(self) -> bool:
        """Whether it is begun again although the try before may have been done, as far as is known."""
        return self.outcome in (Outcome.UNKNOWN, Outcome.OPAQUE)


class KeyState(Enum):
    """What is known of the idempotency key of a call."""

    ABSENT = "absent"
    STABLE = "stable"
    """The same each time, as far as is known."""
    FRESH = "fresh"
    """Another one each time the call is begun."""
    OPAQUE = "opaque"
    """One may be in a value that was not made here: `**kwargs`, a request object."""


@dataclass(frozen=True, slots=True)
class RetriedCall:
    """A call to the outside, with one way in which it is begun again."""

    name: str
    """As written: `exchange.create_order`."""
    span: Span
    function: str
    """The function that it stands in, by its qualified name."""
    effect: Effect
    evidence: Evidence
    """What the effect rests on."""
    why: str
    """The same in words: `a POST`, `'create' in its name`."""
    key: KeyState
    again: Again
    queried: bool
    """Something is asked, or claimed, on every path from the failure to the next try."""
    others: tuple[Span, ...] = ()
    """Further such calls of the function that are begun again in the same way."""

    @property
    def unguarded(self) -> bool:
        """Whether a try that landed is done once more, as far as is known."""
        return (
            self.effect is Effect.NON_IDEM_WRITE
            and self.key is KeyState.ABSENT
            and self.again.outcome is Outcome.UNKNOWN
            and not self.queried
        )


@dataclass(frozen=True, slots=True)
class RetryRegion:
    """Code that is run again as a whole, whatever is in it."""

    function: str
    span: Span
    again: Again
    calls: tuple[str, ...]
    """The calls to the outside in it, as written, in order; those that `RetriedCall` tells of as unguarded not."""


class Change(Enum):
    """Why a part of a key is another one each time."""

    RANDOM = "random"
    CLOCK = "clock"
    ATTEMPT = "attempt"
    REQUEST = "request"
    CREDENTIAL = "credential"
    SALTED = "salted"
    """Differs from process to process."""
    UNORDERED = "unordered"
    """Its order, or its spelling, is not fixed by what it is made of."""


@dataclass(frozen=True, slots=True)
class KeyPart:
    """A part of a key that may be another one though the intent is the same."""

    text: str
    """As written: `uuid.uuid4`, `wallet_token`."""
    change: Change
    why: str
    """For messages: `which the clock changes`."""
    span: Span
    evidence: Evidence
    again: Again | None
    """The way in which both the making and the sending are begun again, where there is one."""
    once: bool = False
    """It is made when the module is loaded: a default, a variable of the module."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A value given as an idempotency key."""

    name: str
    """What it goes by at the place: `idempotency_key`, `Idempotency-Key`."""
    span: Span
    function: str
    parts: tuple[KeyPart, ...]
    """Those that change. Empty for a key of which nothing is known to."""
    whole: bool
    """The changing part is all of the key: nothing else, but constants, is in it."""
    carries: bool
    """It goes to the other side as an idempotency key; else it is a name of ours for a job or a claim."""
    sends: Span
    """The call that it is given to, as far as that is seen; else the place itself."""
    names_job: bool = False
    """It is the id of a job that is handed on."""


@dataclass(frozen=True, slots=True)
class KeyParameter:
    """A parameter that takes an idempotency key, and a call that it never comes to."""

    name: str
    function: str
    span: Span
    sends: str
    """The first call that sends without it, as written."""
    sends_span: Span
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class RetriedStream:
    """A generator that is begun again although it may have handed something out."""

    function: str
    span: Span
    """Of the `yield`."""
    again: Again
    late: bool
    """A decorator retries the call that makes the generator, which is over before anything can fail."""


@dataclass(frozen=True, slots=True)
class RepeatedSuccess:
    """A call in a loop that is there to try again, and that goes round after a success as well."""

    name: str
    span: Span
    function: str
    again: Again
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class OutsideCall:
    """A call to the outside, as `stepcheck facts` shows it."""

    name: str
    span: Span
    function: str
    effect: Effect
    evidence: Evidence
    why: str
    key: KeyState


@dataclass(frozen=True, slots=True)
class Function:
    """A function that was looked into."""

    name: str
    span: Span
    calls: tuple[OutsideCall, ...]
    spent: str
    """Why it was not looked into after all, or nothing."""
