"""Which branches decide whether an operation is run."""

from collections.abc import Iterator
from typing import NamedTuple

from stepcheck.analysis.paths import begun, no_exception
from stepcheck.code.flow import Branch, EdgeKind, Expression, Flow, Point

_MOST = 80
"""Branches of one function; longer functions are left."""


class Gate(NamedTuple):
    """A branch one side of which leads to an operation, and the other does not without passing it again."""

    point: Point
    test: Expression
    when: bool
    """What the test has to be for the operation to be run."""


def gates(flow: Flow, point: Point, turn: Point | None = None) -> tuple[Gate, ...]:
    """Every branch that decides about the operation, in the order of the blocks.

    With the head of a loop as `turn`, those that decide about it in the same turn.
    """
    return tuple(_gates(flow, point, () if turn is None else (turn,)))


def _gates(flow: Flow, point: Point, ends: tuple[Point, ...]) -> Iterator[Gate]:
    branches = [(place, one) for place, one in flow.points() if isinstance(one, Branch)]
    if len(branches) > _MOST:
        return
    for place, branch in branches:
        yes, no = (_leads(flow, place, point, kind, ends) for kind in (EdgeKind.TRUE, EdgeKind.FALSE))
        if yes != no:
            yield Gate(place, branch.test, yes)


def _leads(flow: Flow, branch: Point, point: Point, kind: EdgeKind, ends: tuple[Point, ...]) -> bool:
    starts = [Point(edge.target, 0) for edge in flow.blocks[branch.block].edges if edge.kind is kind]
    return point in begun(flow, starts, (branch, *ends), no_exception)
