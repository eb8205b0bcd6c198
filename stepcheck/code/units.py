"""The functions of a Python file told from its lines, without parsing it, and the file without some of their bodies.

What a line looks like may be wrong, in texts that hold code: whoever parses a shortened file parses all of it where
the short one is no valid Python.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

_DEFINITION = re.compile(rb"def[ \t]+(\w+)")
_HEADER_ENDS = re.compile(rb":[ \t]*(?:#[^\n]*)?\r?\n")
_CLOSES = re.compile(rb"\n[ \t]*[)\]][^\n#]*:[ \t]*(?:#[^\n]*)?\r?\n")
_CODE = re.compile(rb"^([ \t]*+)[^\s#]", re.MULTILINE)
_MOST_LINES = 200
"""Lines of a long text that stand to the left of the function around it."""
LEFT_OUT = b"return left_out()"
"""In place of a body: it may do anything, and give anything."""
_QUOTES = (b'"""', b"'''")
_SPACE = b" \t"


class Unit(NamedTuple):
    """A function that is in no other: a method, or one at the top."""

    name: bytes
    start: int
    """Of its first decorator."""
    body: int
    """Where the line behind its header begins; the end where the body cannot be told from the header."""
    end: int
    """Where the line behind it begins."""


def units(data: bytes) -> Iterator[Unit]:
    """The functions of a file, in order; what stands in another function is part of that."""
    at = 0
    while True:
        found = _DEFINITION.search(data, at)
        if found is None:
            return
        line = data.rfind(b"\n", 0, found.start()) + 1
        before = data[line : found.start()]
        indent = before.rstrip(_SPACE).removesuffix(b"async")
        if indent.strip(_SPACE):
            at = found.end()
            continue
        wide = len(before) - len(before.lstrip(_SPACE))
        body = _behind_header(data, line, found.end())
        end, plain = _end(data, found.end() if body < 0 else body, wide)
        yield Unit(found[1], _decorated(data, at, line, wide), body if plain and body >= 0 else end, end)
        at = end


def without(data: bytes, left_out: Collection[Unit]) -> bytes:
    """The file with a call of something unknown for the bodies of these functions: all else stays in its place."""
    parts: list[bytes] = []
    at = 0
    for unit in sorted(left_out, key=lambda unit: unit.start):
        if unit.body >= unit.end:
            continue
        code = _CODE.search(data, unit.body, unit.end)
        if code is None:
            continue
        before, behind = data.count(b"\n", unit.body, code.start()), data.count(b"\n", code.start(), unit.end)
        parts += (data[at : unit.body], b"\n" * before, code[1], LEFT_OUT, b"\n" * behind)
        at = unit.end
    return b"".join([*parts, data[at:]])


def _behind_header(data: bytes, line: int, named: int) -> int:
    """Where the line behind a header begins; -1 where that is not plain to see."""
    stop = data.find(b"\n", named)
    if stop < 0:
        return -1
    ends = _HEADER_ENDS.search(data, named, stop + 1)
    if ends is not None and data.count(b"(", line, ends.start()) == data.count(b")", line, ends.start()):
        return ends.end()
    if data.count(b"(", line, stop) == data.count(b")", line, stop):
        return -1  # it stands on one line
    closes = _CLOSES.search(data, stop)
    if closes is None:
        return -1
    inside = data[line : closes.end()]
    return closes.end() if inside.count(b"(") == inside.count(b")") else -1


def _end(data: bytes, body: int, wide: int) -> tuple[int, bool]:
    """Where the first line begins that stands no further to the right than the function, and in no long text.

    With whether that is plain to see.
    """
    at, odd = body, [False, False]
    for _ in range(_MOST_LINES):
        found = _outside(wide).search(data, at - 1)
        stop = len(data) if found is None else found.start() + 1
        odd = [was != data.count(quotes, at, stop) % 2 for was, quotes in zip(odd, _QUOTES, strict=True)]
        if found is None or not any(odd):
            return stop, not any(odd)
        at = found.end()
    return len(data), False


@lru_cache
def _outside(wide: int) -> re.Pattern[bytes]:
    """A line with code at most so many columns to the right; closing brackets and comments end nothing."""
    return re.compile(rb"\n[ \t]{0,%d}(?=[^\s#)\]}])" % wide)


def _decorated(data: bytes, after: int, line: int, wide: int) -> int:
    """Where the decorators of a function begin, among the lines behind the function before it."""
    mark = data[line : line + wide] + b"@"
    if data.startswith(mark, after):
        return after
    found = data.find(b"\n" + mark, after, line)
    return line if found < 0 else found + 1
