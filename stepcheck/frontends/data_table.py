"""Step tables in YAML, TOML and JSON: mappings or lists of steps, wherever they stand in the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from stepcheck.analysis.found import Found
from stepcheck.facts import (
    Effect,
    Mapping,
    Opaque,
    Reference,
    RepeatedStep,
    Scalar,
    Sequence,
    Span,
    Step,
    StepTable,
    Target,
    Value,
)
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._document import Document
from stepcheck.frontends._fields import field_name
from stepcheck.frontends._scalars import COMPARED, nearest
from stepcheck.frontends._step import looks_like_table, read_step

STEPS = "steps"
HOLDERS = frozenset({STEPS, "tables"})
"""Keys that hold steps or tables and are no part of a table's name."""

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?::[^\W\d]\w*(?:\.[^\W\d]\w*)*)?")
_NEEDED = frozenset({"call", "effect"})
_TEMPLATE = re.compile(r"\$\{|\{\{|\$\w")


class Lookup(Protocol):
    """The part of a project that this frontend needs."""

    def lookup(self, dotted: str, importer: str = "") -> Found:
        """The callable that a dotted path names."""
        ...


@dataclass(frozen=True, slots=True)
class DataResolver:
    """What names mean in a data file: values are what they are, and callables are dotted paths."""

    project: Lookup

    def value(self, value: Value) -> Value:
        """The value itself; text that a template engine fills in is opaque."""
        if isinstance(value, Scalar) and isinstance(value.value, str) and _TEMPLATE.search(value.value):
            return Opaque("filled in by a template engine", value.span)
        return value

    def reference(self, value: Value, step_names: frozenset[str]) -> Reference | None:
        """The step or function that a text names."""
        if not isinstance(value, Scalar) or not isinstance(value.value, str) or _TEMPLATE.search(value.value):
            return None
        name = value.value
        if name in step_names:
            return Reference(name, Target.STEP, "", value.span)
        if _DOTTED.fullmatch(name) and ("." in name or ":" in name):
            found = self.project.lookup(name, value.span.path)
            return Reference(
                name, found.target, found.identity, value.span, found.definition, found.why, found.nearest
            )
        # A word alone may be what a team's own registry of callables is asked for.
        close = nearest(name, tuple(sorted(step_names))) if len(step_names) <= COMPARED else ""
        return Reference(name, Target.UNKNOWN, name, value.span, why="no step of that name", nearest=close)


@dataclass(frozen=True, slots=True)
class _Item:
    """What would be one step."""

    name: str
    name_span: Span
    value: Value
    body: Span
    merged: bool
    """Written elsewhere, and merged in: a step of the same name overrides it deliberately."""


def tables(document: Document, project: Lookup, options: TableOptions) -> Iterator[StepTable]:
    """Every step table of the file, in the order written."""
    stem = PurePosixPath(document.path).stem
    for number, root in enumerate(document.roots, start=1):
        name = stem if len(document.roots) == 1 else f"{stem} {number}"
        yield from _search(_Search(name, DataResolver(project), options), root, ())


@dataclass(frozen=True, slots=True)
class _Search:
    """One YAML document, TOML or JSON file in which tables are looked for."""

    stem: str
    """Names a table to which no keys lead."""
    resolver: DataResolver
    options: TableOptions


def _search(
    search: _Search, value: Value, keys: tuple[str, ...], *, listed: bool = False
) -> Iterator[StepTable]:
    """The tables in a value, `listed` where it is an item of a list.

    What stands beside `steps` or `tables` that hold some is no step itself.
    """
    held: list[StepTable] = []
    others: list[tuple[tuple[str, ...], Value]] = []
    if isinstance(value, Sequence):
        others = [(keys, item) for item in value.items if isinstance(item, Mapping | Sequence)]
    elif not isinstance(value, Mapping):
        return
    else:
        for name, part in _children(value):
            if name in HOLDERS:
                held += _search(search, part, (*keys, name))
            elif isinstance(part, Mapping | Sequence):
                others.append(((*keys, name), part))
    if not held and any(_may_be_step(part, search.options) for part in _parts(value)):
        items, hole = _items(value)
        if _is_table(search, keys, items, listed=listed or isinstance(value, Sequence)):
            yield _table(search, value, _name(keys, search.stem), items, hole)
            return
    yield from held
    for path, part in others:
        yield from _search(search, part, path, listed=isinstance(value, Sequence))


def _is_table(search: _Search, keys: tuple[str, ...], items: list[_Item], *, listed: bool) -> bool:
    """Whether these are steps. Rows with a few words beside one mapping are records of something else."""
    entries = [item.value for item in items]
    filled = [entry for entry in entries if not (isinstance(entry, Scalar) and entry.value is None)]
    if sum(isinstance(entry, Mapping) for entry in filled) * 2 < len(filled):
        return False
    # In a list of one mapping a name (`- create: {call: http.get, query: create}`), another tool's steps go by
    # the same words, and its arguments by the names of steps.
    names: frozenset[str] = frozenset() if listed else frozenset(item.name for item in items)
    name = keys[-1] if keys else search.stem
    return looks_like_table(entries, name, search.options, search.resolver, names, listed=listed)


def _parts(value: Mapping | Sequence) -> Iterator[Mapping]:
    """The mappings in a mapping or list, and those in a list's mappings of one name."""
    if isinstance(value, Mapping):
        for entry in value.entries:
            if isinstance(entry.value, Mapping):
                yield entry.value
                if entry.key is None:
                    yield from _parts(entry.value)
        return
    for item in value.items:
        if isinstance(item, Mapping):
            yield item
            yield from _parts(item)


def _may_be_step(mapping: Mapping, options: TableOptions) -> bool:
    """Whether it has a call or an effect class: a cheap question before all of its fields are read."""
    for entry in mapping.entries:
        key, value = entry.key, entry.value
        if isinstance(value, Scalar) and value.value in tuple(Effect):
            return True
        if isinstance(key, Scalar) and field_name(str(key.value), options) in _NEEDED:
            return True
        if key is None and isinstance(value, Mapping) and _may_be_step(value, options):
            return True
    return False


def _children(mapping: Mapping) -> Iterator[tuple[str, Value]]:
    """The parts in which tables may stand."""
    for entry in mapping.entries:
        if isinstance(entry.key, Scalar) and not _template_name(str(entry.key.value)):
            yield str(entry.key.value), entry.value


def _template_name(name: str) -> bool:
    """Whether a key by custom holds something to merge elsewhere (`x-defaults`, `.defaults`, `_defaults`)."""
    return name.startswith(("x-", ".", "_"))


def _name(keys: tuple[str, ...], stem: str) -> str:
    return ".".join(key for key in keys if key not in HOLDERS) or stem


def _items(value: Value) -> tuple[list[_Item], bool]:
    """What would be the steps if the value were a table, and whether there may be more of them."""
    if isinstance(value, Mapping):
        return _entries(value, merged=False)
    if isinstance(value, Sequence):
        items = [_listed(item, number) for number, item in enumerate(value.items, start=1)]
        return items, any(isinstance(item, Opaque) for item in value.items)
    return [], False


def _entries(mapping: Mapping, *, merged: bool) -> tuple[list[_Item], bool]:
    items: list[_Item] = []
    hole = False
    for entry in mapping.entries:
        if entry.key is None and isinstance(entry.value, Mapping):
            more, inner_hole = _entries(entry.value, merged=True)
            items += more
            hole = hole or inner_hole
        elif not isinstance(entry.key, Scalar) or _TEMPLATE.search(str(entry.key.value)):
            hole = True
        elif not _template_name(str(entry.key.value)):
            body = entry.key.span._replace(
                end_line=entry.value.span.end_line, end_column=entry.value.span.end_column
            )
            items.append(_Item(str(entry.key.value), entry.key.span, entry.value, body, merged))
    return items, hole


def _listed(value: Value, number: int) -> _Item:
    """An item of a list: `{name: create, ...}` or `{create: {...}}`; a nameless one goes by its number."""
    if isinstance(value, Mapping):
        for entry in value.entries:
            if (
                isinstance(entry.key, Scalar)
                and entry.key.value == "name"
                and isinstance(entry.value, Scalar)
            ):
                return _Item(str(entry.value.value), entry.value.span, value, value.span, False)
        items, hole = _entries(value, merged=False)
        if len(items) == 1 and not hole and isinstance(items[0].value, Mapping):
            return items[0]
    return _Item(f"#{number}", value.span, value, value.span, False)


def _table(search: _Search, value: Value, name: str, items: list[_Item], hole: bool) -> StepTable:
    winners: dict[str, _Item] = {}
    repeated: list[RepeatedStep] = []
    for item in items:
        earlier = winners.get(item.name)
        if earlier is not None and not earlier.merged and not item.merged:
            repeated.append(RepeatedStep(item.name, earlier.name_span, item.name_span))
        winners[item.name] = item
    names = frozenset(winners)
    steps = tuple(
        _step(search, item, name, fields, names)
        for item in winners.values()
        if (fields := _fields(item.value)) is not None
    )
    opaque = any(isinstance(item.value, Opaque) for item in items)
    return StepTable(name, value.span, steps, tuple(repeated), open=hole or opaque)


def _step(search: _Search, item: _Item, table: str, fields: Mapping, names: frozenset[str]) -> Step:
    return read_step(
        item.name, item.name_span, table, fields, search.resolver, names, search.options, item.body
    )


def _fields(value: Value) -> Mapping | None:
    """A step's fields: none where nothing stands behind its name (`create:`). Other values are no step."""
    if isinstance(value, Scalar) and value.value is None:
        return Mapping((), value.span)
    return value if isinstance(value, Mapping) else None


FRONTEND = Frontend(source=Document, tables=tables)
