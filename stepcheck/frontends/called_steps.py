"""Steps in Python that are calls on their own, as in `register(Step(...))`: one table a class and module."""

from collections.abc import Iterator

from stepcheck.analysis.project import Project
from stepcheck.code.module import Binding, How, Module
from stepcheck.facts import Entry, Invocation, Name, Scalar, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import call_fields, may_tell
from stepcheck.frontends._python import Draft, PythonResolver, Row, joined, read_tables, recognised


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """One table for each class or function whose calls, outside of any dict or list, are steps."""
    assert isinstance(project, Project)
    found: dict[str, list[tuple[Invocation, Binding]]] = {}
    for binding in source.bindings:
        for call in _calls(binding.value):
            found.setdefault(call.function.dotted, []).append((call, binding))
    drafts = []
    resolver = PythonResolver(project)
    for name, calls in found.items():
        if may_tell(project, [call for call, _ in calls], options):
            rows = tuple(_row(call, binding, project, options) for call, binding in calls)
            draft = Draft(name.rpartition(".")[2], min(row.body for row in rows), rows)
            if recognised(draft, resolver, options):
                drafts.append(draft)
    return read_tables(source, project, options, drafts)


FRONTEND = Frontend(Module, tables)


def _calls(value: Value) -> Iterator[Invocation]:
    """The calls of a value that no dict or list holds."""
    if isinstance(value, Invocation):
        yield value
        for argument in (*value.arguments, *(entry.value for entry in value.keywords)):
            yield from _calls(argument)


def _row(call: Invocation, binding: Binding, project: Project, options: TableOptions) -> Row:
    found = call_fields(project, call, options)
    assigned = binding.how is How.ASSIGNED and call is binding.value
    target = Scalar(binding.name.rpartition(".")[2], binding.span) if assigned else None
    name = found.name or target or _callable(found.fields.entries) or call.function
    body = joined(binding.span, call.span) if assigned else call.span
    return Row(name, found.fields, body, binding.conditional, literal=False, called=True)


def _callable(entries: tuple[Entry, ...]) -> Name | None:
    """The function called, which names a step that has no other name."""
    for entry in entries:
        if isinstance(entry.key, Scalar) and entry.key.value == "call" and isinstance(entry.value, Name):
            return entry.value
    return None
