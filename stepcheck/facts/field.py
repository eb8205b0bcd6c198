"""The fields of a step: their names, other spellings, and the effect classes they make sense for."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from stepcheck.facts.effect import Effect

FieldName: TypeAlias = Literal[
    "effect",
    "call",
    "query",
    "compensate",
    "compensate_deadline",
    "retryable",
    "max_attempts",
    "retry",
    "timeout",
    "identity",
    "volatile",
    "dedupe",
    "on_uncertain",
    "on_absent",
    "absence",
    "output",
]
"""The names of `FIELDS`, for what asks about one of them."""

EVERY = frozenset(Effect)
WRITES = frozenset(effect for effect in Effect if effect.writes)


@dataclass(frozen=True, slots=True)
class Field:
    """One field that a step table may give a step."""

    name: FieldName
    values: str
    """What it takes, in Markdown."""
    meaning: str
    """One line for schemas and editors."""
    aliases: tuple[str, ...] = ()
    effects: frozenset[Effect] = EVERY
    """Effect classes for which the field can have a meaning at all."""


FIELDS = (
    Field(
        "effect",
        "`read`, `idem_write`, `non_idem_write`",
        "what repeating the step does to the world: read, idem_write or non_idem_write",
        ("effect_class",),
    ),
    Field("call", "a callable, or its dotted path", "the callable that does the work"),
    Field(
        "query", "a callable, or its dotted path", "a read that answers 'did it happen?' by key or identity"
    ),
    Field(
        "compensate",
        "a callable, its dotted path, or a step's name",
        "makes up for the completed step: a callable, or another step by its name",
        (),
        WRITES,
    ),
    Field(
        "compensate_deadline",
        "`timedelta`, or an ISO 8601 duration of weeks, or of days and time (`PT10M`)",
        "past it nothing is compensated automatically: an ISO 8601 duration of a fixed length",
    ),
    Field("retryable", "`true`, `false`", "whether an executor may try the step again by itself"),
    Field(
        "max_attempts",
        "a number from 1; `None` means no limit",
        "how often the step may be tried, the first attempt included",
    ),
    Field(
        "retry",
        "`true`, `false`, a number of attempts, or `{max_attempts, base, cap, jitter}`",
        "whether and how often the step may be tried, with the pauses between attempts",
    ),
    Field(
        "timeout",
        "seconds, `timedelta` or an ISO 8601 duration; `None` means no bound",
        "bound on one call: an ISO 8601 duration or a number of seconds",
    ),
    Field(
        "identity",
        "names of params",
        "the params that carry business meaning and go into the idempotency key",
        ("key_params",),
    ),
    Field(
        "volatile",
        "names of params",
        "the params that differ at each attempt and never go into the idempotency key",
    ),
    Field(
        "dedupe",
        "`true`, `false`, `{window, stored_errors, compares_payload, margin}`, or a table's name",
        "what the other side promises about a repeated key, or the team's own dedupe table",
        (),
        WRITES,
    ),
    Field("on_uncertain", "`query`, `human`", "what settles an unknown outcome: query, or human", (), WRITES),
    Field("on_absent", "`human`, `retry`", "what an empty query leads to: human, or retry"),
    Field(
        "absence",
        "`{query_lag, late_bound, basis}`",
        "the bounds within which an empty query may be believed",
    ),
    Field(
        "output", "`ref`, `inline`", "how the output is recorded: by reference (ref) or in the log (inline)"
    ),
)
"""Every field, in the order of `Step` and of the `StepDef` model."""

SILENT_FIELDS = frozenset({"name", "description"})
"""Fields that say nothing about repeating and are no mistake."""
