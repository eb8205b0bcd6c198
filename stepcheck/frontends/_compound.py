"""Fields made of several parts read into settings: `retry`, `dedupe`, `absence`."""

from typing import Any

from stepcheck.facts import Absence, Dedupe, Entry, Invocation, Mapping, Retry, Scalar, Sequence, Unlimited
from stepcheck.frontends._scalars import (
    AnySetting,
    Reader,
    Written,
    attempts,
    bound,
    flag,
    nearest,
    none_or,
    seconds,
    text,
    unreadable,
    word,
)

READ_ATTEMPTS = 3
"""How often the executor tries a read or a keyed write where nothing says otherwise."""
TABLE = "the table"

RETRY_PARTS: dict[str, Reader] = {
    "max_attempts": attempts,
    "base": seconds,
    "cap": seconds,
    "jitter": word("full", "none"),
}
DEDUPE_PARTS: dict[str, Reader] = {
    "window": none_or(seconds),
    "stored_errors": none_or(flag),
    "compares_payload": none_or(flag),
    "margin": bound,
}
ABSENCE_PARTS: dict[str, Reader] = {
    "query_lag": none_or(bound),
    "late_bound": none_or(bound),
    "basis": none_or(text),
}


def retry(written: Written) -> AnySetting:
    """True, false, a number of attempts, or a mapping of `max_attempts` and pauses."""
    span = written.raw.span
    match written.value:
        case Scalar(value=True):
            return written.read(Retry(True, READ_ATTEMPTS, span, TABLE))
        case Scalar(value=False):
            return written.read(Retry(False, 1, span, TABLE))
        case Scalar(value=int()):
            number = attempts(written)
            return number if number.value is None else written.read(_of(number.value, written))
        case _:
            parts = _parts(written, RETRY_PARTS, ("Retry",))
            if not isinstance(parts, dict):
                return parts or written.wrong(
                    "says neither whether nor how often the step may be tried again"
                )
            return written.read(_of(parts.get("max_attempts"), written))


def _of(number: int | Unlimited | None, written: Written) -> Retry:
    span = written.raw.span
    if number is None:
        return Retry(True, READ_ATTEMPTS, span, TABLE)
    return Retry(number is Unlimited.UNLIMITED or number != 1, number, span, TABLE, span)


def dedupe(written: Written) -> AnySetting:
    """True, false, the name of the team's own dedupe table, or a mapping of what the other side promises."""
    match written.value:
        case Scalar(value=bool(promised)):
            return written.read(Dedupe(promised))
        case Scalar(value=str(table)) if table:
            return written.read(Dedupe(True, own_table=table))
        case _:
            parts = _parts(written, DEDUPE_PARTS, ("Dedupe",))
            if not isinstance(parts, dict):
                return parts or written.wrong("says nothing about a repeated key")
            parts.pop("margin", None)
            return written.read(Dedupe(True, **parts))


def absence(written: Written) -> AnySetting:
    """A mapping of the bounds within which an empty query may be believed."""
    parts = _parts(written, ABSENCE_PARTS, ("Absence", "AbsenceProof"))
    if not isinstance(parts, dict):
        return parts or written.wrong("gives no bounds")
    return written.read(Absence(parts.get("query_lag"), parts.get("late_bound"), parts.get("basis") or ""))


def _parts(
    written: Written, readers: dict[str, Reader], models: tuple[str, ...]
) -> dict[str, Any] | AnySetting | None:
    """Each part's value by its name; where a part is opaque or wrong, that setting; None for no mapping."""
    value = written.value
    if (
        isinstance(value, Invocation)
        and value.function.dotted.rpartition(".")[2] in models
        and not value.arguments
    ):
        value = Mapping(value.keywords, value.span)
    if isinstance(value, Scalar | Sequence):
        return None
    if not isinstance(value, Mapping):
        return written.opaque()
    found: dict[str, AnySetting] = {}
    for entry in value.entries:
        name = _key(entry, written)
        if name is None:
            return written.opaque()
        reader = readers.get(name)
        part = written.inner(entry.value)
        if reader is None:
            close = nearest(name, tuple(readers))
            instead = f", nearest is {close!r}" if close else f": it has {', '.join(readers)}"
            return Written(
                entry.key or entry.value, Scalar(name, part.raw.span), part.resolver, frozenset()
            ).wrong(f"is no part of this field{instead}")
        found[name] = part.opaque() if entry.conditional else reader(part)
    wrong = next((setting for setting in found.values() if setting.wrong), None)
    if wrong is not None:
        return wrong
    if any(setting.opaque for setting in found.values()):
        return written.opaque()
    return {name: setting.value for name, setting in found.items()}


def _key(entry: Entry, written: Written) -> str | None:
    if entry.key is None:
        return None
    key = written.resolver.value(entry.key)
    return None if unreadable(written.inner(entry.key)) or not isinstance(key, Scalar) else str(key.value)
