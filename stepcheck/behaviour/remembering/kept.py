"""Where a variable starts from when the process does, and whether something keeps it."""

from collections.abc import Iterator

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, ingredients
from stepcheck.catalogue.harmless import harmless
from stepcheck.catalogue.volatility import source
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Point,
    Reach,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Change

_PLAIN = frozenset(
    {"max", "min", "str", "int", "len", "format", "isoformat", "timestamp", "print", "repr", "float"}
)
_HOLDS = frozenset(
    {"append", "extend", "add", "put", "put_nowait", "update", "insert", "get", "items", "keys"}
)


def start(study: Study, flow: Flow, loop: NaturalLoop, variable: Variable | Attribute) -> str | None:
    """What the variable is when the process starts, as written; None where that was read from somewhere."""
    found = [
        (here, point, one.value)
        for here in _around(study, flow, variable)
        for point, one in here.points()
        if isinstance(one, Assign)
        and (same(one.target, variable) or _default(here, one.target, variable))
        and not (here.index == flow.index and point.block in loop.blocks)
    ]
    if not found:
        return None
    texts = [_literal(study, here, point, value) for here, point, value in found]
    return None if None in texts else texts[-1]


def _default(flow: Flow, target: object, variable: Variable | Attribute) -> bool:
    """Whether a class gives the attribute its first value in its body: a dataclass's default."""
    named = isinstance(target, Variable) and isinstance(variable, Attribute) and target.name == variable.name
    return named and flow.kind is FlowKind.CLASS


def _around(study: Study, flow: Flow, variable: Variable | Attribute) -> Iterator[Flow]:
    """The functions that may set the variable: the function itself, all of its class, or all of the file."""
    flows = study.context.file.flows
    if isinstance(variable, Variable):
        if variable.reach is Reach.GLOBAL:
            yield from (here for here in flows if here.index in (0, flow.index) or _binds(here, variable))
        else:
            yield flow
        return
    prefix = flow.qualname.rpartition(".")[0]
    yield from (
        here for here in flows if here.qualname.rpartition(".")[0] == prefix or here.qualname == prefix
    )


def same(value: object, variable: Expression) -> bool:
    """Whether a value is the variable; one of the module has another reach in its functions."""
    if isinstance(value, Variable) and isinstance(variable, Variable):
        return value.name == variable.name
    return value == variable


def _binds(flow: Flow, variable: Variable) -> bool:
    return any(part == variable for _, one in flow.points() for value in reads(one) for part in walk(value))


def _literal(study: Study, flow: Flow, point: Point, value: Expression) -> str | None:
    """The text of a literal, or of a reading of the clock; None for all else."""
    if isinstance(value, Constant):
        literal = isinstance(value.value, int | str) or value.value is None
        return repr(value.value) if literal and not value.kind else None
    clock = ""
    for part in ingredients(study.context, flow, value, point):
        match part.value:
            case Call() as call:
                known = source(call.qualified or call.dotted)
                if known is not None and known.change is Change.CLOCK:
                    clock = f"{call.dotted}()"
                elif words.last(call.dotted) not in _PLAIN and "timedelta" not in call.dotted:
                    return None
            case _:
                pass
    return clock or None


def stored(study: Study, flow: Flow, variable: Variable | Attribute, polls: Call) -> bool:
    """Whether something else than the reading is given the variable, or it is put somewhere."""
    for here in _around(study, flow, variable):
        for _, one in here.points():
            match one:
                case Call() if one.number != polls.number or here.index != flow.index:
                    if plain(one) or words.last(one.dotted) == words.last(polls.dotted):
                        continue
                    if any(same(part, variable) for value in given(one) for part in walk(value)):
                        return True
                case Assign(target=Attribute() | Item() as target, value=value):
                    if not same(target, variable) and same(value, variable):
                        return True
                case _:
                    pass
    return False


def plain(call: Call) -> bool:
    """Whether a call only reckons, logs, waits or fills a container."""
    name = words.last(call.dotted) or getattr(call.callee, "name", "")
    return (
        harmless(call.qualified, call.dotted)
        or call.qualified.startswith("builtins.")
        or name in _PLAIN | _HOLDS
        or name[:1].isupper()
        or words.pauses(name)
    )
