"""Input that the first try uses up or changes, and that the next try is given again."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.repeating.repeated_writes import last_of
from stepcheck.behaviour.repeating.single_use import source
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Delete,
    FlowKind,
    Item,
    Next,
    ParameterKind,
    Point,
    Variable,
    walk,
)
from stepcheck.facts import Evidence
from stepcheck.facts.repeating import UsedInput

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
            found = source(context, unit, value, point)
            if found is None or _rewound(context, unit, value.name, point):
                continue
            evidence = Evidence.NAME if unit.again.evidence is Evidence.NAME else found.evidence
            yield UsedInput(
                value.name, operation.span, flow.qualname, found.origin, found.how, unit.again, evidence
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
