"""The dict literals that a value is, or holds."""

from collections.abc import Iterator
from typing import TypeAlias

from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Call, Compound, Expression, Flow, Point, Result, Return, Variable, walk


def literals(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Compound]:
    """The dict literals that a value is, or holds, through variables, `{**other}`, lists and helpers."""
    seen: set[Place] = set()
    waiting: list[Place] = [(flow.index, value, point)]
    while waiting and len(seen) < 200:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        for part in walk(place[1]):
            if isinstance(part, Compound) and part.kind == "dict":
                yield part
            elif isinstance(part, Variable | Result):
                waiting += _behind(context, context.file.flows[place[0]], part, place[2])


Place: TypeAlias = tuple[int, Expression, Point]
"""A value with the flow and the point where it is read."""


def _behind(context: Context, flow: Flow, part: Variable | Result, point: Point) -> Iterator[Place]:
    """The values that a variable, or the answer of a call, is made of."""
    if isinstance(part, Variable):
        for one in context.definitions(flow).of(part.name, point):
            held = one.value(flow)
            if held is not None and one.point is not None:
                yield flow.index, held, one.point
        return
    made = context.operation(flow, part.number)
    call = None if made is None else made[1]
    if made is None or not isinstance(call, Call):
        return
    place = made[0]
    for given in (*call.arguments, *(word.value for word in call.keywords)):
        yield flow.index, given, place
    helpers = [helper.index for helper in context.called(flow, call)]
    helpers += [index for given in call.arguments for index in context.callees.named(flow, given)]
    for index in helpers[:4]:
        for where, back in context.file.flows[index].points():
            if isinstance(back, Return):
                yield index, back.value, where
