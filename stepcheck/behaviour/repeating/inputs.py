"""Input that the first try uses up or changes, and that the next try is given again."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.repeating.repeated_writes import last_of
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Delete,
    Enter,
    Expression,
    Flow,
    FlowKind,
    Function,
    Item,
    Next,
    ParameterKind,
    Point,
    Reach,
    Result,
    Variable,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.repeating import UsedInput

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
_SENDS = frozenset(
    {"data", "files", "content", "body", "Body", "Fileobj", "file", "stream", "media", "fileobj", "fp"}
)
_UPLOADS = frozenset(
    {
        "upload",
        "put",
        "post",
        "send",
        "write",
        "store",
        "patch",
        "request",
        "copyfileobj",
        "storbinary",
        "load",
        "import",
    }
)
_READS = frozenset({"read", "readlines", "readline", "readall", "getvalue"})
_EATS = frozenset(
    {
        "list",
        "tuple",
        "set",
        "sorted",
        "next",
        "sum",
        "load",
        "reader",
        "DictReader",
        "read_csv",
        "dict",
        "join",
    }
)
_CHANGES = frozenset(
    {"append", "extend", "insert", "update", "setdefault", "clear", "remove", "popitem", "pop"}
)


@dataclass(frozen=True, slots=True)
class _Source:
    how: str
    origin: Span | None
    evidence: Evidence


def used(study: Study, units: tuple[Unit, ...]) -> Iterator[UsedInput]:
    """Every such input, once."""
    told: set[tuple[int, str]] = set()
    seen: set[tuple[int, frozenset[int] | None]] = set()
    for unit in units:
        if unit.flow.kind is FlowKind.LAMBDA and not unit.flow.blocks:
            continue
        place = unit.flow.index, unit.blocks
        used_up = () if place in seen else _used_up(study.context, unit)
        seen.add(place)
        for one in (*used_up, *_changed(study.context, unit)):
            if (unit.flow.index, one.name) not in told:
                told.add((unit.flow.index, one.name))
                yield one


def _used_up(context: Context, unit: Unit) -> Iterator[UsedInput]:
    flow = unit.flow
    for point, operation in flow.points():
        if not unit.holds(point) or not isinstance(operation, Call | Next):
            continue
        for value in _eaten(operation):
            source = _source(context, unit, value, point)
            if source is None or _rewound(context, unit, value.name, point):
                continue
            evidence = Evidence.NAME if unit.again.evidence is Evidence.NAME else source.evidence
            yield UsedInput(
                value.name, operation.span, flow.qualname, source.origin, source.how, unit.again, evidence
            )


def _eaten(operation: Call | Next) -> Iterator[Variable]:
    """The variables whose contents an operation reads to the end."""
    if isinstance(operation, Next):
        if isinstance(operation.iterable, Variable):
            yield operation.iterable
        return
    last = last_of(operation)
    callee = operation.callee
    if isinstance(callee, Attribute) and callee.name in _READS and isinstance(callee.base, Variable):
        yield callee.base
    sends = bool(_UPLOADS.intersection(names.words(last)))
    if sends or last in _EATS:
        for value in operation.arguments:
            if isinstance(value, Variable):
                yield value
    for word in operation.keywords:
        if word.name in _SENDS or (sends and word.name):
            for part in walk(word.value):
                if isinstance(part, Variable):
                    yield part


def _source(context: Context, unit: Unit, value: Variable, point: Point) -> _Source | None:
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


def _outside(context: Context, flow: Flow, name: str) -> _Source | None:
    """A variable of an enclosing function, or of the module."""
    above = flow.parent
    while above is not None:
        around = context.file.flows[above]
        held = [
            operation.value
            for _, operation in around.points()
            if isinstance(operation, Assign)
            and isinstance(operation.target, Variable)
            and operation.target.name == name
        ]
        if held:
            made = [_made(context, around, value) for value in held]
            return made[0] if all(made) else None
        for parameter in around.parameters:
            if parameter.name == name:
                return _typed(parameter.annotation, parameter.span)
        above = around.parent
    return None


def _parameter(context: Context, unit: Unit, name: str) -> _Source | None:
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
                defined = [
                    operation.value
                    for _, operation in other.points()
                    if isinstance(operation, Assign)
                    and isinstance(operation.target, Variable)
                    and operation.target.name == value.name
                ]
                made = [_made(context, other, held) for held in defined]
                if made and all(made):
                    return made[0]
            elif value is not None and (direct := _made(context, other, value)) is not None:
                return direct
    if name in _FILE_NAMES:
        return _Source("an open file, which the first try reads to its end", parameter.span, Evidence.NAME)
    return None


def _typed(annotation: str, span: Span) -> _Source | None:
    last = annotation.rpartition(".")[2].removesuffix("[]").lstrip("?:")
    if last in _FILE_TYPES:
        return _Source("an open file, which the first try reads to its end", span, Evidence.BODY)
    if last in _ITERATOR_TYPES:
        return _Source("an iterator, which the first try uses up", span, Evidence.BODY)
    return None


def _made(context: Context, flow: Flow, value: Expression) -> _Source | None:
    """What a value is, where it can be read once only."""
    match value:
        case Function(flow=index) if context.file.flows[index].kind is FlowKind.GENERATOR:
            return _Source(
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
                return _Source(
                    "an open file, which the first try reads to its end", operation.span, Evidence.BODY
                )
            if any(helper.generator for helper in helpers) or (last in _ITERATORS and not helpers):
                return _Source("an iterator, which the first try uses up", operation.span, Evidence.BODY)
            return None
        case _:
            return None


def _rewound(context: Context, unit: Unit, name: str, point: Point) -> bool:
    """Whether the file is wound back somewhere in what is begun again, or a copy is made of it."""
    for place, call in context.calls(unit.flow):
        callee = call.callee
        if (
            not isinstance(callee, Attribute)
            or not isinstance(callee.base, Variable)
            or callee.base.name != name
        ):
            continue
        if callee.name in ("seek", "rewind", "reset", "truncate") and (
            unit.holds(place) or place in begun(unit.flow, (point,))
        ):
            return True
    return False


def _changed(context: Context, unit: Unit) -> Iterator[UsedInput]:
    """Arguments of a task that are changed before it asks to be run again with them."""
    flow = unit.flow
    if unit.blocks is None and not unit.again.who.startswith("'"):
        return
    asks = unit.again.who == "'self.retry'"
    if asks and any(
        call.span == unit.again.span and {"args", "kwargs"} & {word.name for word in call.keywords}
        for _, call in context.calls(flow)
    ):
        return
    given = {
        parameter.name
        for parameter in flow.parameters[1 if asks else 0 :]
        # A whole function that is called again gets its `**kwargs` as a new dict.
        if parameter.kind is not ParameterKind.DOUBLE_STAR or unit.blocks is not None
    } - {"self", "cls"}
    for point, operation in flow.points():
        if not unit.holds(point):
            continue
        found = _change(operation, asks=asks)
        if found is None or found[0].name not in given:
            continue
        if any(one.point is not None for one in context.definitions(flow).of(found[0].name, point)):
            continue
        yield UsedInput(
            found[0].name, operation.span, flow.qualname, None, found[1], unit.again, Evidence.BODY
        )


def _change(operation: object, *, asks: bool) -> tuple[Variable, str] | None:
    """The variable that an operation changes in place, and how."""
    match operation:
        case Assign(target=Item(base=Variable() as base)) if asks:
            return base, "an argument of the task, which the first try changes"
        case Call(callee=Attribute(base=Variable() as base, name=name), arguments=arguments):
            if asks and name in _CHANGES:
                return base, "an argument of the task, which the first try changes"
            if (
                name == "pop"
                and len(arguments) == 1
                and isinstance(arguments[0], Constant)
                and isinstance(arguments[0].value, str)
            ):
                return base, f"an argument from which the first try takes {arguments[0].value!r}"
        case Delete(target=Item(base=Variable() as base, index=Constant(value=str(key)))):
            return base, f"an argument from which the first try takes {key!r}"
        case _:
            return None
    return None
