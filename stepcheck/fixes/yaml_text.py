"""YAML: edits of its text, and what a file says as a stream of parser events."""

import re
from dataclasses import dataclass
from typing import Any

from stepcheck.fixes.comment import without_comment
from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.kind import Kind
from stepcheck.fixes.text import line_bounds, newline_at, offsets
from stepcheck.fixes.value import replaced
from stepcheck.fixes.verify import Item, Stream
from stepcheck.rule import AddEntry, Change, RemoveComment, RenameKey, ReplaceValue

_KEY = re.compile(r"""[A-Za-z_][\w.-]*|"[^"\\\r\n]*"|'[^'\r\n]*'""")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SPECIAL = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))


@dataclass(slots=True)
class _Open:
    """A mapping or sequence that is being read."""

    flow: bool
    mapping: bool
    key_start: int = -1
    """Of a mapping's entry whose value is still to come; -1 where a key comes next."""
    key_read: bool = False
    wanted: bool = False
    """The entry being read is the one looked for."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An entry: where its key starts and its value ends, and how its mapping is written."""

    key_start: int
    end: int
    flow: bool


def stream(text: str) -> Stream:
    """What the file says: anchors, tags, aliases and the kind of each scalar included, layout not."""
    return [_item(event) for event in _events(text)]


def edit(text: str, change: Change) -> Edit:
    """The edit that makes the change. Raises CannotFix where its place is not what it should be."""
    match change:
        case RenameKey():
            return _rename(text, change)
        case AddEntry():
            return _add(text, change)
        case ReplaceValue():
            return replaced(text, change, _quote(change.new))
        case RemoveComment():
            return without_comment(text, change)


def _quote(value: str) -> str:
    """The quote a string needs: none where no YAML reader takes it for anything else."""
    return "" if _PLAIN.fullmatch(value) and value.lower() not in _SPECIAL else '"'


def _rename(text: str, change: RenameKey) -> Edit:
    start, end = offsets(text, change.span)
    key = _KEY.fullmatch(text, start, end)
    if key is None:
        raise CannotFix("what stands there is no key that can be renamed")
    quote = text[start] if text[start] in "\"'" else ""
    return Edit(start, end, f"{quote}{change.new}{quote}")


def _add(text: str, change: AddEntry) -> Edit:
    start, _ = offsets(text, change.after)
    found = _entry(text, start)
    first, _ = line_bounds(text, found.key_start)
    before = text[first : found.key_start]
    quote = _quote(change.value)
    entry = f"{change.key}: {quote}{change.value}{quote}"
    if found.flow:
        own_line = not before.strip()
        lead = f",{newline_at(text, first)}{before}" if own_line else ", "
        return Edit(found.end, found.end, lead + entry)
    if before.strip(" -"):
        raise CannotFix("the entry does not start its line")
    last = line_bounds(text, found.end)[1]
    return Edit(last, last, f"{newline_at(text, first)}{' ' * len(before)}{entry}")


def _events(text: str) -> list[Any]:
    import yaml  # noqa: PLC0415 - costs time that most runs need not spend

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return list(yaml.parse(text, Loader=loader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = getattr(error, "problem", None) or type(error).__name__
        raise CannotFix(f"the document does not parse: {problem}") from error


def _item(event: Any) -> Item:
    kind = type(event).__name__
    if kind == "ScalarEvent":
        # Quoted or plain tells a string from a number; which quotes it has does not matter.
        plain = "plain" if event.style in (None, "") else "quoted"
        return f"{plain} {event.anchor} {event.tag}", event.value
    return f"{kind} {getattr(event, 'tag', None)}", str(getattr(event, "anchor", None))


def _entry(text: str, start: int) -> _Found:
    """The entry whose key or value starts at that offset."""
    open_: list[_Open] = []
    end = 0
    for event in _events(text):
        kind = type(event).__name__
        if kind.startswith(("Stream", "Document")):
            continue
        closes = kind in ("MappingEndEvent", "SequenceEndEvent")
        ended = open_.pop() if closes else None
        if ended is None or ended.flow:  # the end of a block collection is where the next thing starts
            end = max(end, _written_end(text, event.end_mark.index))
        parent = open_[-1] if open_ and open_[-1].mapping else None
        if parent and not closes:
            if parent.key_start < 0:
                parent.key_start, parent.key_read, parent.wanted = event.start_mark.index, False, False
            parent.wanted = parent.wanted or event.start_mark.index == start
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            open_.append(_Open(bool(event.flow_style), kind == "MappingStartEvent"))
        elif parent and not parent.key_read:
            parent.key_read = True
        elif parent:
            if parent.wanted:
                return _Found(parent.key_start, end, parent.flow)
            parent.key_start = -1
    raise CannotFix("what stands there is no entry that another can be put behind")


def _written_end(text: str, end: int) -> int:
    """The end of what is written before that offset: a block scalar's end is where the next thing starts."""
    while end and text[end - 1] in " \t\r\n":
        end -= 1
    return end


KIND = Kind(edit, stream)
