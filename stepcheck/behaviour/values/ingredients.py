"""Everything that went into a value: through variables, arguments of calls, comprehensions and containers filled."""

from collections.abc import Iterator
from typing import NamedTuple

from stepcheck.behaviour.context import Context
from stepcheck.code.flow import (
    Await,
    Call,
    Evaluate,
    Expression,
    Flow,
    Function,
    Next,
    Point,
    Result,
    Variable,
    Yield,
    reads,
    walk,
)

_MOST = 160


class Ingredient(NamedTuple):
    """A value, or a call, that another value is made of or from."""

    value: Expression | Call
    flow: Flow
    point: Point


def ingredients(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Ingredient]:
    """All that a value read at a place is made of, the nearest first; what helpers of the file do is not seen."""
    seen: set[tuple[int, Point, Expression]] = set()
    waiting = [(flow, value, point)]
    while waiting and len(seen) < _MOST:
        here, read, place = waiting.pop(0)
        if (here.index, place, read) in seen:
            continue
        seen.add((here.index, place, read))
        for part in walk(read):
            yield Ingredient(part, here, place)
            if isinstance(part, Variable):
                waiting += _held(context, here, part, place)
            elif isinstance(part, Result):
                made = context.operation(here, part.number)
                if made is None:
                    continue
                if isinstance(made[1], Call):
                    yield Ingredient(made[1], here, made[0])
                if isinstance(made[1], Call | Await | Evaluate | Next | Yield):
                    waiting += [(here, inner, made[0]) for inner in reads(made[1])]
            elif isinstance(part, Function):
                made_flow = context.file.flows[part.flow]
                for where, operation in made_flow.points():
                    waiting += [(made_flow, inner, where) for inner in reads(operation)]


def calls(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Ingredient]:
    """The calls among them."""
    return (one for one in ingredients(context, flow, value, point) if isinstance(one.value, Call))


def numbers(context: Context, flow: Flow, value: Expression, point: Point) -> frozenset[int]:
    """The operations of the flow itself whose answers went into a value."""
    return frozenset(
        one.value.number
        for one in ingredients(context, flow, value, point)
        if isinstance(one.value, Result) and one.flow.index == flow.index
    )


def given(call: Call) -> tuple[Expression, ...]:
    """The arguments of a call, by position and by name."""
    return (*call.arguments, *(word.value for word in call.keywords))


def _held(
    context: Context, flow: Flow, variable: Variable, point: Point
) -> Iterator[tuple[Flow, Expression, Point]]:
    """What a variable may hold, and what is put into it anywhere."""
    for one in context.definitions(flow).of(variable.name, point):
        held = one.value(flow)
        if held is not None and one.point is not None:
            yield flow, held, one.point
    for place, value in context.filled(flow, variable.name):
        yield flow, value, place
