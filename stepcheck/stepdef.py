"""The model of one step: what the executor loads, and what the published JSON Schema describes."""

import math
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from stepcheck.facts import FIELDS, Effect, Unlimited, parse_duration

ATTEMPTS = 3
"""How often a read or a keyed write is tried where nothing says otherwise."""

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_TIME = rf"T(?=[0-9])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?"
DURATION_PATTERN = rf"^P(?=[0-9T])(?:{_NUMBER}W|(?:{_NUMBER}D)?(?:{_TIME})?)$"
"""ISO 8601 durations of a fixed length, for schemas: weeks, or days and a time; no years, no months."""


def _length(value: object) -> timedelta:
    return _checked(value, zero=False)


def _seconds(value: object) -> timedelta:
    return _checked(_from_number(value), zero=False)


def _bound(value: object) -> timedelta:
    return _checked(_from_number(value), zero=True)


def _from_number(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        try:
            return timedelta(seconds=value)
        except OverflowError:
            raise ValueError("is longer than a million years") from None
    return value


def _checked(value: object, *, zero: bool) -> timedelta:
    if isinstance(value, str):
        return parse_duration(value, zero=zero).length
    if not isinstance(value, timedelta):
        raise ValueError("is no length of time")
    if value < timedelta(0) or not (value or zero):
        raise ValueError("is not longer than zero")
    return value


def _timeout(value: object) -> timedelta | Unlimited:
    unlimited = value is None or value is Unlimited.UNLIMITED or value == math.inf
    return Unlimited.UNLIMITED if unlimited else _seconds(value)


def _attempts(value: object) -> int | Unlimited:
    if value is None or value in (Unlimited.UNLIMITED, Unlimited.UNLIMITED.value, math.inf):
        return Unlimited.UNLIMITED
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError("is no number of attempts: the first one counts, so it starts at 1")
    return value


def _ordered(value: object) -> object:
    """A set's order differs from run to run; a key must not."""
    return sorted(value, key=str) if isinstance(value, set | frozenset) else value


_ISO = {"type": "string", "pattern": DURATION_PATTERN, "examples": ["PT10M", "P1DT2H", "P2W"]}
_ABOVE_ZERO = {"type": "number", "exclusiveMinimum": 0, "description": "seconds"}
_ATTEMPTS = [
    {"type": "integer", "minimum": 1},
    {"const": "unlimited"},
    {"type": "null", "description": "no limit; for the executor's default, leave the field out"},
]

Length: TypeAlias = Annotated[timedelta, BeforeValidator(_length), WithJsonSchema(_ISO)]
Seconds: TypeAlias = Annotated[
    timedelta, BeforeValidator(_seconds), WithJsonSchema({"anyOf": [_ISO, _ABOVE_ZERO]})
]
Bound: TypeAlias = Annotated[
    timedelta,
    BeforeValidator(_bound),
    WithJsonSchema({"anyOf": [_ISO, {"type": "number", "minimum": 0, "description": "seconds"}]}),
]
Timeout: TypeAlias = Annotated[
    timedelta | Unlimited | None,
    BeforeValidator(_timeout),
    WithJsonSchema({"anyOf": [_ISO, _ABOVE_ZERO, {"type": "null", "description": "no limit"}]}),
]
Attempts: TypeAlias = Annotated[
    int | Unlimited | None, BeforeValidator(_attempts), WithJsonSchema({"anyOf": _ATTEMPTS})
]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=1)]
Text: TypeAlias = Annotated[str, StringConstraints(strict=True, min_length=1)]
Called: TypeAlias = Annotated[
    Callable[..., Any] | Text,
    WithJsonSchema(
        {"type": "string", "minLength": 1, "examples": ["shop.calls.create", "shop.calls:create"]}
    ),
]
Names: TypeAlias = Annotated[tuple[StrictStr, ...], BeforeValidator(_ordered)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Retry(_Frozen):
    """How often a step may be tried, and how long to wait between attempts."""

    max_attempts: Attempts = ATTEMPTS
    base: Seconds = timedelta(seconds=1)
    cap: Seconds = timedelta(seconds=60)
    jitter: Literal["full", "none"] = "full"


class Dedupe(_Frozen):
    """What the other side promises about a repeated key."""

    window: Seconds | None = Field(None, description="how long it remembers a key; null is for ever")
    stored_errors: StrictBool | None = Field(None, description="whether a repeat gets a stored error again")
    compares_payload: StrictBool | None = Field(
        None, description="whether a repeat with other params is refused"
    )
    margin: Bound = Field(timedelta(hours=1), description="how long before the window ends to stop")


class AbsenceProof(_Frozen):
    """The bounds within which an empty query may be believed."""

    query_lag: Bound | None = Field(None, description="how far the query's answers lie behind")
    late_bound: Bound | None = Field(None, description="how late a request that was sent may still land")
    basis: Text | None = Field(None, description="where these bounds are documented; shown to reviewers")


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def _declared(name: str, default: object = None) -> Any:
    """A field of `StepDef` with the meaning and the spellings that the linter knows."""
    known = next(field for field in FIELDS if field.name == name)
    aliases = AliasChoices(name, *known.aliases) if known.aliases else None
    return Field(default, description=known.meaning, validation_alias=aliases)


def _unset(name: str) -> Any:
    """The same for a field whose written null says something else than its absence: no default in the schema."""
    known = next(field for field in FIELDS if field.name == name)
    return Field(None, description=known.meaning, json_schema_extra=_without_default)


class StepDef(_Frozen):
    """One unit an executor may run more than once, and what it has to know to do so safely."""

    effect: Effect = _declared("effect", ...)
    call: Called = _declared("call", ...)
    query: Called | None = _declared("query")
    compensate: Called | None = _declared("compensate")
    compensate_deadline: Length | None = _declared("compensate_deadline")
    retryable: StrictBool | None = _declared("retryable")
    max_attempts: Attempts = _unset("max_attempts")
    """None where it is not written; a written `None` is no limit."""
    retry: StrictBool | Count | Retry | None = _declared("retry")
    timeout: Timeout = _unset("timeout")
    """None where it is not written; a written `None` is no bound."""
    identity: Names | None = _declared("identity")
    volatile: Names | None = _declared("volatile")
    dedupe: StrictBool | Text | Dedupe | None = _declared("dedupe")
    on_uncertain: Literal["query", "human"] | None = _declared("on_uncertain")
    on_absent: Literal["human", "retry"] | None = _declared("on_absent", "human")
    absence: AbsenceProof | None = _declared("absence")
    output: Literal["ref", "inline"] | None = _declared("output", "ref")
    name: str | None = Field(None, description="the step's name, where the table is a list")
    description: str | None = Field(None, description="for people")

    @classmethod
    def from_document(cls, entry: Mapping[str, Any]) -> Self:
        """The step that one entry of a written table declares. Raises pydantic's ValidationError."""
        return cls.model_validate(dict(entry))

    @property
    def keyed(self) -> bool:
        """Whether a repeat with the same key is promised to be no second effect."""
        return self.dedupe is not None and self.dedupe is not False

    @property
    def attempts(self) -> int | Unlimited:
        """How often an executor may try: what `retryable`, `max_attempts` and `retry` say together."""
        if self.retryable is False:
            return 1
        if self.max_attempts is not None:
            return self.max_attempts
        if isinstance(self.retry, Retry):
            return self.retry.max_attempts or ATTEMPTS
        if self.retry is not None:
            return {True: ATTEMPTS, False: 1}[self.retry] if isinstance(self.retry, bool) else self.retry
        return 1 if self.effect is Effect.NON_IDEM_WRITE and self.retryable is None else ATTEMPTS

    @model_validator(mode="after")
    def _has_sense(self) -> Self:
        for field in FIELDS:
            written = self.keyed if field.name == "dedupe" else getattr(self, field.name) is not None
            if written and self.effect not in field.effects:
                raise ValueError(f"a {self.effect} has no {field.name}: repeating it is always safe")
        if self.compensate_deadline is not None and self.compensate is None:
            raise ValueError("compensate_deadline needs a compensate that it ends")
        if self.query is None:
            if self.on_uncertain == "query":
                raise ValueError("on_uncertain 'query' needs a query")
            if self.absence is not None:
                raise ValueError("absence needs a query that it bounds")
        if self.on_absent == "retry":
            self._must_prove_absence()
        if self.retryable is True and self.max_attempts == 1:
            raise ValueError("retryable needs max_attempts of more than 1")
        if self.retryable is False and self.max_attempts not in (None, 1):
            raise ValueError("max_attempts of more than 1 needs a retryable step")
        return self

    def _must_prove_absence(self) -> None:
        if self.query is None:
            raise ValueError("on_absent 'retry' needs a query")
        if self.absence is None or self.absence.query_lag is None or self.absence.late_bound is None:
            raise ValueError("on_absent 'retry' needs absence with query_lag and late_bound")
