"""What can be read once only, as open files and iterators can: told by how it is made, typed or named."""

from dataclasses import dataclass

from stepcheck.behaviour.context import Context
from stepcheck.behaviour.repeating.repeated_writes import last_of
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.code.flow import (
    Assign,
    Call,
    Enter,
    Expression,
    Flow,
    FlowKind,
    Function,
    Point,
    Reach,
    Result,
    Variable,
)
from stepcheck.facts import Evidence, Span

_FILES = frozenset(
    {"open", "BytesIO", "StringIO", "fdopen", "NamedTemporaryFile", "TemporaryFile", "urlopen"}
)
_ITERATORS = frozenset(
    {"iter", "map", "filter", "zip", "iglob", "scandir", "iter_content", "iter_lines", "chain", "islice"}
)
_FILE_TYPES = frozenset(
    {"BinaryIO", "IO", "TextIO", "BufferedReader", "BytesIO", "StringIO", "UploadFile", "FileStorage"}
)
_ITERATOR_TYPES = frozenset({"Iterator", "Generator", "AsyncIterator", "AsyncGenerator"})
_FILE_NAMES = frozenset(
    {"fh", "fp", "fileobj", "file_obj", "filehandle", "file_handle", "fobj", "fd_obj", "infile"}
)
_OPEN = "an open file, which the first try reads to its end"
_ITERATOR = "an iterator, which the first try uses up"


@dataclass(frozen=True, slots=True)
class Source:
    """What a variable holds that can be read once only."""

    how: str
    origin: Span | None
    evidence: Evidence


def source(context: Context, unit: Unit, value: Variable, point: Point) -> Source | None:
    """What the variable holds, where that was made before what is begun again and can be read once only."""
    flow = unit.flow
    found = context.definitions(flow).of(value.name, point)
    for one in found:
        if one.point is None:
            continue
        if unit.blocks is None or one.point.block in unit.blocks:
            return None
        held = one.value(flow)
        made = None if held is None else _made(context, flow, held)
        if made is not None:
            return made
    if value.reach is Reach.FREE or (value.reach is Reach.GLOBAL and not any(one.point for one in found)):
        return _outside(context, flow, value.name)
    if any(one.point is None for one in found):
        return _parameter(context, unit, value.name)
    return None


def _outside(context: Context, flow: Flow, name: str) -> Source | None:
    """A variable of an enclosing function, or of the module."""
    above = flow.parent
    while above is not None:
        around = context.file.flows[above]
        held = _assigned(around, name)
        if held:
            made = [_made(context, around, value) for value in held]
            return made[0] if all(made) else None
        for parameter in around.parameters:
            if parameter.name == name:
                return _typed(parameter.annotation, parameter.span)
        above = around.parent
    return None


def _parameter(context: Context, unit: Unit, name: str) -> Source | None:
    """A parameter: by its type, by what the file's own calls hand over, or by its name."""
    flow = unit.flow
    position = next((at for at, one in enumerate(flow.parameters) if one.name == name), None)
    if position is None:
        return None
    parameter = flow.parameters[position]
    typed = _typed(parameter.annotation, parameter.span)
    if typed is not None or (unit.blocks is not None and flow.parameters[position].annotation):
        return typed
    for other in context.file.flows:
        for _, call in context.calls(other):
            if flow not in context.called(other, call):
                continue
            shift = 1 if flow.parameters[:1] and flow.parameters[0].name in ("self", "cls") else 0
            index = position - shift
            word = call.keyword(name)
            value = (
                word.value if word else call.arguments[index] if 0 <= index < len(call.arguments) else None
            )
            if isinstance(value, Variable):
                made = [_made(context, other, held) for held in _assigned(other, value.name)]
                if made and all(made):
                    return made[0]
            elif value is not None and (direct := _made(context, other, value)) is not None:
                return direct
    if name in _FILE_NAMES:
        return Source(_OPEN, parameter.span, Evidence.NAME)
    return None


def _assigned(flow: Flow, name: str) -> list[Expression]:
    """All that a function assigns to a variable."""
    return [
        operation.value
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and operation.target.name == name
    ]


def _typed(annotation: str, span: Span) -> Source | None:
    last = annotation.rpartition(".")[2].removesuffix("[]").lstrip("?:")
    if last in _FILE_TYPES:
        return Source(_OPEN, span, Evidence.BODY)
    if last in _ITERATOR_TYPES:
        return Source(_ITERATOR, span, Evidence.BODY)
    return None


def _made(context: Context, flow: Flow, value: Expression) -> Source | None:
    """What a value is, where it can be read once only."""
    match value:
        case Function(flow=index) if context.file.flows[index].kind is FlowKind.GENERATOR:
            return Source(
                "a generator, which the first try uses up", context.file.flows[index].span, Evidence.BODY
            )
        case Result(number=number):
            found = context.operation(flow, number)
            if found is None:
                return None
            operation = found[1]
            if isinstance(operation, Enter):
                return _made(context, flow, operation.context)
            if not isinstance(operation, Call):
                return None
            last = last_of(operation)
            helpers = context.called(flow, operation)
            if last in _FILES:
                return Source(_OPEN, operation.span, Evidence.BODY)
            if any(helper.generator for helper in helpers) or (last in _ITERATORS and not helpers):
                return Source(_ITERATOR, operation.span, Evidence.BODY)
            return None
        case _:
            return None
