"""YAML read with the place of every key and value, scalars by the core schema of YAML 1.2."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from stepcheck.facts import Entry, Mapping, Opaque, Sequence, Span, Unreadable, Value
from stepcheck.frontends._text import DEEPEST, Text
from stepcheck.frontends._yaml_scalars import CORE, scalar, tagged

MOST_UNFOLDED = 100_000
"""Values that the aliases of one document may stand for, taken together."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class _Open:
    """A node whose end has not been read: a mapping, a sequence, or (outermost) a document."""

    start: int
    anchor: str | None = None
    tag: str | None = None
    parts: list[Value] = field(default_factory=list)
    """Items; for a mapping keys and values in turn."""
    merges: set[int] = field(default_factory=set)
    """Which of the parts are an unquoted `<<`: the merge key, if this is a mapping."""
    ends: int = 0
    """Behind the last part."""
    depth: int = 0
    """Of the deepest part, in levels below this node."""
    size: int = 1
    """Values in it, aliases unfolded."""


@dataclass(frozen=True, slots=True)
class _Anchored:
    value: Value
    depth: int
    size: int


def read_yaml(text: Text) -> tuple[Value, ...]:
    """One value a document. Raises Unreadable where libyaml stops, and where aliases or nesting go wild."""
    unprintable = _UNPRINTABLE.search(text.content)
    if unprintable:
        raise text.unreadable(unprintable.start(), f"the character {unprintable[0]!a} is not allowed in YAML")
    try:
        return tuple(_documents(text))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(part for part in (error.problem, error.context) if part)
        raise text.unreadable(mark.index if mark else 0, f"it is not valid YAML: {problem}") from None
    except yaml.YAMLError as error:
        raise text.unreadable(0, f"it is not valid YAML: {' '.join(str(error).split())}") from None


def _documents(text: Text) -> Iterator[Value]:
    builder = _Builder(text)
    event: Any
    for event in yaml.parse(text.content, Loader=_LOADER):
        match event:
            case yaml.DocumentStartEvent():
                builder = _Builder(text)
            case yaml.DocumentEndEvent():
                yield builder.stack[0].parts[0]
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                builder.begin(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                builder.finish(event, isinstance(event, yaml.MappingEndEvent))
            case yaml.ScalarEvent():
                builder.scalar(event)
            case yaml.AliasEvent():
                builder.alias(event)


class _Builder:
    """One document while its events arrive."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.stack = [_Open(0)]
        self.anchors: dict[str, _Anchored | None] = {}
        """None while the node that has the anchor is open."""
        self.unfolded = 0

    def begin(self, event: Any) -> None:
        start = event.start_mark.index
        if len(self.stack) > DEEPEST:
            raise self.too_deep(start)
        self.stack.append(_Open(start, event.anchor, event.tag))
        if event.anchor:
            self.anchors[event.anchor] = None

    def finish(self, event: Any, is_mapping: bool) -> None:
        node = self.stack.pop()
        flow = event.end_mark.index > event.start_mark.index
        end = event.end_mark.index if flow else max(node.ends, node.start)
        span = self.text.span(node.start, end)
        if node.tag in (None, "!", f"{CORE}map" if is_mapping else f"{CORE}seq"):
            value: Value = _mapping(node, span) if is_mapping else Sequence(tuple(node.parts), span)
        else:
            value = tagged(node.tag, span)
        if node.anchor:
            self.anchors[node.anchor] = _Anchored(value, node.depth, node.size)
        self.add(value, end, node.depth + 1, node.size)

    def scalar(self, event: Any) -> None:
        plain = event.implicit[0]
        end = _scalar_end(self.text, event)
        value = scalar(event.value, event.tag, plain, self.text.span(event.start_mark.index, end))
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, 0, 1)
        if event.value == "<<" and plain:
            self.stack[-1].merges.add(len(self.stack[-1].parts))
        self.add(value, end, 1, 1)

    def alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        span = self.text.span(start, end)
        if event.anchor not in self.anchors:
            raise self.text.unreadable(start, f"it is not valid YAML: no anchor {event.anchor!r} before it")
        known = self.anchors[event.anchor]
        if known is None:
            self.add(Opaque("an alias of what it stands in", span), end, 1, 1)
            return
        self.unfolded += known.size
        if self.unfolded > MOST_UNFOLDED:
            raise self.text.unreadable(start, f"its aliases unfold to more than {MOST_UNFOLDED} values")
        if len(self.stack) + known.depth > DEEPEST:
            raise self.too_deep(start)
        self.add(replace(known.value, span=span), end, known.depth + 1, known.size)

    def add(self, value: Value, end: int, depth: int, size: int) -> None:
        node = self.stack[-1]
        node.parts.append(value)
        node.ends = max(node.ends, end)
        node.depth = max(node.depth, depth)
        node.size += size

    def too_deep(self, index: int) -> Unreadable:
        return self.text.unreadable(index, f"it is nested more than {DEEPEST} levels deep")


def _mapping(node: _Open, span: Span) -> Mapping:
    """A mapping, merged ones first: by the merge key's definition they never override what is written."""
    merged: list[Entry] = []
    own: list[Entry] = []
    for index in range(0, len(node.parts), 2):
        key, value = node.parts[index : index + 2]
        if index in node.merges:
            several = value.items[::-1] if isinstance(value, Sequence) else (value,)
            merged += [Entry(None, one) for one in several]
        else:
            own.append(Entry(key, value))
    return Mapping((*merged, *own), span)


def _scalar_end(text: Text, event: Any) -> int:
    """Behind the last character; libyaml ends a block scalar behind the empty lines that follow it."""
    end: int = event.end_mark.index
    if event.style in ("|", ">"):
        return len(text.content[:end].rstrip("\r\n \x85\u2028\u2029"))
    return end
