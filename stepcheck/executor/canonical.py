"""The one byte string of a value that may go into a key, and the way back from it.

The domain is closed: what has two spellings (a float, a set, a naive datetime, text that is not NFC) is
refused, because a value that spells itself differently after a restart makes a second key, and with it a
second effect.
"""

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import TypeAlias
from uuid import UUID

Tagged: TypeAlias = tuple[str, object]
"""A value as JSON will hold it, with the name of its type before it."""

INTEGER_LIMIT = 2**53
"""JSON readers that hold numbers as IEEE 754 doubles are exact up to here (RFC 8259 §6)."""

DEPTH_LIMIT = 100


class CanonicalError(ValueError):
    """A value outside the closed domain; the message begins with the path to it."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} {why}")
        self.path = path
        self.why = why


def canonical(value: object, path: str = "params") -> bytes:
    """Return the same bytes for the same value in every process, on every machine.

    Allowed are str (NFC), bool, int within ±2^53, None, Decimal, date, aware datetime, UUID, the value of
    an Enum, list or tuple, and mappings with str keys. Raises CanonicalError, with the path, for everything
    else.
    """
    return dump(tag(value, path))


def dump(tagged: object) -> bytes:
    """Write JSON without spaces, in UTF-8, in the order given."""
    return json.dumps(tagged, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def tag(value: object, path: str = "params", depth: int = 0) -> Tagged:
    """Put the name of its type before a value, and before every value inside it."""
    if depth > DEPTH_LIMIT:
        raise CanonicalError(path, f"is nested deeper than {DEPTH_LIMIT} levels, or contains itself")
    if isinstance(value, Enum):
        return tag(value.value, path, depth + 1)
    if isinstance(value, Mapping):
        return "map", _entries(value, path, depth)
    kind = type(value)
    if kind is list or kind is tuple:
        assert isinstance(value, list | tuple)
        return "list", [tag(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    return _scalar(value, path)


def _entries(value: Mapping[object, object], path: str, depth: int) -> list[list[object]]:
    entries: list[list[object]] = []
    for key in value:
        if type(key) is not str:
            raise CanonicalError(path, f"has the key {key!r}, which is no str: JSON would make it one")
        _text(key, f"{path}, in the key {key!r},")
        entries.append([key, *tag(value[key], f"{path}.{key}", depth + 1)])
    return sorted(entries, key=lambda entry: str(entry[0]))


def _scalar(value: object, path: str) -> Tagged:
    match value:
        case None:
            return "none", None
        case bool():
            return "bool", value
        case int() if type(value) is int:
            if abs(value) > INTEGER_LIMIT:
                raise CanonicalError(
                    path, "is an integer beyond 2^53, which JSON readers round: pass it as a str"
                )
            return "int", value
        case str() if type(value) is str:
            return "str", _text(value, path)
        case Decimal() if type(value) is Decimal:
            return "decimal", _decimal(value, path)
        case datetime() if type(value) is datetime:
            return "instant", _instant(value, path)
        case date() if type(value) is date:
            return "date", value.isoformat()
        case UUID() if type(value) is UUID:
            return "uuid", str(value)
        case _:
            raise CanonicalError(path, _refusal(value))


def _refusal(value: object) -> str:
    match value:
        case float():
            return "is a float, which has no one spelling: pass a Decimal, or whole minor units"
        case set() | frozenset():
            return "is a set, whose order changes from process to process: pass a sorted list"
        case bytes() | bytearray():
            return "is bytes, which have no text of their own: pass their digest or base64"
        case _:
            return f"is of the class '{type(value).__name__}', which has no canonical form"


def _text(value: str, path: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise CanonicalError(path, "holds half of a surrogate pair, which is no text") from None
    if not unicodedata.is_normalized("NFC", value):
        raise CanonicalError(path, "is not in Unicode's form NFC: the same letters have a second spelling")
    return value


def _decimal(value: Decimal, path: str) -> str:
    if not value.is_finite():
        raise CanonicalError(path, f"is the Decimal '{value}', which is no number")
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).lstrip("0")
    kept = text.rstrip("0")
    if not kept:
        return "0"
    return f"{'-' if sign else ''}{kept}E{exponent + len(text) - len(kept)}"


def _instant(value: datetime, path: str) -> str:
    if value.utcoffset() is None:
        raise CanonicalError(path, "is a datetime without a time zone, which is no instant")
    try:
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    except OverflowError:
        raise CanonicalError(path, "is an instant that UTC's calendar does not reach") from None


def restore(data: bytes | str) -> object:
    """Read back what `canonical` wrote: the same value, with Enums as their values and tuples as lists."""
    name, content = json.loads(data)
    return _untag(name, content)


def _untag(name: str, content: object) -> object:
    match name, content:
        case "list", list():
            return [_untag(kind, inner) for kind, inner in content]
        case "map", list():
            return {key: _untag(kind, inner) for key, kind, inner in content}
        case "decimal", str():
            return Decimal(content)
        case "instant", str():
            return datetime.fromisoformat(content)
        case "date", str():
            return date.fromisoformat(content)
        case "uuid", str():
            return UUID(content)
        case (("none" | "bool" | "int" | "str"), _):
            return content
        case _:
            raise ValueError(f"'{name}' is no tag of the canonical form")
