"""JSON: edits of its text, and what a document says as a stream."""

import json
import re

from stepcheck.facts import Span
from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.kind import Kind
from stepcheck.fixes.text import line_bounds, newline_at, offsets
from stepcheck.fixes.value import replaced
from stepcheck.fixes.verify import Item, Stream
from stepcheck.rule import AddEntry, Change, RemoveComment, RenameKey, ReplaceValue

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_KEY_BEFORE = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"[ \t\r\n]*:[ \t\r\n]*\Z')
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_KEY_REACH = 1000
"""Characters before a value in which its key must stand."""


class _Pairs(list[tuple[str, object]]):
    """An object with its repeated keys."""


def stream(text: str) -> Stream:
    """What the document says. Raises CannotFix where it does not parse."""
    try:
        todo: list[object] = [json.loads(text, object_pairs_hook=_Pairs)]
    except (ValueError, RecursionError) as error:
        raise CannotFix(f"the document does not parse: {error}") from error
    items: list[Item] = []
    while todo:
        value = todo.pop()
        if isinstance(value, _Pairs):
            items.append(("object", ""))
            todo.append(("end", ""))
            todo += reversed([part for key, inner in value for part in (("key", key), inner)])
        elif isinstance(value, list):
            items.append(("array", ""))
            todo.append(("end", ""))
            todo += reversed(value)
        else:
            items.append(_item(value))
    return items


def _item(value: object) -> Item:
    match value:
        case (str(kind), str(text)):
            return kind, text
        case str(text):
            return "str", text
        case _:
            return type(value).__name__, repr(value)


def edit(text: str, change: Change) -> Edit:
    """The edit that makes the change. Raises CannotFix where its place is not what it should be."""
    match change:
        case RenameKey():
            return _rename(text, change)
        case AddEntry():
            return _add(text, change)
        case ReplaceValue():
            return replaced(text, change)
        case RemoveComment():
            raise CannotFix("JSON has no comments")


def _rename(text: str, change: RenameKey) -> Edit:
    start, _ = offsets(text, change.span)
    key = _STRING.match(text, start)
    if key is None or not _COLON.match(text, key.end()):
        raise CannotFix("what stands there is no key that can be renamed")
    return Edit(start, key.end(), json.dumps(change.new))


def _add(text: str, change: AddEntry) -> Edit:
    key_start, end = _entry(text, change.after)
    first, _ = line_bounds(text, key_start)
    indent = text[first:key_start]
    entry = f"{json.dumps(change.key)}: {json.dumps(change.value)}"
    if indent.strip():
        return Edit(end, end, f", {entry}")
    return Edit(end, end, f",{newline_at(text, first)}{indent}{entry}")


def _entry(text: str, span: Span) -> tuple[int, int]:
    """Where an entry's key starts and its value ends, from the place of either."""
    start, _ = offsets(text, span)
    key = _STRING.match(text, start)
    colon = _COLON.match(text, key.end()) if key else None
    value_start = colon.end() if colon else start
    if colon is None:
        from_here = max(0, start - _KEY_REACH)
        before = next(
            (
                found
                for quote in re.finditer('"', text[from_here:start])
                if (found := _KEY_BEFORE.match(text[:start], from_here + quote.start()))
            ),
            None,
        )
        if before is None:
            raise CannotFix("what stands there is no entry that another can be put behind")
        start = before.start()
    try:
        _, end = json.JSONDecoder().raw_decode(text, value_start)
    except (ValueError, RecursionError) as error:
        raise CannotFix("the entry's value does not parse") from error
    return start, end


KIND = Kind(edit, stream)
