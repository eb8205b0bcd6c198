"""Steps in Python that are calls on their own: `register(Step(...))`, `CREATE = Step(...)`; one table a class."""

from collections.abc import Iterator

from stepcheck.analysis.project import Project
from stepcheck.code.module import How, Module
from stepcheck.facts import Invocation, Name, Scalar, Span, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import call_fields
from stepcheck.frontends._python import Draft, PythonResolver, Row, joined, read_tables, recognised


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """One table for each class or function whose calls, outside of any dict or list, are steps."""
    assert isinstance(project, Project)
    rows: dict[str, list[Row]] = {}
    for binding in source.bindings:
        assigned = binding.how is How.ASSIGNED
        for call in _calls(binding.value):
            target = Scalar(binding.name.rpartition(".")[2], binding.span) if assigned else None
            row = _row(call, target if call is binding.value else None, project, options, binding.conditional)
            rows.setdefault(call.function.dotted, []).append(row)
    drafts = [Draft(name.rpartition(".")[2], _first(found), tuple(found)) for name, found in rows.items()]
    resolver = PythonResolver(project)
    return read_tables(
        source, project, options, [draft for draft in drafts if recognised(draft, resolver, options)]
    )


FRONTEND = Frontend(Module, tables)


def _calls(value: Value) -> Iterator[Invocation]:
    """The calls of a value that no dict or list holds."""
    if isinstance(value, Invocation):
        yield value
        for argument in (*value.arguments, *(entry.value for entry in value.keywords)):
            yield from _calls(argument)


def _row(
    call: Invocation, target: Scalar | None, project: Project, options: TableOptions, conditional: bool
) -> Row:
    found = call_fields(project, call, options)
    name = (
        found.name
        or target
        or _callable(found.fields.entries)
        or Name(call.function.dotted, call.function.span)
    )
    body = joined(target.span, call.span) if target is not None else call.span
    return Row(name, found.fields, body, conditional, literal=False, called=True)


def _callable(entries: tuple[object, ...]) -> Name | None:
    """The function called, which names a step that has no other name."""
    for entry in entries:
        key, value = getattr(entry, "key", None), getattr(entry, "value", None)
        if isinstance(key, Scalar) and key.value == "call" and isinstance(value, Name):
            return value
    return None


def _first(rows: list[Row]) -> Span:
    return min(row.body for row in rows)
