"""Which operations can, must or cannot run before, after and between which others, exceptions included.

An operation is *begun* when its values are evaluated, and *completed* when it did not raise. A claim that
something always happened rests on completed operations, a claim that something may happen on begun ones.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from stepcheck.code.flow import (
    ENTRY,
    ESCAPE,
    EXIT,
    Await,
    Call,
    Edge,
    EdgeKind,
    Enter,
    Flow,
    Leave,
    Point,
    Yield,
)

Follow: TypeAlias = Callable[[int, Edge], bool]
"""Whether a path may take this edge out of this block."""

START = Point(ENTRY, 0)
RETURNED = Point(EXIT, 0)
ESCAPED = Point(ESCAPE, 0)

_LAST_TO_RAISE = Call | Await | Yield | Enter | Leave


def every(_block: int, _edge: Edge) -> bool:
    """Follow all edges."""
    return True


def no_exception(_block: int, edge: Edge) -> bool:
    """Follow what runs when nothing raises."""
    return edge.kind not in (EdgeKind.EXCEPTION, EdgeKind.RERAISE)


def begun(
    flow: Flow,
    starts: Iterable[Point],
    without: Collection[Point] = (),
    follow: Follow = every,
    *,
    tried: bool = False,
) -> frozenset[Point]:
    """Every operation that may be begun on a path from `starts` on which none of `without` is completed.

    With `tried`, on which none of `without` is even begun.

    The starts are about to be begun themselves. `RETURNED` and `ESCAPED` are among the points where the path
    can leave the function.
    """
    reached: set[Point] = set()
    stops = {point.block for point in without}
    entered: dict[int, int] = {}
    waiting = list(starts)
    while waiting:
        block, position = waiting.pop()
        if entered.get(block, position + 1) <= position:
            continue
        entered[block] = position
        count = len(flow.blocks[block].operations)
        reached.add(Point(block, position))
        stop = count
        if block in stops:
            stop = next((index for index in range(position, count) if Point(block, index) in without), count)
        stopped = stop < count
        reached.update([Point(block, index) for index in range(position + 1, min(stop + 1, count))])
        if stopped and tried and Point(block, flow.blocks[block].first) in without:
            continue
        for edge in flow.blocks[block].edges:
            if stopped and edge.kind is not EdgeKind.EXCEPTION:
                continue
            if edge.kind is EdgeKind.EXCEPTION and _over(flow, block, position, edge):
                continue
            if follow(block, edge):
                waiting.append(Point(edge.target, 0))
    return frozenset(reached)


def leading(flow: Flow, block: int, follow: Follow = every) -> frozenset[int]:
    """The blocks from whose beginning a path of edges leads to the block, itself included."""
    before: dict[int, list[int]] = {}
    for number, one in enumerate(flow.blocks):
        for edge in one.edges:
            if follow(number, edge):
                before.setdefault(edge.target, []).append(number)
    reached = {block}
    waiting = [block]
    while waiting:
        fresh = [number for number in before.get(waiting.pop(), ()) if number not in reached]
        reached.update(fresh)
        waiting += fresh
    return frozenset(reached)


def _over(flow: Flow, block: int, position: int, edge: Edge) -> bool:
    """Whether nothing that can raise is left of a block from this position on."""
    operations = flow.blocks[block].operations
    if position < len(operations) or not operations or edge.target == ESCAPE:
        return False
    return isinstance(operations[-1], _LAST_TO_RAISE)


def completed(point: Point) -> Point:
    """Where a path goes on when the operation did not raise."""
    return Point(point.block, point.position + 1)


def failed(flow: Flow, point: Point) -> tuple[Point, ...]:
    """Where a path goes on when the operation raised."""
    edges = flow.blocks[point.block].edges
    return tuple(Point(edge.target, 0) for edge in edges if edge.kind is EdgeKind.EXCEPTION)


def always_before(flow: Flow, before: Collection[Point], point: Point, follow: Follow = every) -> bool:
    """Whether some of `before` was completed on every path that begins `point`.

    True too for a point that no path reaches under `follow`.
    """
    return point not in begun(flow, (START,), before, follow)


def always_between(
    flow: Flow, first: Point, between: Collection[Point], then: Point, follow: Follow = every
) -> bool:
    """Whether every path from the completed `first` to the begun `then` completes some of `between`."""
    return then not in begun(flow, (completed(first),), between, follow)


def always_after(
    flow: Flow,
    point: Point,
    after: Collection[Point],
    leaving: Collection[Point] = (RETURNED,),
    follow: Follow = every,
) -> bool:
    """Whether every path from the completed `point` out of the function begins some of `after`.

    `leaving` says which ways out count: by default returning; with ESCAPED exceptions do too. A path that
    never leaves counts as keeping the claim.
    """
    return begun(flow, (completed(point),), after, follow, tried=True).isdisjoint(leaving)


def sometimes_before(flow: Flow, first: Point, then: Point, follow: Follow = every) -> bool:
    """Whether on some path `then` is begun after `first` was begun (and completed or not)."""
    return then in begun(flow, (completed(first), *failed(flow, first)), (), follow)
