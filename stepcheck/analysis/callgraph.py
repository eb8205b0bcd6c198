"""Which flows a call runs, and summaries of flows from the bottom of the call graph up."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from stepcheck.code.flow import Call, Expression, FileFlow, Flow, FlowKind, Function, Variable

N = TypeVar("N", bound=Hashable)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Callees:
    """The flows of one file by the names that calls know them by."""

    by_name: dict[str, tuple[int, ...]]
    """Several where a name is bound more than once: under `if`, `try`, or by overloads."""
    inner: dict[tuple[int, str], tuple[int, ...]]
    """By the flow in which they are defined, and their name there."""
    parents: tuple[int | None, ...]

    def of(self, call: Call) -> tuple[int, ...]:
        """The flows of this file that the call may run; none for what is called from elsewhere."""
        if isinstance(call.callee, Function):
            return (call.callee.flow,)
        return self.by_name.get(call.qualified, ())

    def named(self, flow: Flow, value: Expression) -> tuple[int, ...]:
        """The flows that a value read in a flow is: a lambda, or a function by its name."""
        if isinstance(value, Function):
            return (value.flow,)
        if not isinstance(value, Variable):
            return ()
        at: int | None = flow.index
        while at is not None:
            known = self.inner.get((at, value.name))
            if known is not None:
                return known
            at = self.parents[at]
        return ()


def callees(file: FileFlow) -> Callees:
    """Index the flows of a file; calling a class runs its `__init__`."""
    by_name: dict[str, list[int]] = {}
    inner: dict[tuple[int, str], list[int]] = {}
    for flow in file.flows:
        if flow.kind is not FlowKind.FUNCTION or flow.parent is None:
            continue
        by_name.setdefault(f":{flow.qualname}", []).append(flow.index)
        inner.setdefault((flow.parent, flow.name), []).append(flow.index)
        if flow.name == "__init__":
            by_name.setdefault(f":{flow.qualname.removesuffix('.__init__')}", []).append(flow.index)
    return Callees(
        {name: tuple(found) for name, found in by_name.items()},
        {key: tuple(found) for key, found in inner.items()},
        tuple(flow.parent for flow in file.flows),
    )


def bottom_up(nodes: Iterable[N], follow: Callable[[N], Iterable[N]]) -> list[tuple[N, ...]]:
    """Groups of nodes that reach each other, each group after all that it leads to (Tarjan, 1972)."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    on_stack: set[N] = set()
    stack: list[N] = []
    groups: list[tuple[N, ...]] = []
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(follow(root)))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(follow(target))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    start = stack.index(node)
                    groups.append(tuple(stack[start:]))
                    on_stack.difference_update(stack[start:])
                    del stack[start:]
    return groups


def summarise(
    nodes: Iterable[N],
    follow: Callable[[N], Iterable[N]],
    bottom: S,
    summary: Callable[[N, Callable[[N], S]], S],
    rounds: int = 10,
) -> dict[N, S]:
    """A summary of each node from those of what it leads to.

    `summary(node, known)` makes one; `known` gives those of others, `bottom` for what is not summarised yet.
    Nodes that reach each other are summarised again until nothing changes, at most `rounds` times: summaries
    must grow from `bottom`, and one that is cut short says too little, never something wrong.
    """
    found: dict[N, S] = {}

    def known(node: N) -> S:
        return found.get(node, bottom)

    for group in bottom_up(nodes, follow):
        for _ in range(rounds):
            changed = False
            for node in group:
                made = summary(node, known)
                changed |= made != known(node) or node not in found
                found[node] = made
            if not changed or (len(group) == 1 and group[0] not in follow(group[0])):
                break
    return found
