"""A mapping of fields read into a step."""

from dataclasses import dataclass, field
from typing import Any

from stepcheck.facts import (
    FIELDS,
    SILENT_FIELDS,
    Effect,
    Mapping,
    Origin,
    Retry,
    Scalar,
    Setting,
    Span,
    Step,
    UnknownField,
    Value,
    Word,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._compound import READ_ATTEMPTS, TABLE
from stepcheck.frontends._evidence import SPREADS, looks_like_table
from stepcheck.frontends._fields import EXECUTOR, READINGS, SPELLINGS, field_name, meant_field
from stepcheck.frontends._resolver import Resolver
from stepcheck.frontends._scalars import AnySetting, Written

__all__ = ["Resolver", "looks_like_table", "read_step"]

DEPTH = 20
"""Spreads inside spreads that are followed."""


@dataclass(slots=True)
class _Fields:
    """One step while it is read: who is asked, and what its entries have come to so far."""

    resolver: Resolver
    step_names: frozenset[str]
    options: TableOptions
    settings: dict[str, AnySetting] = field(default_factory=dict)
    unknown: list[UnknownField] = field(default_factory=list)
    repeated: list[Word] = field(default_factory=list)
    spreads: int = 0
    """How many spreads were followed so far."""
    opened: Span | None = None
    """The last thing spread into the step that could not be read."""


def read_step(  # noqa: PLR0913, PLR0917 - where a step stands, and all that decides how it is read
    name: str,
    name_span: Span,
    table: str,
    mapping: Mapping,
    resolver: Resolver,
    step_names: frozenset[str],
    options: TableOptions,
    body: Span | None = None,
) -> Step:
    """Read a step's fields. Whatever they are, there is a step afterwards, and nothing written is lost.

    Later entries override earlier ones. A spread that cannot be read opens the step: every setting that it
    may have changed is opaque then.
    """
    fields = _Fields(resolver, step_names, options)
    _collect(mapping, fields)
    settings = {item.name: _setting(item.name, fields, name_span) for item in FIELDS}
    return Step(
        name=name,
        table=table,
        span=name_span,
        body=body or mapping.span,
        retry_setting=settings.pop("retry"),
        retry=_combined(fields, settings["effect"], name_span),
        unknown_fields=tuple(fields.unknown),
        repeated_fields=tuple(fields.repeated),
        open=fields.opened is not None,
        **settings,
    )


def _collect(mapping: Mapping, fields: _Fields, depth: int = 0) -> None:
    here: set[str] = set()
    for entry in mapping.entries:
        if entry.key is None:
            spread = fields.resolver.value(entry.value)
            fields.spreads += 1
            followed = depth < DEPTH and fields.spreads <= SPREADS
            if isinstance(spread, Mapping) and not entry.conditional and followed:
                _collect(spread, fields, depth + 1)
            else:
                _open(fields, entry.value.span)
            continue
        key = fields.resolver.value(entry.key)
        if not isinstance(key, Scalar):
            _open(fields, entry.key.span)
            continue
        spelling = str(key.value)
        name = field_name(spelling, fields.options)
        if name not in READINGS:
            if spelling not in SILENT_FIELDS and spelling not in fields.options.extra_fields:
                fields.unknown.append(_unknown(spelling, entry.key.span, entry.value, fields))
            continue
        if name in here and not entry.conditional:
            fields.repeated.append(Word(spelling, entry.key.span))
        here.add(name)
        written = Written(entry.value, fields.resolver.value(entry.value), fields.resolver, fields.step_names)
        fields.settings[name] = written.opaque() if entry.conditional else READINGS[name].read(written)


def _unknown(spelling: str, span: Span, value: Value, fields: _Fields) -> UnknownField:
    meant = meant_field(spelling)
    if not meant:
        return UnknownField(spelling, span, "")
    written = Written(value, fields.resolver.value(value), fields.resolver, fields.step_names)
    return UnknownField(spelling, span, meant, not READINGS[SPELLINGS[meant]].read(written).wrong)


def _open(fields: _Fields, span: Span) -> None:
    """Forget what an unreadable spread may have overridden."""
    fields.opened = span
    for name, setting in fields.settings.items():
        fields.settings[name] = Setting(Origin.OPAQUE, None, setting.span)


def _setting(name: str, fields: _Fields, name_span: Span) -> AnySetting:
    if name in fields.settings:
        return fields.settings[name]
    if fields.opened is not None:
        return Setting(Origin.OPAQUE, None, fields.opened)
    reading = READINGS[name]
    return Setting(Origin.DEFAULT, reading.default, name_span, reading.whose)


def _combined(fields: _Fields, effect: Setting[Effect], name_span: Span) -> Retry:
    """What `retryable`, `max_attempts` and `retry` say together, in that order of rank.

    A wrong value decides nothing: it is reported for itself.
    """
    written = {
        name: setting
        for name in ("retryable", "max_attempts", "retry")
        if (setting := fields.settings.get(name)) is not None and not setting.wrong and not setting.absent
    }
    opaque = [setting.span for setting in written.values() if setting.opaque]
    if opaque or (not written and fields.opened is not None):
        return Retry(None, None, opaque[0] if opaque else fields.opened or name_span, TABLE)
    if not written:
        return _default(effect, name_span)
    number: Any = READ_ATTEMPTS
    counted: Span | None = None
    if "max_attempts" in written:
        number, counted = written["max_attempts"].value, written["max_attempts"].span
    elif "retry" in written and written["retry"].value is not None:
        number, counted = written["retry"].value.attempts, written["retry"].value.counted
    deciding = next(iter(written.values()))
    repeats = bool(deciding.value) if "retryable" in written else number != 1
    return Retry(repeats, number if repeats else 1, deciding.span, TABLE, counted if repeats else None)


def _default(effect: Setting[Effect], name_span: Span) -> Retry:
    if effect.value is None:
        return Retry(None, None, name_span, f"{EXECUTOR}it follows the effect class")
    if effect.value is Effect.NON_IDEM_WRITE:
        return Retry(False, 1, name_span, f"{EXECUTOR}a non-idem write is not tried again")
    return Retry(True, READ_ATTEMPTS, name_span, f"{EXECUTOR}{READ_ATTEMPTS} attempts")
