"""One worklist for all questions whose answer flows along the edges of a flow."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TypeVar

from stepcheck.code.flow import ENTRY, Edge, Flow

S = TypeVar("S")


def forward(
    flow: Flow,
    start: S,
    transfer: Callable[[int, Edge, S], S],
    join: Callable[[S, S], S],
) -> tuple[S | None, ...]:
    """The state in which each block is entered; None for a block that is never entered.

    `start` holds at ENTRY, `transfer` gives the state along one edge out of a block entered in a state,
    `join` is the least upper bound. States need equality and a finite height; blocks are visited in the
    flow's own order (reverse postorder), so that most are visited once.
    """
    states: list[S | None] = [None] * len(flow.blocks)
    states[ENTRY] = start
    waiting = [ENTRY]
    queued = {ENTRY}
    while waiting:
        block = heappop(waiting)
        queued.discard(block)
        state = states[block]
        if state is None:
            continue
        for edge in flow.blocks[block].edges:
            given = transfer(block, edge, state)
            known = states[edge.target]
            joined = given if known is None else join(known, given)
            if joined != known:
                states[edge.target] = joined
                if edge.target not in queued:
                    queued.add(edge.target)
                    heappush(waiting, edge.target)
    return tuple(states)
