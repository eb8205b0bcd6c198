"""Where something that failed, or may have failed, is begun again: retry regions."""

from collections.abc import Container
from dataclasses import dataclass
from enum import Enum

from stepcheck.analysis.callgraph import Callees
from stepcheck.analysis.handlers import Fate, Hierarchy, fate
from stepcheck.analysis.loops import NaturalLoop, natural_loops
from stepcheck.analysis.paths import begun
from stepcheck.code.flow import EdgeKind, Enter, FileFlow, Flow, Point
from stepcheck.facts import Span


class Manner(Enum):
    """How it comes that something is begun again."""

    LOOP = "loop"
    """A handler in a loop leads back."""
    CONTEXT = "context"
    """A loop over a retrier whose items are entered: `for attempt in Retrying(...): with attempt:`."""
    DECORATOR = "decorator"
    SELF_CALL = "self-call"
    """A handler calls the function that it stands in."""
    HELPER = "helper"
    """A function is handed to something that calls it until it succeeds."""
    UNIT = "unit"
    """A task queue, a scheduler or an engine runs the function again."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """One way in which an operation of a flow that failed is begun again in the same run."""

    through: Point
    """The handler (`Catch`) or the context manager (`Leave`) that makes it go on."""
    certain: bool
    """The exception asked about is taken there for certain."""
    loop: NaturalLoop | None
    """The smallest loop around the operation and what it goes through."""


def repeats(flow: Flow, point: Point, kind: str, known: Hierarchy) -> tuple[Repeat, ...]:
    """Every way in which the operation is begun again after it raised a `kind` of exception ("" for any)."""
    found: list[Repeat] = []
    goes: Fate = fate(flow, point, kind, known)
    loops = natural_loops(flow)
    ways = [(reached.catch, reached.certain, EdgeKind.CAUGHT) for reached in goes.handlers]
    ways += [(place, False, EdgeKind.SWALLOWED) for place in goes.swallowed]
    for place, certain, edge_kind in ways:
        edges = flow.blocks[place.block].edges
        starts = [Point(edge.target, 0) for edge in edges if edge.kind is edge_kind]
        if point in begun(flow, starts):
            around = (loop for loop in loops if {point.block, place.block} <= loop.blocks)
            found.append(Repeat(place, certain, next(around, None)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Region:
    """Operations that may be run again as a whole, and by what."""

    manner: Manner
    flow: int
    blocks: frozenset[int] | None
    """Of the flow; None for all of it."""
    by: str
    """What repeats, named like `Call.qualified`; nothing for a loop or a self-call."""
    span: Span
    """The decorator, the loop's header, the call."""
    through: Point | None
    """The handler or context manager, where there is one in the flow."""

    def holds(self, flow: Flow, point: Point) -> bool:
        """Whether the operation is run again when the region is."""
        return flow.index == self.flow and (self.blocks is None or point.block in self.blocks)


def regions(file: FileFlow, retriers: Container[str], callees: Callees) -> tuple[Region, ...]:
    """Every retry region of a file but loops with handlers, which `repeats` tells operation by operation.

    `retriers` are names like `Call.qualified` of what retries: decorators (`tenacity.retry`), iterables
    (`tenacity.Retrying`, `stamina.retry_context()`), and helpers that take the callable (`retrying_call`).
    """
    found: list[Region] = []
    decorators = {made.span for flow in file.flows for made in flow.decorators}
    for flow in file.flows:
        found += _decorated(flow, retriers)
        found += _entered(flow, retriers)
        found += _self_calls(flow, callees)
        found += _handed(flow, retriers, callees, decorators)
    return tuple(sorted(found, key=lambda region: (region.span, region.flow)))


def _decorated(flow: Flow, retriers: Container[str]) -> list[Region]:
    return [
        Region(Manner.DECORATOR, flow.index, None, made.qualified, made.span, None)
        for made in flow.decorators
        if made.qualified in retriers
    ]


def _entered(flow: Flow, retriers: Container[str]) -> list[Region]:
    found: list[Region] = []
    loops = {loop.head: loop for loop in natural_loops(flow)} if flow.loops else {}
    for written in flow.loops:
        natural = loops.get(written.head)
        if natural is None or written.qualified not in retriers:
            continue
        enters = [
            Point(block, position)
            for block in sorted(natural.blocks)
            for position, operation in enumerate(flow.blocks[block].operations)
            if isinstance(operation, Enter) and operation.qualified == written.qualified + "[]"
        ]
        if enters:
            found.append(
                Region(Manner.CONTEXT, flow.index, natural.blocks, written.qualified, written.span, enters[0])
            )
    return found


def _self_calls(flow: Flow, callees: Callees) -> list[Region]:
    """Calls of the function itself that only a handler comes to."""
    inside = [(point, call) for point, call in flow.calls() if flow.index in callees.of(call)]
    if not inside:
        return []
    catching = {EdgeKind.CAUGHT}
    unhandled = begun(flow, (Point(0, 0),), (), lambda _, edge: edge.kind not in catching)
    return [
        Region(Manner.SELF_CALL, flow.index, None, "", call.span, point)
        for point, call in inside
        if point not in unhandled
    ]


def _handed(
    flow: Flow, retriers: Container[str], callees: Callees, decorators: Container[Span]
) -> list[Region]:
    """Calls that hand a function of this file to a retrier: `retry_call(pay)`, `Retrying(...)(pay)`."""
    found: list[Region] = []
    for _, call in flow.calls():
        known = call.qualified in retriers or call.qualified.removesuffix("()") in retriers
        if not known or call.span in decorators:
            continue
        values = (*call.arguments[:1], *(word.value for word in call.keywords))
        for value in values:
            for target in callees.named(flow, value):
                found.append(Region(Manner.HELPER, target, None, call.qualified, call.span, None))
    return found
