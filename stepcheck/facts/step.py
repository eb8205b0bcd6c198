"""Steps and step tables, as rules see them."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from stepcheck.facts.duration import Duration
from stepcheck.facts.effect import Effect
from stepcheck.facts.field import FIELDS, FieldName
from stepcheck.facts.setting import Setting
from stepcheck.facts.span import Span

_SPELLINGS = {known.name: (known.name, *known.aliases) for known in FIELDS}


class Target(Enum):
    """What a `call`, `query` or `compensate` turned out to name."""

    FUNCTION = "function"
    """Something the project defines; `Reference.definition` is its place."""
    STEP = "step"
    """Another step of the same table, by its name."""
    UNNAMED = "unnamed"
    """A lambda, or another callable with no name of its own."""
    OUTSIDE = "outside"
    """From a package that is not part of the project: taken to exist."""
    MISSING = "missing"
    """What does not exist in the project; `Reference.why` says what was looked for and where."""
    UNKNOWN = "unknown"
    """A name that nothing in the file binds and that could not be told apart from a snippet's leftover."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A callable that a step names."""

    name: str
    """As written: `create_adjustment`, `calls.create`, `<lambda>`."""
    target: Target
    identity: str
    """Two references with the same non-empty identity are the same callable (module-qualified name)."""
    span: Span
    definition: Span | None = None
    why: str = ""
    nearest: str = ""
    """The existing name that was probably meant, where this one does not exist or may not."""

    def same_as(self, other: "Reference") -> bool:
        """Whether both are known to be one callable."""
        return bool(self.identity) and self.identity == other.identity


@dataclass(frozen=True, slots=True)
class Word:
    """One name in a list such as `identity`, with its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Dedupe:
    """What the other side promises about a repeated key."""

    promised: bool
    """False for an explicit `dedupe: false`."""
    window: Duration | None = None
    stored_errors: bool | None = None
    compares_payload: bool | None = None
    own_table: str = ""
    """The team's own dedupe table, where one is named."""


@dataclass(frozen=True, slots=True)
class Absence:
    """The bounds within which an empty query may be believed; a missing one is `None`."""

    query_lag: Duration | None
    late_bound: Duration | None
    basis: str


class Unlimited(Enum):
    """A number of attempts without a bound."""

    UNLIMITED = "unlimited"


@dataclass(frozen=True, slots=True)
class Retry:
    """Whether and how often an executor may try a step again by itself."""

    repeats: bool | None
    """None where only a run could tell."""
    attempts: int | Unlimited | None
    """All tries, the first included; None where only a run could tell."""
    span: Span
    whose: str
    """Who decided: "the table", or whose default it is."""
    counted: Span | None = None
    """Where the number of attempts is written; None where it is a default."""


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that no step has."""

    name: str
    span: Span
    nearest: str
    """The field that was probably meant, or nothing."""
    fits: bool = True
    """Whether its value is not known to be wrong for the field that was probably meant."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a step table, every field a setting. Fields are those of the `StepDef` model."""

    name: str
    table: str
    span: Span
    """Of the step's name."""
    body: Span
    """Of everything the table says about the step; empty lines excluded."""
    effect: Setting[Effect]
    call: Setting[Reference]
    query: Setting[Reference]
    compensate: Setting[Reference]
    compensate_deadline: Setting[Duration]
    retryable: Setting[bool]
    max_attempts: Setting[int | Unlimited]
    timeout: Setting[Duration | Unlimited]
    """`Unlimited` for an explicit "no bound" (`None`, infinity)."""
    identity: Setting[tuple[Word, ...]]
    volatile: Setting[tuple[Word, ...]]
    dedupe: Setting[Dedupe]
    on_uncertain: Setting[str]
    on_absent: Setting[str]
    absence: Setting[Absence]
    output: Setting[str]
    retry: Retry
    """What `retryable`, `max_attempts` and `retry` say together."""
    retry_setting: Setting[Retry]
    """The field `retry` alone."""
    unknown_fields: tuple[UnknownField, ...] = ()
    repeated_fields: tuple[Word, ...] = ()
    """Fields written more than once in one literal: the later one silently won."""
    open: bool = False
    """Something was spread into it that could not be read: a field not seen may still be there."""

    def settings(self) -> dict[str, Setting[Any]]:
        """Every field's setting by the field's name, in the order of the `StepDef` model."""
        return {
            "effect": self.effect,
            "call": self.call,
            "query": self.query,
            "compensate": self.compensate,
            "compensate_deadline": self.compensate_deadline,
            "retryable": self.retryable,
            "max_attempts": self.max_attempts,
            "retry": self.retry_setting,
            "timeout": self.timeout,
            "identity": self.identity,
            "volatile": self.volatile,
            "dedupe": self.dedupe,
            "on_uncertain": self.on_uncertain,
            "on_absent": self.on_absent,
            "absence": self.absence,
            "output": self.output,
        }

    @property
    def keyed(self) -> bool:
        """Whether the table promises that a repeat with the same key is no second effect."""
        return self.dedupe.value is not None and self.dedupe.value.promised

    @property
    def left_to_person(self) -> bool:
        """Whether an unknown outcome is declared to wait for a person."""
        return self.on_uncertain.value == "human"

    @property
    def writes(self) -> bool:
        """Whether its effect class is known, and is one that changes something."""
        return self.effect.value is not None and self.effect.value.writes

    def lacks(self, field: FieldName) -> bool:
        """Whether it is known to have no such field: none is written, misspelt or possibly spread into it.

        An explicit `None` is lacking too.
        """
        setting: Setting[Any] = getattr(self, "retry_setting" if field == "retry" else field)
        if self.open or not setting.absent:
            return False
        return not any(unknown.nearest in _SPELLINGS[field] for unknown in self.unknown_fields)

    @property
    def unkeyed(self) -> bool:
        """Whether the table is known to promise nothing about a repeated key."""
        refused = self.dedupe.value is not None and not self.dedupe.value.promised
        return not self.open and (refused or self.lacks("dedupe"))

    @property
    def unguarded(self) -> bool:
        """Whether a repeat is a second effect that nothing in the table prevents or can find out about."""
        return self.effect.value is Effect.NON_IDEM_WRITE and self.lacks("query") and self.unkeyed

    @property
    def retried_unguarded(self) -> bool:
        """Whether it is known to be unguarded and still sent again by itself after an unknown outcome."""
        again = self.retry.repeats is True and self.retry.attempts != 1
        return self.unguarded and again and self.may_resend

    @property
    def may_resend(self) -> bool:
        """Whether it is known that no person is waited for when the outcome is unknown."""
        return self.lacks("on_uncertain") or self.on_uncertain.value == "query"


@dataclass(frozen=True, slots=True)
class RepeatedStep:
    """A step name that a table gives twice, outside of any deliberate override."""

    name: str
    first: Span
    second: Span
    """The later one, which silently wins."""


@dataclass(frozen=True, slots=True)
class StepTable:
    """The steps of one workflow, declared as data."""

    name: str
    span: Span
    steps: tuple[Step, ...]
    repeated: tuple[RepeatedStep, ...] = ()
    open: bool = False
    """Something was spread into the table that could not be read: there may be more steps."""

    def step(self, name: str) -> Step | None:
        """The step of that name, or None."""
        return next((step for step in self.steps if step.name == name), None)
