"""Dominators and post-dominators of the blocks of a flow."""

from collections.abc import Collection, Sequence

from stepcheck.code.flow import ENTRY, ESCAPE, EXIT, Flow


def successors(flow: Flow) -> list[list[int]]:
    """The blocks that each block leads to, each once, in the order of its edges."""
    return [list(dict.fromkeys(edge.target for edge in block.edges)) for block in flow.blocks]


def dominators(flow: Flow) -> tuple[int | None, ...]:
    """The immediate dominator of each block: the nearest one that every path to it passes. None for ENTRY itself,
    and for what cannot be reached."""
    return _immediate(successors(flow), ENTRY)


def post_dominators(flow: Flow, leaving: Collection[int] = (EXIT, ESCAPE)) -> tuple[int | None, ...]:
    """The immediate post-dominator of each block: the nearest one that every path from it out of the function passes.

    Ways out are the blocks `leaving`. The last position stands for "out"; None for it, and for blocks from which no
    path leads out.
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
    """Whether every path to (or, for post-dominators, from) `block` passes `above`; a block dominates itself."""
    at: int | None = block
    while at is not None and at != above:
        at = immediate[at]
    return at == above


def _immediate(follow: list[list[int]], root: int) -> tuple[int | None, ...]:
    """Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001)."""
    order = _postorder(follow, root)
    rank = {block: position for position, block in enumerate(order)}
    before: list[list[int]] = [[] for _ in follow]
    for block in order:
        for target in follow[block]:
            before[target].append(block)
    immediate: list[int | None] = [None] * len(follow)
    immediate[root] = root
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            nearest: int | None = None
            for above in before[block]:
                if immediate[above] is not None:
                    nearest = above if nearest is None else _meet(immediate, rank, nearest, above)
            if nearest != immediate[block]:
                immediate[block] = nearest
                changed = True
    immediate[root] = None
    return tuple(immediate)


def _meet(immediate: list[int | None], rank: dict[int, int], one: int, other: int) -> int:
    while one != other:
        if rank[one] < rank[other]:
            one = immediate[one] or 0
        else:
            other = immediate[other] or 0
    return one


def _postorder(follow: list[list[int]], root: int) -> list[int]:
    order: list[int] = []
    seen = {root}
    waiting = [(root, iter(follow[root]))]
    while waiting:
        block, targets = waiting[-1]
        following = next((target for target in targets if target not in seen), None)
        if following is None:
            waiting.pop()
            order.append(block)
        else:
            seen.add(following)
            waiting.append((following, iter(follow[following])))
    return order
