"""Dominators and post-dominators of the blocks of a flow."""

from collections.abc import Collection, Sequence

from stepcheck.code.flow import ENTRY, ESCAPE, EXIT, Flow


def successors(flow: Flow) -> list[list[int]]:
    """The blocks that each block leads to, each once, in the order of its edges."""
    return [list(dict.fromkeys(edge.target for edge in block.edges)) for block in flow.blocks]


def dominators(flow: Flow) -> tuple[int | None, ...]:
    """The immediate dominator of each block: the nearest one that every path to it passes.

    None for ENTRY itself, and for what cannot be reached.
    """
    return _immediate(successors(flow), ENTRY)


def post_dominators(flow: Flow, leaving: Collection[int] = (EXIT, ESCAPE)) -> tuple[int | None, ...]:
    """The immediate post-dominator of each block: the nearest one on every path from it out of the function.

    Ways out are the blocks `leaving`. The last position stands for "out"; None for it, and for blocks from
    which no path leads out.
    """
    follow = successors(flow)
    out = len(follow)
    backwards: list[list[int]] = [[] for _ in range(out + 1)]
    for block, targets in enumerate(follow):
        for target in targets:
            backwards[target].append(block)
    backwards[out] = sorted(leaving)
    return _immediate(backwards, out)


def dominates(immediate: Sequence[int | None], above: int, block: int) -> bool:
    """Whether every path to (for post-dominators: from) `block` passes `above`; it dominates itself."""
    at: int | None = block
    while at is not None and at != above:
        at = immediate[at]
    return at == above


def _immediate(follow: list[list[int]], root: int) -> tuple[int | None, ...]:
    """The semi-NCA algorithm (Georgiadis, "Linear-Time Algorithms for Dominators", 2005).

    It stays fast where thousands of branches meet in one block, which the simpler iterative one does not.
    """
    order, parent = _preorder(follow, root)
    number = {block: position for position, block in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for block in order:
        for target in follow[block]:
            before[number[target]].append(number[block])
    forest = _Forest(len(order))
    for at in range(len(order) - 1, 0, -1):
        forest.semi[at] = min(forest.semi[forest.lowest(above)] for above in before[at])
        forest.ancestor[at] = parent[at]
    nearest = parent[:]
    for at in range(1, len(order)):
        while nearest[at] > forest.semi[at]:
            nearest[at] = nearest[nearest[at]]
    immediate: list[int | None] = [None] * len(follow)
    for at in range(1, len(order)):
        immediate[order[at]] = order[nearest[at]]
    return tuple(immediate)


class _Forest:
    """Visited positions in preorder, linked to their parents, with the lowest semi-dominator above."""

    def __init__(self, size: int) -> None:
        self.semi = list(range(size))
        self.label = list(range(size))
        self.ancestor = [-1] * size

    def lowest(self, at: int) -> int:
        """The position with the lowest semi-dominator from here to the root of its tree; shortens the way."""
        path = []
        above = at
        while self.ancestor[above] >= 0 and self.ancestor[self.ancestor[above]] >= 0:
            path.append(above)
            above = self.ancestor[above]
        for below in reversed(path):
            higher = self.ancestor[below]
            if self.semi[self.label[higher]] < self.semi[self.label[below]]:
                self.label[below] = self.label[higher]
            self.ancestor[below] = self.ancestor[higher]
        return self.label[at]


def _preorder(follow: list[list[int]], root: int) -> tuple[list[int], list[int]]:
    """The blocks in the order of a depth-first visit, and the position of the one each was found from."""
    order, parent = [root], [0]
    seen = {root}
    waiting = [(0, iter(follow[root]))]
    while waiting:
        position, targets = waiting[-1]
        following = next((target for target in targets if target not in seen), None)
        if following is None:
            waiting.pop()
        else:
            seen.add(following)
            waiting.append((len(order), iter(follow[following])))
            order.append(following)
            parent.append(position)
    return order, parent
