"""TOML read with the place of every key and value: tomllib judges and computes, a scan finds the places."""

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from stepcheck.facts import Entry, Mapping, Scalar, Sequence, Value
from stepcheck.frontends._text import DEEPEST, Text

_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_PART = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|' + r"'[^']*'")
_TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|' + r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|" + _PART.pattern, re.DOTALL
)
_LONG_KEY = re.compile(
    rf"(?:^|[\[{{,])[ \t]*+(?:(?:{_PART.pattern})[ \t]*+\.[ \t]*+){{{DEEPEST}}}", re.MULTILINE
)
"""A dotted key of so many parts; the standard library's memory grows with their square."""
_WORD = re.compile(r"[^,\]}#\r\n]*")


@dataclass(slots=True)
class _Node:
    """A value while the file is scanned: where it stands, and where its parts do."""

    start: int
    end: int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    parts: "dict[str, _Node]" = field(default_factory=dict)
    items: "list[_Node]" = field(default_factory=list)


def read_toml(text: Text) -> tuple[Value]:
    """The file's one table. Raises Unreadable with the place where the standard library stops."""
    long_key = _LONG_KEY.search(text.content)
    if long_key:
        raise text.unreadable(long_key.start(), f"it is nested more than {DEEPEST} levels deep")
    try:
        content = tomllib.loads(text.content)
    except RecursionError:
        raise text.unreadable(0, f"it is nested more than {DEEPEST} levels deep") from None
    except ValueError as error:
        raise _invalid(text, error) from None
    root = _Node(0, len(text.content.rstrip()))
    _scan(text.content, root)
    return (_placed(text, root, content, 0),)


def _invalid(text: Text, error: ValueError) -> Exception:
    message = str(error)
    place = _PLACE.search(message)
    if place is None:
        return text.unreadable(0, f"it is not valid TOML: {message[:1].lower()}{message[1:]}")
    index = text.index(int(place["line"]), int(place["column"])) if place["line"] else len(text.content)
    return text.unreadable(index, f"it is not valid TOML: {message[:1].lower()}{message[1 : place.start()]}")


def _scan(content: str, root: _Node) -> None:
    """Find the places of a file that is known to be valid."""
    table = root
    index = _gap(content, 0)
    while index < len(content):
        if content.startswith("[", index):
            brackets = 2 if content.startswith("[[", index) else 1
            path, behind = _key(content, index + brackets)
            end = _space(content, behind) + brackets
            table = _header(root, path, index, end, many=brackets == 2)
        else:
            end = _entry(content, index, table)
        index = _gap(content, end)


def _header(root: _Node, path: list[tuple[str, int, int]], start: int, end: int, *, many: bool) -> _Node:
    """The table that a header opens. The tables on its way reach as far as what is written in them."""
    node = root
    for name, first, last in path:
        node = _child(node, name, (first, last), _Node(start, end))
        if node.items and (name, first, last) != path[-1]:
            node = node.items[-1]
            _reach(node, start, end)
    if many:
        node.items.append(_Node(start, end))
        return node.items[-1]
    return node


def _child(node: _Node, name: str, place: tuple[int, int], new: _Node) -> _Node:
    node.keys.setdefault(name, place)
    child = node.parts.setdefault(name, new)
    _reach(child, new.start, new.end)
    return child


def _reach(node: _Node, start: int, end: int) -> None:
    node.start, node.end = min(node.start, start), max(node.end, end)


def _entry(content: str, start: int, table: _Node) -> int:
    """Read `key = value` into a table; behind it."""
    path, behind = _key(content, start)
    value, end = _value(content, _space(content, _space(content, behind) + 1))
    _reach(table, table.start, end)
    node = table
    for name, first, last in path[:-1]:
        node = _child(node, name, (first, last), _Node(start, end))
    name, first, last = path[-1]
    node.keys[name] = first, last
    node.parts[name] = value
    return end


def _key(content: str, index: int) -> tuple[list[tuple[str, int, int]], int]:
    """The parts of a dotted key with their places; behind it."""
    path: list[tuple[str, int, int]] = []
    while True:
        part = _PART.match(content, _space(content, index))
        if part is None:
            return path, index
        path.append((_name(part[0]), part.start(), part.end()))
        index = part.end()
        dot = _space(content, index)
        if not content.startswith(".", dot):
            return path, index
        index = dot + 1


def _name(written: str) -> str:
    if written.startswith("'"):
        return written[1:-1]
    if written.startswith('"'):
        name: str = tomllib.loads(f"name = {written}")["name"] if "\\" in written else written[1:-1]
        return name
    return written


def _value(content: str, start: int) -> tuple[_Node, int]:
    opening = content[start]
    if opening == "[":
        return _array(content, start)
    if opening == "{":
        return _inline(content, start)
    if opening in "\"'":
        found = _TEXT.match(content, start)
        end = found.end() if found else start
    else:
        found = _WORD.match(content, start)
        end = start + len(found[0].rstrip()) if found else start
    return _Node(start, end), end


def _array(content: str, start: int) -> tuple[_Node, int]:
    node = _Node(start, start)
    index = _gap(content, start + 1)
    while content[index] != "]":
        item, index = _value(content, index)
        node.items.append(item)
        index = _gap(content, index)
        if content[index] == ",":
            index = _gap(content, index + 1)
    node.end = index + 1
    return node, node.end


def _inline(content: str, start: int) -> tuple[_Node, int]:
    node = _Node(start, start)
    index = _gap(content, start + 1)
    while content[index] != "}":
        index = _gap(content, _entry(content, index, node))
        if content[index] == ",":
            index = _gap(content, index + 1)
    node.end = index + 1
    return node, node.end


def _gap(content: str, index: int) -> int:
    """Behind white space, line ends and comments."""
    found = _GAP.match(content, index)
    return found.end() if found else index


def _space(content: str, index: int) -> int:
    found = _SPACE.match(content, index)
    return found.end() if found else index


def _placed(text: Text, node: _Node, value: Any, depth: int) -> Value:
    """The standard library's values at the scanned places. Dates and times become text as written."""
    if depth > DEEPEST:
        raise text.unreadable(node.start, f"it is nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        parts = [(name, _placed(text, part, value[name], depth + 1)) for name, part in node.parts.items()]
        node.end = max([node.end, *(part.end for part in node.parts.values())])
        entries = (Entry(Scalar(name, text.span(*node.keys[name])), part) for name, part in parts)
        return Mapping(tuple(entries), text.span(node.start, node.end))
    if isinstance(value, list):
        items = [_placed(text, *pair, depth + 1) for pair in zip(node.items, value, strict=True)]
        node.end = max([node.end, *(item.end for item in node.items)])
        return Sequence(tuple(items), text.span(node.start, node.end))
    known = isinstance(value, str | int | float)
    return Scalar(value if known else text.content[node.start : node.end], text.span(node.start, node.end))
