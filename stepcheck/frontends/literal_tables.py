"""Step tables in Python written as dicts or lists, anywhere in a file, with what is added to them later."""

from collections.abc import Iterator
from dataclasses import replace

from stepcheck.analysis.found import Held
from stepcheck.analysis.names import definers, find
from stepcheck.analysis.project import Project
from stepcheck.analysis.unseen import completed_unseen
from stepcheck.code.changes import is_table_name
from stepcheck.code.module import Binding, How, Module
from stepcheck.code.values import ITEM, RAISES
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Sequence, Span, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import NAMES, Calls
from stepcheck.frontends._python import (
    Draft,
    Form,
    PythonResolver,
    Row,
    joined,
    read_tables,
    recognised,
    step_name,
    unseen,
    within,
)

_GROWTH = frozenset({How.ENTRY, How.MERGED, How.DELETED})


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """The step tables that a file writes as dicts and lists, each step once, where it is written."""
    assert isinstance(project, Project)
    search = _Search(source, project, options)
    return read_tables(source, project, options, list(search.drafts()))


FRONTEND = Frontend(Module, tables)


class _Search:
    """Looks through the values of one file for those that are step tables."""

    def __init__(self, module: Module, project: Project, options: TableOptions) -> None:
        self.module = module
        self.project = project
        self.options = options
        self.resolver = PythonResolver(project)
        self.calls = Calls(project, options)
        self.changed = completed_unseen(project, module)

    def drafts(self) -> Iterator[Draft]:
        """Every table, outermost first; nothing inside a table is one again."""
        grown, growth = self._growth()
        spread: set[tuple[int, str]] = set()
        waiting: list[tuple[Binding, list[Binding]]] = []
        for binding in self.module.bindings:
            if binding.how in _GROWTH:
                continue
            waiting.append((binding, grown.get((binding.scope, binding.span), [])))
        left = []
        for binding, more in waiting:
            drafts = list(self._in_binding(binding, more))
            yield from drafts
            if drafts:
                spread.update(self._spread_names(drafts))
            else:
                left.append((binding, more))
        for binding, more in left:
            # fields that make no table alone are steps all the same where a table takes them in
            if binding.how is How.ASSIGNED and (binding.scope, binding.name) in spread:
                draft = self._draft(binding.value, _last(binding.name), binding.span, more)
                if draft is not None and draft.rows:
                    yield draft
        for owner, bindings in growth.items():
            yield from self._grown_alone(owner, bindings)

    def _in_binding(self, binding: Binding, more: list[Binding]) -> Iterator[Draft]:
        value = binding.value
        if binding.how is How.ASSIGNED and isinstance(value, Invocation):
            value = self._unwrapped(value)
        found = list(self._search(value, _last(binding.name), binding.span if binding.name else None, more))
        if (binding.scope, binding.name) in self.changed or _made_by_function(binding.name, value):
            found = [
                replace(draft, rows=tuple(unseen(row, binding.span) for row in draft.rows)) for draft in found
            ]
        around = _last(self.module.scopes[binding.scope].name)
        yield from (replace(draft, name=draft.name or around) for draft in found)
        if more and not any(len(draft.rows) and draft.span == binding.span for draft in found):
            for each in more:
                yield from self._search(each.value, _last(each.name), None, [])

    def _unwrapped(self, value: Invocation) -> Value:
        """What `MappingProxyType({...})` and its like hold, where that is written on the spot."""
        if not any(isinstance(argument, Mapping | Sequence) for argument in value.arguments):
            return value
        inner = self.project.value(value)
        return inner if inner.span != value.span and within(inner.span, value.span) else value

    def _search(self, value: Value, name: str, span: Span | None, more: list[Binding]) -> Iterator[Draft]:
        draft = self._draft(value, name, span or value.span, more)
        if draft is not None and recognised(draft, self.resolver, self.options):
            yield draft
            return
        match value:
            case Mapping(entries=entries):
                for entry in entries:
                    yield from self._search(entry.value, _text(entry.key) or name, None, [])
            case Sequence(items=items):
                for item in items:
                    yield from self._search(item, name, None, [])
            case Invocation(function=function) if _last(function.dotted) in RAISES:
                return
            case Invocation(function=function, arguments=arguments, keywords=keywords):
                for argument in arguments:
                    yield from self._search(argument, name or _last(function.dotted), None, [])
                for entry in keywords:
                    yield from self._search(entry.value, _text(entry.key) or name, None, [])
            case _:
                return

    def _draft(self, value: Value, name: str, span: Span, more: list[Binding]) -> Draft | None:
        rows: list[Row] = []
        siblings: list[Value] = []
        match value:
            case Mapping(entries=entries):
                opened = self._take(entries, rows, siblings)
            case Sequence(items=items):
                opened = self._take_items(items, rows, conditional=False)
            case Invocation(function=function, keywords=keywords) if _last(function.dotted)[:1].isupper():
                # a step that is a call is read as one, whatever it is given to
                dicts = tuple(entry for entry in keywords if isinstance(entry.value, Mapping))
                opened = self._take(dicts, rows, siblings)
            case _:
                return None
        for binding in more:
            opened = self._take_growth(binding, rows, siblings) or opened
        return Draft(name, span, tuple(rows), tuple(siblings), opened, isinstance(value, Sequence))

    def _take(
        self, entries: tuple[Entry, ...], rows: list[Row], siblings: list[Value], *, overrides: bool = False
    ) -> bool:
        """Add the rows of a mapping; whether something was spread into it that could not be read."""
        opened = False
        for entry in entries:
            if entry.key is not None:
                fields = self.calls.as_fields(entry.value)
                if not isinstance(fields, Scalar | Sequence):
                    body = joined(entry.key.span, entry.value.span)
                    form = self._form(entry.value)
                    rows.append(Row(entry.key, fields, body, entry.conditional, overrides, form=form))
            elif isinstance(entry.value, Mapping):
                opened = self._take(entry.value.entries, rows, siblings, overrides=True) or opened
            elif isinstance(self.project.value(entry.value), Mapping):
                siblings.append(entry.value)
            else:
                opened = True
        return opened

    def _take_items(self, items: tuple[Value, ...], rows: list[Row], *, conditional: bool) -> bool:
        """Add the rows of a list: mappings and calls that name themselves."""
        opened = False
        for item in items:
            value = self.project.value(item)
            name: Value | None = None
            if isinstance(value, Invocation):
                name = self.calls.fields(value).name or Opaque("made by a call", value.span)
            elif isinstance(value, Mapping):
                name = self._name_among(value)
            elif isinstance(value, Sequence) and len(value.items) == 2:
                name, value = value.items[0], self.project.value(value.items[1])
            else:
                opened = True
            if name is not None and isinstance(value, Mapping | Invocation):
                fields = self.calls.as_fields(value)
                rows.append(Row(name, fields, value.span, conditional, form=self._form(value)))
        return opened

    def _form(self, value: Value) -> Form:
        found = self.project.value(value)
        if isinstance(found, Mapping):
            return Form.WRITTEN
        if isinstance(found, Invocation) and self.calls.fields(found).declares:
            return Form.DECLARED
        return Form.MADE

    def _name_among(self, mapping: Mapping) -> Value | None:
        given = {}
        for entry in mapping.entries:
            if entry.key is not None and isinstance(key := self.project.value(entry.key), Scalar):
                given[key.value] = entry.value
        return next((given[word] for word in NAMES if word in given), None)

    def _take_growth(self, binding: Binding, rows: list[Row], siblings: list[Value]) -> bool:
        if binding.how is How.DELETED:
            if binding.key is not None and not binding.conditional:
                gone = step_name(binding.key, self.resolver.value)
                kept = [
                    row for row in rows if gone is None or step_name(row.key, self.resolver.value) != gone
                ]
                rows[:] = kept
            return False
        if binding.how is How.ENTRY and binding.key is not None:
            if self._amended(binding, binding.key, rows):
                return False
            fields = self.calls.as_fields(binding.value)
            alone = isinstance(fields, Mapping) and all(entry.key is not None for entry in fields.entries)
            body = joined(binding.span, binding.value.span)
            form = self._form(binding.value)
            rows.append(Row(binding.key, fields, body, binding.conditional, overrides=not alone, form=form))
            return False
        match binding.value:
            case Mapping(entries=entries):
                added: list[Row] = []
                opened = self._take(entries, added, siblings, overrides=True)
                rows += [replace(row, conditional=binding.conditional, overrides=True) for row in added]
                return opened
            case Sequence(items=items):
                return self._take_items(items, rows, conditional=binding.conditional)
            case _:
                if isinstance(self.project.value(binding.value), Mapping):
                    siblings.append(binding.value)
                    return False
                return True

    def _amended(self, binding: Binding, key: Value, rows: list[Row]) -> bool:
        """Take `X["k"] = {**X["k"], ...}` for more fields of the step `k`; whether it is that."""
        entries = binding.value.entries if isinstance(binding.value, Mapping) else ()
        first = entries[0].value if entries and entries[0].key is None else None
        if not isinstance(first, Invocation) or first.function.dotted != f"{binding.name}{ITEM}":
            return False
        follow = self.resolver.value
        name = step_name(key, follow)
        if binding.conditional or name is None or step_name(first.arguments[0], follow) != name:
            return False
        for index in range(len(rows) - 1, -1, -1):
            row = rows[index]
            if step_name(row.key, follow) == name and isinstance(row.fields, Mapping):
                more = Entry(None, Mapping(entries[1:], binding.value.span))
                rows[index] = replace(row, fields=Mapping((*row.fields.entries, more), row.fields.span))
                return True
        return first.span == binding.span  # one field of a step that another file writes

    def _growth(
        self,
    ) -> tuple[dict[tuple[int, Span], list[Binding]], dict[tuple[str, int, str], list[Binding]]]:
        """What is added to tables: by the binding of this file that it completes, and by owner elsewhere."""
        here: dict[tuple[int, Span], list[Binding]] = {}
        elsewhere: dict[tuple[str, int, str], list[Binding]] = {}
        for binding in self.module.bindings:
            if binding.how not in _GROWTH:
                continue
            owner = find(self.project, binding.name, binding.span)
            base = definers(owner)[-1] if isinstance(owner, Held) and definers(owner) else None
            if base is not None and base.span.path == self.module.path and _literal(base.value):
                here.setdefault((base.scope, base.span), []).append(binding)
            elif isinstance(owner, Held):
                elsewhere.setdefault((owner.path, owner.scope, owner.name), []).append(binding)
            else:
                elsewhere.setdefault((self.module.path, binding.scope, binding.name), []).append(binding)
        return here, elsewhere

    def _grown_alone(self, owner: tuple[str, int, str], bindings: list[Binding]) -> Iterator[Draft]:
        """A table of another file, or one that is made when it runs, completed in this file."""
        first = bindings[0]
        rows: list[Row] = []
        whole = self.project.value(Name(first.name, first.span))
        siblings: list[Value] = [whole] if isinstance(whole, Mapping) and owner[0] != self.module.path else []
        opened = not siblings
        for binding in bindings:
            opened = self._take_growth(binding, rows, siblings) or opened
        draft = Draft(_last(first.name), first.span, tuple(rows), tuple(siblings), opened)
        if recognised(draft, self.resolver, self.options):
            yield draft
            return
        for binding in bindings:
            yield from self._search(binding.value, _last(binding.name), None, [])

    def _spread_names(self, drafts: list[Draft]) -> Iterator[tuple[int, str]]:
        for draft in drafts:
            for sibling in draft.siblings:
                if isinstance(sibling, Name):
                    owner = find(self.project, sibling.dotted, sibling.span)
                    if isinstance(owner, Held) and owner.path == self.module.path:
                        yield owner.scope, owner.name


def _made_by_function(name: str, value: Value) -> bool:
    """Whether a table is what a function makes of what is given to it: `STEPS = with_defaults({...})`."""
    return (
        is_table_name(name) and isinstance(value, Invocation) and _last(value.function.dotted)[:1].islower()
    )


def _literal(value: Value) -> bool:
    return isinstance(value, Mapping | Sequence)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _text(key: Value | None) -> str:
    return key.value if isinstance(key, Scalar) and isinstance(key.value, str) else ""
