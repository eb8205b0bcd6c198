"""Steps in Python that are decorated functions: `@step(effect=...)`; one table a decorator and module."""

from typing import TypeAlias

from stepcheck.analysis.project import Project
from stepcheck.code.module import Application, Class, Function, Module
from stepcheck.facts import Entry, Invocation, Mapping, Name, Scalar, Span, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import call_fields, may_tell
from stepcheck.frontends._python import Draft, PythonResolver, Row, joined, read_tables, recognised

_Use: TypeAlias = tuple[Value, Function | Class | Application]


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """One table for each decorator that is given an effect class somewhere in the file."""
    assert isinstance(project, Project)
    found: dict[str, list[_Use]] = {}
    items: list[Function | Class] = [*source.functions, *source.classes]
    for use in [(decorator, item) for item in items for decorator in item.decorators]:
        found.setdefault(_dotted(use[0]), []).append(use)
    for application in source.applications:
        found.setdefault(_dotted(application.decorator), []).append((application.decorator, application))
    drafts = []
    resolver = PythonResolver(project)
    for name, uses in found.items():
        calls = [decorator for decorator, _ in uses if isinstance(decorator, Invocation)]
        if name and may_tell(project, calls, options):
            rows = sorted((_row(*use, project, options) for use in uses), key=lambda row: row.body)
            draft = Draft(name, rows[0].body, tuple(rows))
            if recognised(draft, resolver, options):
                drafts.append(draft)
    return read_tables(source, project, options, drafts)


FRONTEND = Frontend(Module, tables)


def _dotted(decorator: Value) -> str:
    if isinstance(decorator, Invocation):
        return decorator.function.dotted
    return decorator.dotted if isinstance(decorator, Name) else ""


def _row(
    decorator: Value, item: Function | Class | Application, project: Project, options: TableOptions
) -> Row:
    if isinstance(item, Application):
        function, key, body = item.argument, item.argument, joined(decorator.span, item.argument.span)
    else:
        function, body = Name(item.name, item.span), joined(decorator.span, item.span)
        key = Scalar(item.name, item.span)
    found = call_fields(project, decorator, options) if isinstance(decorator, Invocation) else None
    name = found.name if found is not None else None
    fields = _with_call(function, found.fields if found is not None else None, body)
    return Row(name or key, fields, body, item.conditional, literal=name is not None, called=True)


def _with_call(function: Value, fields: Mapping | None, span: Span) -> Mapping:
    """The fields, below a `call` that they may override."""
    call = Entry(None, Mapping((Entry(Scalar("call", function.span), function),), function.span))
    return Mapping((call, *(fields.entries if fields is not None else ())), span)
