"""Steps in Python that are decorated functions: `@step(effect=...)`; one table a decorator and module."""

from stepcheck.analysis.project import Project
from stepcheck.code.module import Application, Class, Function, Module
from stepcheck.facts import Entry, Invocation, Mapping, Name, Scalar, Span, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._calls import call_fields
from stepcheck.frontends._python import Draft, PythonResolver, Row, joined, read_tables, recognised


def tables(source: Module, project: object, options: TableOptions) -> list[StepTable]:
    """One table for each decorator that is given an effect class somewhere in the file."""
    assert isinstance(project, Project)
    rows: dict[str, list[Row]] = {}
    items: list[Function | Class] = [*source.functions, *source.classes]
    for item in sorted(items, key=lambda item: item.span):
        for decorator in item.decorators:
            if isinstance(decorator, Invocation | Name):
                rows.setdefault(_dotted(decorator), []).append(_decorated(decorator, item, project, options))
    for application in source.applications:
        if isinstance(application.decorator, Invocation):
            row = _applied(application, application.decorator, project, options)
            rows.setdefault(_dotted(application.decorator), []).append(row)
    drafts = [
        Draft(name, min(row.body for row in found), tuple(sorted(found, key=lambda row: row.body)))
        for name, found in rows.items()
    ]
    resolver = PythonResolver(project)
    return read_tables(
        source, project, options, [draft for draft in drafts if recognised(draft, resolver, options)]
    )


FRONTEND = Frontend(Module, tables)


def _dotted(decorator: Invocation | Name) -> str:
    return decorator.function.dotted if isinstance(decorator, Invocation) else decorator.dotted


def _decorated(
    decorator: Invocation | Name, item: Function | Class, project: Project, options: TableOptions
) -> Row:
    body = joined(decorator.span, item.span)
    function = Name(item.name, item.span)
    if isinstance(decorator, Name):
        name: Value = Scalar(item.name, item.span)
        return Row(name, _with_call(function, None, body), body, item.conditional, literal=False, called=True)
    found = call_fields(project, decorator, options)
    named = found.name is not None
    name = found.name or Scalar(item.name, item.span)
    return Row(
        name, _with_call(function, found.fields, body), body, item.conditional, literal=named, called=True
    )


def _applied(application: Application, call: Invocation, project: Project, options: TableOptions) -> Row:
    found = call_fields(project, call, options)
    body = joined(call.span, application.argument.span)
    name = found.name or application.argument
    fields = _with_call(application.argument, found.fields, body)
    return Row(name, fields, body, application.conditional, literal=found.name is not None, called=True)


def _with_call(function: Value, fields: Mapping | None, span: Span) -> Mapping:
    """The fields, below a `call` that they may override."""
    call = Entry(None, Mapping((Entry(Scalar("call", function.span), function),), function.span))
    return Mapping((call, *(fields.entries if fields is not None else ())), span)
