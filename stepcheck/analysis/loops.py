"""Natural loops, and whether what a loop does depends on the item of the turn."""

from dataclasses import dataclass

from stepcheck.analysis.definitions import Definitions
from stepcheck.analysis.dominance import dominates, dominators
from stepcheck.code.flow import (
    ESCAPE,
    EXIT,
    Await,
    Call,
    Enter,
    Evaluate,
    Flow,
    Loop,
    Next,
    Point,
    Result,
    Variable,
    Yield,
    reads,
    walk,
)


@dataclass(frozen=True, slots=True)
class NaturalLoop:
    """Blocks that can be run again: a head, and all from which control comes back to it."""

    head: int
    blocks: frozenset[int]
    written: Loop | None
    """The `for`, `while` or comprehension whose head it is; None for one that has no such head."""


def natural_loops(flow: Flow) -> tuple[NaturalLoop, ...]:
    """Every loop that control can go round in, the smallest first."""
    if not any(
        edge.target <= number and edge.target not in (EXIT, ESCAPE)
        for number, made in enumerate(flow.blocks)
        for edge in made.edges
    ):
        return ()  # blocks stand in an order in which control comes back only where there is a loop
    above = dominators(flow)
    before: list[list[int]] = [[] for _ in flow.blocks]
    back: dict[int, list[int]] = {}
    for number, made in enumerate(flow.blocks):
        for edge in made.edges:
            before[edge.target].append(number)
            if edge.target <= number and dominates(above, edge.target, number):
                back.setdefault(edge.target, []).append(number)
    written = {loop.head: loop for loop in flow.loops}
    found = []
    for head, ends in back.items():
        inside = {head}
        waiting = list(ends)
        while waiting:
            block = waiting.pop()
            if block not in inside:
                inside.add(block)
                waiting.extend(before[block])
        found.append(NaturalLoop(head, frozenset(inside), written.get(head)))
    return tuple(sorted(found, key=lambda loop: (len(loop.blocks), loop.head)))


def results(flow: Flow) -> dict[int, Point]:
    """The place of the operation that each `Result` is of."""
    found: dict[int, Point] = {}
    for place, operation in flow.points():
        if isinstance(operation, Call | Await | Yield | Next | Enter | Evaluate):
            found[operation.number] = place
    return found


def origins(known: Definitions, point: Point) -> frozenset[Point]:
    """The operations that what an operation reads is made by, directly or through variables."""
    flow = known.flow
    numbered = results(flow)
    found: set[Point] = set()
    waiting = [point]
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        found.add(at)
        for expression in reads(flow.blocks[at.block].operations[at.position]):
            for part in walk(expression):
                if isinstance(part, Result) and part.number in numbered:
                    waiting.append(numbered[part.number])
                elif isinstance(part, Variable):
                    waiting.extend(
                        place.point for place in known.of(part.name, at) if place.point is not None
                    )
    return frozenset(found)


def per_item(known: Definitions, loop: NaturalLoop, point: Point) -> bool:
    """Whether what the operation reads depends on the item of the turn, so that each turn is another case."""
    head = known.flow.blocks[loop.head].operations
    heads = {
        Point(loop.head, position) for position, operation in enumerate(head) if isinstance(operation, Next)
    }
    return not heads.isdisjoint(origins(known, point))
