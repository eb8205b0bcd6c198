"""What a function does only because something failed: its handlers, and what they come to."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import START, begun
from stepcheck.behaviour.again.regions import caught
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Branch, Catch, Edge, EdgeKind, Flow, Point


@dataclass(frozen=True, slots=True)
class Handler:
    """One handler of a function."""

    catch: Catch
    point: Point
    starts: tuple[Point, ...]
    own: frozenset[Point]
    """What runs only when this handler takes an exception."""


def handlers(study: Study, flow: Flow) -> Iterator[Handler]:
    """Every handler with what only it comes to."""
    for point, catch in study.context.catches(flow):
        starts = caught(flow, point)
        others = begun(
            flow,
            (START,),
            (),
            lambda block, edge, at=point.block: not (block == at and edge.kind is EdgeKind.CAUGHT),  # type: ignore[misc]
        )
        yield Handler(catch, point, starts, begun(flow, starts) - others)


def taken(study: Study, flow: Flow, point: Point, handler: Handler) -> bool:
    """Whether an exception of the operation may come to the handler."""
    found = fate(flow, point, "", study.context.exceptions).handlers
    return any(one.catch == handler.point for one in found)


def without_question(
    flow: Flow, starts: tuple[Point, ...], asks: frozenset[Point] | set[Point]
) -> frozenset[Point]:
    """What is surely come to: on ways on which nothing is asked and nothing decides."""

    def follow(block: int, edge: Edge) -> bool:
        operations = flow.blocks[block].operations
        decides = bool(operations) and isinstance(operations[-1], Branch)
        return not (decides and edge.kind in (EdgeKind.TRUE, EdgeKind.FALSE))

    return begun(flow, starts, asks, follow)
