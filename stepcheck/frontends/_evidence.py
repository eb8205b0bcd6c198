"""The evidence by which a mapping, or a list, of fields is a step table."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache

from stepcheck.catalogue.effects import meant
from stepcheck.facts import (
    SILENT_FIELDS,
    Effect,
    Invocation,
    Lambda,
    Mapping,
    Name,
    Opaque,
    Scalar,
    Sequence,
    Value,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._fields import READINGS, SPELLINGS, field_name, nearest_field
from stepcheck.frontends._resolver import Resolver
from stepcheck.frontends._scalars import Written

WRITE_WORDS = frozenset({Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE})
SPREADS = 200
"""Spreads that are followed for one step in all: a few lines of them can stand for millions."""
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+|[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_SPEAKING = frozenset({"read", "reads", "readonly", "write", "writes", "mutation", "effect", "effects"}) | {
    "idem",
    "idempotent",
    "nonidem",
    "nonidempotent",
}
"""Words that tell that an effect is one on data."""
QUESTIONS = frozenset({"where", "filter", "filters", "match", "params", "extra", "data", "json", "body"})
"""Names under which fields are asked for, or sent, and no step is declared."""
_OURS_ALONE = frozenset({"on_uncertain", "on_absent", "compensate_deadline"})
"""Fields that no other format has."""


class Kind(Enum):
    """What a value in the place of an effect class tells about the mapping that it stands in."""

    NONE = "none"
    """There is none, or only a run could tell."""
    OURS = "ours"
    """`idem_write` or `non_idem_write`: words that no other format has."""
    NEAR = "near"
    """`read`, or a word that resembles a class or speaks of reading and writing."""
    VERB = "verb"
    """`append`, `get`: may stand for a class, and for anything else."""
    FOREIGN = "foreign"
    """`burn`, `deny`: another program's effect."""


def looks_like_table(  # noqa: PLR0913 - where it stands, and all that decides how it is read
    entries: Iterable[Value],
    table_name: str,
    options: TableOptions,
    resolver: Resolver,
    step_names: frozenset[str] = frozenset(),
    *,
    listed: bool = False,
) -> bool:
    """Whether what stands behind the names of a mapping (or, `listed`, the items of a list) are steps.

    Evidence is a step: an effect class beside a `call`, or a `call` beside a field that only steps have.
    Else it is the whole: nothing but fields of steps under each name, with effect classes of ours, or with a
    `call` each in a mapping whose name ends with the word "steps".
    """
    values = [resolver.value(value) for value in entries]
    steps = [fields_of(value, options, resolver) for value in values if isinstance(value, Mapping)]
    kinds = [effect_kind(fields) for fields in steps]
    ours, near, foreign = (kinds.count(kind) for kind in (Kind.OURS, Kind.NEAR, Kind.FOREIGN))
    if foreign > ours + near or (foreign == near and foreign and not ours):
        return False
    if any(_is_step(fields, kind, step_names) for fields, kind in zip(steps, kinds, strict=True)):
        return True
    if any(isinstance(value, Scalar | Sequence) and not _is_none(value) for value in values):
        return False
    allowed = SILENT_FIELDS | options.extra_fields
    if not steps or not all(_meant(name) in READINGS or name in allowed for each in steps for name in each):
        return False
    if ours:
        return step_names.isdisjoint(QUESTIONS) and all(
            not fields or "effect" in map(_meant, fields) or is_callable(fields.get("call"))
            for fields in steps
        )
    if len(steps) < len(values) or not all(is_callable(fields.get("call")) for fields in steps):
        return False
    named = not listed and words(table_name)[-1:] == ["steps"]
    other = Kind.FOREIGN in kinds or Kind.VERB in kinds
    return named or (not other and all("effect" in fields for fields in steps))


def fields_of(mapping: Mapping, options: TableOptions, resolver: Resolver) -> dict[str, Value]:
    """Field names with their values; an enum member that cannot be seen is the word it is named after."""
    return dict(_fields(mapping, options, resolver))


def effect_kind(fields: dict[str, Value]) -> Kind:
    """What the effect class among the fields of a step tells."""
    if "effect" in fields:
        return _kind(fields["effect"])
    for name, value in fields.items():
        if _is_write(value) and (_meant(name) == "effect" or is_callable(fields.get("call"), bare=True)):
            return Kind.OURS
    return Kind.NONE


def is_callable(value: Value | None, *, bare: bool = False) -> bool:
    """Whether a value may be a callable: no data, and a text only as a dotted path (or, `bare`, one word)."""
    match value:
        case Name() | Lambda() | Invocation() | Opaque():
            return True
        case Scalar(value=str(text)):
            return bool(_DOTTED.fullmatch(text)) or (bare and text.isidentifier())
        case _:
            return False


def words(name: str) -> list[str]:
    """The words of an identifier in any case: `SETTLEMENT_STEPS`, `billingSteps`, `billing-steps`."""
    spaced = "".join(
        f" {letter}" if letter.isupper() and index and name[index - 1].islower() else letter
        for index, letter in enumerate(name)
    )
    return "".join(letter if letter.isalnum() else " " for letter in spaced).lower().split()


def _fields(mapping: Mapping, options: TableOptions, resolver: Resolver) -> Iterator[tuple[str, Value]]:
    waiting = list(reversed(mapping.entries))
    spreads = 0
    while waiting:
        entry = waiting.pop()
        if entry.key is None:
            spread = resolver.value(entry.value)
            spreads += 1
            if isinstance(spread, Mapping) and spreads <= SPREADS:
                waiting.extend(reversed(spread.entries))
        elif isinstance(key := resolver.value(entry.key), Scalar) and isinstance(key.value, str):
            written = Written(entry.value, resolver.value(entry.value), resolver, frozenset())
            effect = READINGS["effect"].read(written)
            seen = effect.present and effect.value is not None
            value = Scalar(str(effect.value), entry.value.span) if seen else written.value
            yield field_name(key.value, options), value


def _is_step(fields: dict[str, Value], kind: Kind, step_names: frozenset[str]) -> bool:
    classed = kind is Kind.OURS or (kind is Kind.NEAR and all(name in READINGS for name in fields))
    if classed and is_callable(fields.get("call"), bare=True):
        return True
    if kind is Kind.FOREIGN or not is_callable(fields.get("call")):
        return False
    return kind is Kind.NEAR or any(_telling(_meant(name), fields[name], step_names) for name in fields)


def _telling(name: str, value: Value, step_names: frozenset[str]) -> bool:
    """Whether a field beside `call` makes a mapping a step: by its name, and by a value that fits it."""
    match name:
        case "query" | "compensate":
            named = isinstance(value, Scalar) and value.value in step_names
            return (is_callable(value) and not _is_class(value)) or _is_none(value) or named
        case "identity":
            items = value.items if isinstance(value, Sequence) else ()
            return bool(items) and all(
                isinstance(item, Scalar) and isinstance(item.value, str) for item in items
            )
        case "dedupe":
            return isinstance(value, Mapping) or (
                isinstance(value, Scalar) and (value.value is None or isinstance(value.value, bool))
            )
        case _:
            return name in _OURS_ALONE


def _kind(value: Value) -> Kind:
    if not isinstance(value, Scalar) or value.value is None:
        return Kind.NONE
    return _kind_of(value.value) if isinstance(value.value, str) else Kind.FOREIGN


@lru_cache(1024)
def _kind_of(text: str) -> Kind:
    if text in WRITE_WORDS:
        return Kind.OURS
    if text == Effect.READ:
        return Kind.NEAR
    if not meant(text):
        return Kind.FOREIGN
    said = words(text.replace("_", " "))
    near = get_close_matches(text.lower(), sorted({*Effect, *_SPEAKING}), 1, 0.75)
    misspelt = bool(near) and near[0][0] == text[0].lower()
    return Kind.NEAR if misspelt or not _SPEAKING.isdisjoint(said) else Kind.VERB


def _is_write(value: Value) -> bool:
    return isinstance(value, Scalar) and value.value in WRITE_WORDS


def _is_class(value: Value) -> bool:
    """Whether a name is written like that of a class."""
    last = value.dotted.rpartition(".")[2] if isinstance(value, Name) else ""
    return last[:1].isupper() and not last.isupper()


def _is_none(value: Value) -> bool:
    return isinstance(value, Scalar) and value.value is None


def _meant(name: str) -> str:
    """The field's name for a name that is near it; other names as they are."""
    return name if name in READINGS or name in SILENT_FIELDS else SPELLINGS.get(nearest_field(name), name)
