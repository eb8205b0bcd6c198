"""JSON read with the place of every key and value; it accepts what the standard library accepts."""

import re
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]  # public in CPython, unknown to typeshed

from stepcheck.facts import Entry, Mapping, Scalar, Sequence, Value
from stepcheck.frontends._text import DEEPEST, Text

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?", re.ASCII)
_WORDS: dict[str, bool | float | None] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


def read_json(text: Text) -> tuple[Value]:
    """The one value of the text. Raises Unreadable with the place of what was not expected."""
    value, end = _value(text, _skip(text, 0), 0)
    end = _skip(text, end)
    if end != len(text.content):
        raise _invalid(text, end, "expected the end of the text")
    return (value,)


def _value(text: Text, start: int, depth: int) -> tuple[Value, int]:
    if depth > DEEPEST:
        raise text.unreadable(start, f"it is nested more than {DEEPEST} levels deep")
    match text.content[start : start + 1]:
        case "{":
            return _object(text, start, depth)
        case "[":
            return _array(text, start, depth)
        case '"':
            return _string(text, start)
        case _:
            return _word(text, start)


def _object(text: Text, start: int, depth: int) -> tuple[Value, int]:
    entries: list[Entry] = []
    index = _skip(text, start + 1)
    while entries or text.content[index : index + 1] != "}":
        if text.content[index : index + 1] != '"':
            raise _invalid(text, index, "expected a key in double quotes")
        key, index = _string(text, index)
        index = _skip(text, index)
        if text.content[index : index + 1] != ":":
            raise _invalid(text, index, "expected ':' behind the key")
        value, index = _value(text, _skip(text, index + 1), depth + 1)
        entries.append(Entry(key, value))
        index = _skip(text, index)
        if text.content[index : index + 1] == "}":
            break
        if text.content[index : index + 1] != ",":
            raise _invalid(text, index, "expected ',' or '}'")
        index = _skip(text, index + 1)
    return Mapping(tuple(entries), text.span(start, index + 1)), index + 1


def _array(text: Text, start: int, depth: int) -> tuple[Value, int]:
    items: list[Value] = []
    index = _skip(text, start + 1)
    while items or text.content[index : index + 1] != "]":
        value, index = _value(text, index, depth + 1)
        items.append(value)
        index = _skip(text, index)
        if text.content[index : index + 1] == "]":
            break
        if text.content[index : index + 1] != ",":
            raise _invalid(text, index, "expected ',' or ']'")
        index = _skip(text, index + 1)
    return Sequence(tuple(items), text.span(start, index + 1)), index + 1


def _string(text: Text, start: int) -> tuple[Value, int]:
    try:
        content, end = scanstring(text.content, start + 1, True)
    except JSONDecodeError as error:
        raise _invalid(
            text, error.pos, error.msg.lower().removesuffix(" starting at").removesuffix(" at")
        ) from None
    return Scalar(content, text.span(start, end)), end


def _word(text: Text, start: int) -> tuple[Value, int]:
    for word, meaning in _WORDS.items():
        if text.content.startswith(word, start):
            return Scalar(meaning, text.span(start, start + len(word))), start + len(word)
    number = _NUMBER.match(text.content, start)
    if number is None:
        raise _invalid(text, start, "expected a value")
    try:
        whole = number[2] is None and number[3] is None
        content = int(number[0]) if whole else float(number[0])
    except ValueError:
        raise text.unreadable(start, "a number has more digits than Python reads") from None
    return Scalar(content, text.span(start, number.end())), number.end()


def _skip(text: Text, index: int) -> int:
    """Behind white space."""
    found = _SPACE.match(text.content, index)
    return found.end() if found else index


def _invalid(text: Text, index: int, expected: str) -> Exception:
    return text.unreadable(index, f"it is not valid JSON: {expected}")
