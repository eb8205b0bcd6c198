"""A data file's tree as plain Python values, and as a list of places."""

from typing import Any

from stepcheck.facts import Mapping, Opaque, Scalar, Sequence, Span, Value
from stepcheck.frontends._document import read_document

Place = tuple[int, int, int, int]


def roots(name: str, text: str | bytes) -> tuple[Value, ...]:
    return read_document(name, text if isinstance(text, bytes) else text.encode()).roots


def plain(value: Value) -> Any:
    """The value as Python's own readers give it: later keys win, merges are taken in; `...` where opaque."""
    match value:
        case Scalar(value=content):
            return content
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Mapping(entries=entries):
            found: dict[Any, Any] = {}
            for entry in entries:
                found |= plain(entry.value) if entry.key is None else {plain(entry.key): plain(entry.value)}
            return found
        case _:
            assert isinstance(value, Opaque)
            return ...


def places(value: Value) -> list[tuple[Any, Place]]:
    """Every key and scalar with its place, in the order written."""
    match value:
        case Mapping(entries=entries):
            return [
                place
                for entry in entries
                for part in (entry.key, entry.value)
                if part is not None
                for place in places(part)
            ]
        case Sequence(items=items):
            return [place for item in items for place in places(item)]
        case _:
            return [(plain(value), where(value))]


def where(value: Value) -> Place:
    return at(value.span)


def at(span: Span) -> Place:
    return (span.line, span.column, span.end_line, span.end_column)


def excerpt(text: str, span: Span) -> str:
    """What stands at a place of a text with plain line ends."""
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, *middle = lines[span.line - 1 : span.end_line]
    last = middle.pop()
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])
