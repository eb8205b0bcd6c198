"""TOML: edits of its text, and what a document says as a stream."""

import datetime
import re
import tomllib
from collections.abc import Iterator

from stepcheck.fixes.comment import without_comment
from stepcheck.fixes.edit import CannotFix, Edit, apply
from stepcheck.fixes.kind import Kind
from stepcheck.fixes.text import line_bounds, newline_at, offsets
from stepcheck.fixes.value import replaced
from stepcheck.fixes.verify import Item, Stream, says_the_same
from stepcheck.rule import AddEntry, Change, RemoveComment, RenameKey, ReplaceValue

_KEY = re.compile(r"""[A-Za-z0-9_-]+|"[^"\\\r\n]*"|'[^'\r\n]*'""")
_OWN_LINE = re.compile(
    r"""[ \t]*(?P<prefix>(?:(?:[A-Za-z0-9_-]+|"[^"\\\r\n]*"|'[^'\r\n]*')[ \t]*\.[ \t]*)*)"""
    r"""(?:[A-Za-z0-9_-]+|"[^"\\\r\n]*"|'[^'\r\n]*')[ \t]*="""
)
_TRIES = 200
"""Places looked at for the end of an entry's value."""


def stream(text: str) -> Stream:
    """What the document says. Raises CannotFix where it does not parse."""
    try:
        todo: list[object] = [tomllib.loads(text)]
    except (ValueError, RecursionError) as error:
        raise CannotFix(f"the document does not parse: {error}") from error
    items: list[Item] = []
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            items.append(("table", ""))
            todo.append(("end", ""))
            todo += reversed([part for key, inner in value.items() for part in (("key", key), inner)])
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
        case datetime.date() | datetime.time():
            return type(value).__name__, value.isoformat()
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
            return without_comment(text, change)


def _rename(text: str, change: RenameKey) -> Edit:
    start, end = offsets(text, change.span)
    key = _KEY.match(text, start)
    if key is None or key.end() != end:
        raise CannotFix("what stands there is no key that can be renamed")
    quote = text[start] if text[start] in "\"'" else ""
    return Edit(start, end, f"{quote}{change.new}{quote}")


def _add(text: str, change: AddEntry) -> Edit:
    """The edit that puts an entry right behind another: a line of its own, or one more in an inline table.

    Where the value ends is found by trying: the first place at which the document says what it said and
    the new entry besides.
    """
    before = stream(text)
    for candidate in _candidates(text, change):
        try:
            after = stream(apply(text, [candidate]))
        except CannotFix:
            continue
        if says_the_same(before, after, [change]):
            return candidate
    raise CannotFix("what stands there is no entry that another can be put behind")


def _candidates(text: str, change: AddEntry) -> Iterator[Edit]:
    start, _ = offsets(text, change.after)
    first, last = line_bounds(text, start)
    newline = newline_at(text, start)
    own = _OWN_LINE.match(text, first, last)
    quoted = '"' + change.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if own and not re.search(r"[{\[]", text[own.end() : max(start, own.end())]):
        indent = text[first : own.start("prefix")]
        line = f"{indent}{own['prefix']}{change.key} = {quoted}"
        for _ in range(_TRIES):
            yield Edit(last, last, newline + line)
            if last >= len(text):
                return
            _, last = line_bounds(text, last + len(newline_at(text, last)))
        return
    for found, _ in zip(re.finditer(r"[ \t]*[,}]", text[start:]), range(_TRIES), strict=False):
        here = start + found.start()
        yield Edit(here, here, f", {change.key} = {quoted}")


KIND = Kind(edit, stream)
