"""Steps in Python that are decorated functions: `@step(effect=...)`; one table a decorator and module."""

from dataclasses import replace
from typing import TypeAlias

from stepcheck.analysis.project import Project
from stepcheck.code.module import Application, Binding, Class, Function, Module
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Span, StepTable, Value
from stepcheck.frontends import Frontend, TableOptions
from stepcheck.frontends._bodies import EVERY
from stepcheck.frontends._calls import STEP_WORDS, CallFields, Calls, last_word
from stepcheck.frontends._evidence import Kind, effect_kind, fields_of
from stepcheck.frontends._fields import SPELLINGS
from stepcheck.frontends._python import Draft, Form, PythonResolver, Row, joined, read_tables, recognised

BARE = 2
"""Fields of a decorated function with an effect class and nothing else: that, and its `call`."""
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
    reader = Calls(project, options)
    for name, uses in found.items():
        calls = [decorator for decorator, _ in uses if isinstance(decorator, Invocation)]
        if name and reader.may_tell(calls):
            read = [(use[0], _row(*use, reader, _elsewhere(source, *use))) for use in uses]
            guessed = {row.body for decorator, row in read if _guessed(decorator, reader)}
            rows = _declared([row for _, row in read], name, guessed, resolver, options)
            if rows:
                draft = Draft(name, rows[0].body, tuple(rows))
                if recognised(draft, resolver, options):
                    drafts.append(draft)
    return read_tables(source, project, options, drafts)


FRONTEND = Frontend(Module, tables)


def _dotted(decorator: Value) -> str:
    if isinstance(decorator, Invocation):
        return decorator.function.dotted
    return decorator.dotted if isinstance(decorator, Name) else ""


def _guessed(decorator: Value, reader: Calls) -> bool:
    return isinstance(decorator, Invocation) and reader.fields(decorator, declaration=True).guessed


def _elsewhere(source: Module, decorator: Value, item: Function | Class | Application) -> dict[str, Span]:
    """The fields that other decorators of an item, or members of a class, are named after, with their places."""
    if isinstance(item, Application):
        return {}
    named = [
        (_dotted(other).rpartition(".")[2], other.span) for other in item.decorators if other != decorator
    ]
    if isinstance(item, Class):
        members: list[Binding | Function] = [*source.bindings, *source.functions]
        named += [(member.name, member.span) for member in members if member.scope == item.body]
    return {SPELLINGS[name]: place for name, place in named if SPELLINGS.get(name) in EVERY}


def _declared(
    rows: list[Row], name: str, guessed: set[Span], resolver: PythonResolver, options: TableOptions
) -> list[Row]:
    """The uses of a decorator that declare steps, in the order of the file; none where it is for something else.

    A write class is enough. `read`, and what resembles a class, is said of other things too: it takes a
    decorator that is named for steps, another field, or a write class in another use.
    """
    told = [
        (row, fields_of(row.fields, options, resolver)) for row in rows if isinstance(row.fields, Mapping)
    ]
    kinds = {row.body: effect_kind(fields) for row, fields in told}
    word = last_word(name)
    ours = Kind.OURS in kinds.values()
    found = []
    for row, fields in told:
        kind = kinds[row.body]
        if kind is Kind.FOREIGN and word != "step":
            continue
        seen = {field for field in fields.keys() & EVERY if not isinstance(fields[field], Opaque)}
        sure = word == "step" if row.body in guessed else word in STEP_WORDS or len(seen) > BARE
        evident = kind is Kind.OURS or (kind is Kind.NEAR and (ours or sure))
        found.append(replace(row, form=Form.DECLARED if evident else Form.MADE))
    return sorted(found, key=lambda row: row.body)


def _row(
    decorator: Value, item: Function | Class | Application, reader: Calls, elsewhere: dict[str, Span]
) -> Row:
    if isinstance(item, Application):
        function, key, body = item.argument, item.argument, joined(decorator.span, item.argument.span)
    else:
        function, body = Name(item.name, item.span), joined(decorator.span, item.span)
        key = Scalar(item.name, item.span)
    call = Invocation(decorator, (), (), decorator.span) if isinstance(decorator, Name) else decorator
    assert isinstance(call, Invocation)
    found = reader.fields(call, declaration=True)
    fields = _with_call(function, found, body, elsewhere | found.unseen)
    return Row(found.name or key, fields, body, item.conditional, literal=found.name is not None)


def _with_call(function: Value, found: CallFields, span: Span, elsewhere: dict[str, Span]) -> Mapping:
    """The fields, over those that may be set elsewhere, and the function for a `call`."""
    entries = [
        Entry(Scalar(name, place), Opaque("set elsewhere", place))
        for name, place in sorted(elsewhere.items())
        if name != "call"
    ]
    call = Entry(Scalar("call", function.span), function)
    below = Entry(None, Mapping((*entries, call), function.span))
    return Mapping((below, *found.fields.entries), span)
