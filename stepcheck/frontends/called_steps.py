"""Steps in Python that are calls on their own, as in `register(Step(...))`: one table a class and module."""

from collections.abc import Iterator

from stepcheck.analysis.project import Project
from stepcheck.analysis.unseen import completed_unseen
from stepcheck.code.module import Binding, How, Module
from stepcheck.code.values import RAISES
from stepcheck.facts import Entry, Invocation, Name, Scalar, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import Calls
from stepcheck.frontends._python import (
    Draft,
    Form,
    PythonResolver,
    Row,
    joined,
    read_tables,
    recognised,
    unseen,
)


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """One table for each class or function whose calls, outside of any dict or list, are steps."""
    assert isinstance(project, Project)
    found: dict[str, list[tuple[Invocation, Binding]]] = {}
    for binding in source.bindings:
        for call in _calls(binding.value):
            found.setdefault(call.function.dotted, []).append((call, binding))
    drafts = []
    resolver = PythonResolver(project)
    reader = Calls(project, options)
    changed = completed_unseen(project, source) | _given_fields(source)
    for name, calls in found.items():
        if reader.may_tell([call for call, _ in calls]):
            rows = tuple(
                unseen(row, row.body) if (binding.scope, binding.name) in changed else row
                for call, binding in calls
                if (row := _row(call, binding, reader)).form is Form.DECLARED
            )
            if not rows:
                continue
            draft = Draft(name.rpartition(".")[2], min(row.body for row in rows), rows)
            if recognised(draft, resolver, options):
                drafts.append(draft)
    return read_tables(source, project, options, drafts)


def _given_fields(module: Module) -> frozenset[tuple[int, str]]:
    """The names whose attributes are set: `step.query = find`."""
    return frozenset(
        (binding.scope, binding.name.rpartition(".")[0])
        for binding in module.bindings
        if binding.how is How.ASSIGNED and "." in binding.name
    )


FRONTEND = Frontend(Module, tables)


def _calls(value: Value) -> Iterator[Invocation]:
    """The calls of a value that no dict or list holds."""
    if isinstance(value, Invocation) and value.function.dotted.rpartition(".")[2] not in RAISES:
        yield value
        for argument in (*value.arguments, *(entry.value for entry in value.keywords)):
            yield from _calls(argument)


def _row(call: Invocation, binding: Binding, reader: Calls) -> Row:
    found = reader.fields(call, declaration=True)
    assigned = binding.how is How.ASSIGNED and call is binding.value
    target = Scalar(binding.name.rpartition(".")[2], binding.span) if assigned else None
    name = found.name or target or _callable(found.fields.entries) or call.function
    body = joined(binding.span, call.span) if assigned else call.span
    form = Form.DECLARED if found.declares else Form.MADE
    return Row(name, found.whole, body, binding.conditional, literal=False, form=form)


def _callable(entries: tuple[Entry, ...]) -> Name | None:
    """The function called, which names a step that has no other name."""
    for entry in entries:
        if isinstance(entry.key, Scalar) and entry.key.value == "call" and isinstance(entry.value, Name):
            return entry.value
    return None
