"""Rows of a table written in Python read into a step table, with Python's way of following names."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate

from stepcheck.analysis.callables import nearest_bound, unwrapped
from stepcheck.analysis.found import Unbound, nearest_name
from stepcheck.analysis.names import find
from stepcheck.analysis.project import Project
from stepcheck.code.module import Module
from stepcheck.facts import (
    Entry,
    Invocation,
    Lambda,
    Mapping,
    Name,
    Opaque,
    Reference,
    RepeatedStep,
    Scalar,
    Span,
    StepTable,
    Target,
    Value,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._evidence import Kind, effect_kind, fields_of, looks_like_table
from stepcheck.frontends._scalars import COMPARED, nearest
from stepcheck.frontends._step import read_step

UNREADABLE = "..."
"""What messages call a step whose name only a run could tell."""
_CALLABLES = frozenset({"call", "query", "compensate"})
_MAPPINGS = 100
"""Mappings spread into one table that are followed for the names of their steps."""


class Form(Enum):
    """How a step is written, and so what it says about the table that it stands in."""

    WRITTEN = "written"
    """As a mapping of fields: evidence by them."""
    DECLARED = "declared"
    """As a call that reads like a declaration: evidence by the effect class that it is given."""
    MADE = "made"
    """As any other call: a step only beside one that is evidence."""


@dataclass(frozen=True, slots=True)
class Row:
    """One step as written, before its fields are read."""

    key: Value
    """What names it; its place is the step's."""
    fields: Value
    """A mapping of fields; anything else is a step of which nothing can be read."""
    body: Span
    conditional: bool = False
    overrides: bool = False
    """Meant to replace an earlier step of that name."""
    literal: bool = True
    """Whether it says its name itself, so that a second one of that name is a mistake."""
    form: Form = Form.WRITTEN


@dataclass(frozen=True, slots=True)
class Draft:
    """A table as written, before its steps are read."""

    name: str
    span: Span
    rows: tuple[Row, ...]
    siblings: tuple[Value, ...] = ()
    """Mappings that belong to the same table, whose steps are read where they are written."""
    open: bool = False
    listed: bool = False
    """Written as a list."""


@dataclass(frozen=True, slots=True)
class PythonResolver:
    """Follows names the way Python would, from the place where each stands."""

    project: Project
    path: str = ""
    whole: bool = False
    """Whether the file at `path` is a whole program, so that a name bound nowhere in it is a mistake."""

    def value(self, value: Value) -> Value:
        """What stands behind a name; a name that leads nowhere comes back as it is."""
        return self.project.value(value)

    def reference(self, value: Value, step_names: frozenset[str]) -> Reference | None:
        """The callable that a value names; None where only a run could tell."""
        match value:
            case Lambda(span=span):
                return Reference("<lambda>", Target.UNNAMED, "", span)
            case Scalar(value=str(text), span=span):
                return self._text(text, span, step_names)
            case Invocation(arguments=arguments, span=span):
                inner = unwrapped(self.project, value)
                if inner is not None:
                    # What its arguments are decides what it does, so it is no twin of the bare function.
                    return replace(self._name(inner, span), identity="")
                partial = value.function.dotted.rpartition(".")[2] == "partial"
                return (
                    Reference("<lambda>", Target.UNNAMED, "", span)
                    if partial and arguments and isinstance(arguments[0], Lambda)
                    else None
                )
            case Name(span=span):
                held = self.value(value)
                if isinstance(held, Scalar) and isinstance(held.value, str):
                    return self._text(held.value, span, step_names)
                return self._name(value, span)
            case _:
                return None

    def _name(self, name: Name, span: Span) -> Reference:
        thing = find(self.project, name.dotted, name.span)
        if isinstance(thing, Unbound):
            near = nearest_bound(self.project, thing.path, thing.name) if "." not in name.dotted else ""
            if near or (self.whole and thing.path == self.path):
                why = f"no {thing.name!r} in {self.project.shown(thing.path)}"
                return Reference(name.dotted, Target.MISSING, "", span, None, why, near)
        found = self.project.callable_at(name)
        return Reference(
            name.dotted, found.target, found.identity, span, found.definition, found.why, found.nearest
        )

    def _text(self, text: str, span: Span, step_names: frozenset[str]) -> Reference:
        if text in step_names:
            return Reference(text, Target.STEP, "", span)
        if "." in text or ":" in text:
            found = self.project.lookup(text, span.path)
            return Reference(
                text, found.target, found.identity, span, found.definition, found.why, found.nearest
            )
        known = sorted(step_names) if len(step_names) <= COMPARED else []
        near = nearest_name(text, known)
        if near:
            return Reference(text, Target.MISSING, "", span, None, f"no step {text!r} in its table", near)
        close = nearest(text, tuple(known))
        return Reference(text, Target.UNKNOWN, "", span, None, "no step of that name", close)


def recognised(draft: Draft, resolver: PythonResolver, options: TableOptions) -> bool:
    """Whether the rows of a draft, or those that belong to the same table, are steps."""
    if not draft.rows:
        return False
    values = [row.fields for row in draft.rows if _is_evidence(row, resolver, options)]
    for sibling in draft.siblings:
        mapping = resolver.value(sibling)
        if isinstance(mapping, Mapping):
            values += [entry.value for entry in mapping.entries if entry.key is not None]
    names = frozenset(filter(None, (step_name(row.key, resolver.value) for row in draft.rows)))
    return looks_like_table(values, draft.name, options, resolver, names, listed=draft.listed)


def _is_evidence(row: Row, resolver: PythonResolver, options: TableOptions) -> bool:
    """Whether a step counts for or against its being in a table at all."""
    if row.form is Form.WRITTEN:
        return True
    if not isinstance(row.fields, Mapping):
        return False
    kind = effect_kind(fields_of(row.fields, options, resolver))
    return kind is Kind.FOREIGN or (row.form is Form.DECLARED and kind in {Kind.OURS, Kind.NEAR})


def read_tables(
    module: Module, project: Project, options: TableOptions, drafts: list[Draft]
) -> list[StepTable]:
    """The step tables of one file, in the order of the file."""
    bodies = [row.body for draft in drafts for row in draft.rows]
    whole = not any(item.alias == "*" for item in module.imports) and _lie_within(
        [span for _, span in module.loose], [body for body in bodies if body.path == module.path]
    )
    tables = []
    for draft in drafts:
        if any(within(draft.span, block) for block in module.failing):
            continue  # a table that is meant to be refused
        resolver = PythonResolver(project, module.path, whole and _holds_bound(module, draft))
        tables.append(_read(draft, resolver, options))
    return sorted(tables, key=lambda table: table.span)


def _read(draft: Draft, resolver: PythonResolver, options: TableOptions) -> StepTable:
    named = [(step_name(row.key, resolver.value), row) for row in draft.rows]
    siblings = [name for sibling in draft.siblings for name in names_in(sibling, resolver.value)]
    step_names = frozenset(name for name in [*(name for name, _ in named), *siblings] if name is not None)
    first: dict[str, Span] = {}
    repeated = []
    kept: dict[int, tuple[str | None, Row]] = {}
    for index, (name, row) in enumerate(named):
        if name is not None and name in first and not row.conditional and row.literal:
            if not row.overrides:
                repeated.append(RepeatedStep(name, first[name], row.key.span))
            if not _builds_on(row, resolver):
                kept = {at: pair for at, pair in kept.items() if pair[0] != name or pair[1].conditional}
        if name is not None:
            first.setdefault(name, row.key.span)
        kept[index] = (name, row)
    steps = [
        read_step(
            UNREADABLE if name is None else name,
            row.key.span,
            draft.name,
            row.fields
            if isinstance(row.fields, Mapping)
            else Mapping((Entry(None, Opaque("a step", row.fields.span)),), row.fields.span),
            resolver,
            step_names,
            options,
            row.body,
        )
        for name, row in kept.values()
    ]
    opened = draft.open or None in siblings or any(name is None for name, _ in named)
    return StepTable(draft.name, draft.span, tuple(steps), tuple(repeated), opened)


def unseen(row: Row, at: Span) -> Row:
    """The step, where fields that it does not show may be given to it elsewhere."""
    if not isinstance(row.fields, Mapping):
        return row
    entries = (Entry(None, Opaque("completed elsewhere", at)), *row.fields.entries)
    return replace(row, fields=Mapping(entries, row.fields.span))


def step_name(key: Value, value: Callable[[Value], Value]) -> str | None:
    """The step's name that a key comes to, None where only a run could tell.

    A name that leads nowhere gives its last part.
    """
    found = value(key)
    if isinstance(found, Scalar):
        return str(found.value)
    if isinstance(found, Name):
        return found.dotted.rpartition(".")[2]
    return None


def names_in(value: Value, follow: Callable[[Value], Value]) -> list[str | None]:
    """The step names of a mapping, spreads included: None for each that cannot be seen, or is too far."""
    found: list[str | None] = []
    seen: set[Span] = set()
    waiting = [value]
    while waiting:
        if len(seen) > _MAPPINGS:
            return [*found, None]
        mapping = follow(waiting.pop())
        if not isinstance(mapping, Mapping) or mapping.span in seen:
            continue
        seen.add(mapping.span)
        for entry in mapping.entries:
            if entry.key is None:
                waiting.append(entry.value)
            else:
                found.append(step_name(entry.key, follow))
    return found


def joined(start: Span, end: Span) -> Span:
    """From the start of one place to the end of another; the second alone where that makes no stretch."""
    if start.path != end.path or start[1:3] > end[3:]:
        return end
    return Span(start.path, start.line, start.column, end.end_line, end.end_column)


def within(inner: Span, outer: Span) -> bool:
    """Whether one place lies in another."""
    return inner.path == outer.path and outer[1:3] <= inner[1:3] and inner[3:] <= outer[3:]


def _lie_within(inner: list[Span], outer: list[Span]) -> bool:
    """Whether each of some places of a file lies in one of others."""
    starts = sorted(outer)
    ends = list(accumulate((place[3:] for place in starts), max))
    befores = (bisect_right(starts, place[1:3], key=lambda start: start[1:3]) for place in inner)
    return all(before and ends[before - 1] >= place[3:] for place, before in zip(inner, befores, strict=True))


def _builds_on(row: Row, resolver: PythonResolver) -> bool:
    """Whether a later step of a name rests on the earlier one in a way that cannot be read."""
    return not isinstance(row.fields, Mapping) or any(
        entry.key is None and not isinstance(resolver.value(entry.value), Mapping)
        for entry in row.fields.entries
    )


def _holds_bound(module: Module, draft: Draft) -> bool:
    """Whether some callable of a table is bound in its file."""
    return any(
        isinstance(entry.key, Scalar)
        and entry.key.value in _CALLABLES
        and isinstance(entry.value, Name)
        and entry.value.dotted.partition(".")[0] in module.bound
        for row in draft.rows
        if isinstance(row.fields, Mapping)
        for entry in row.fields.entries
    )
