"""Which assignments a variable may hold the value of, at each place of a flow."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import or_

from stepcheck.analysis.solver import forward
from stepcheck.code.flow import (
    Assign,
    Delete,
    Edge,
    EdgeKind,
    Expression,
    Flow,
    Operation,
    Point,
    Reach,
    Variable,
    reads,
    variables,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One way in which a variable got what it holds."""

    name: str
    point: Point | None
    """The `Assign` or `Delete`; None for a parameter, or for what it held before the function began."""

    def value(self, flow: Flow) -> Expression | None:
        """What was assigned; None where nothing was."""
        if self.point is None:
            return None
        operation = flow.blocks[self.point.block].operations[self.point.position]
        return operation.value if isinstance(operation, Assign) else None


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of a flow, and which of them reach the beginning of each block."""

    flow: Flow
    all: tuple[Definition, ...]
    reaching: tuple[int, ...]
    """For each block a set of positions in `all`, as bits."""
    by_name: dict[str, int]
    """For each variable its definitions, as bits."""
    at: dict[Point, int]
    """For each operation that defines, its position in `all`."""
    bound: tuple[tuple[tuple[int, str, int], ...], ...]
    """For each block the positions of its operations that define, with the variable and the position in `all`."""

    def of(self, name: str, point: Point) -> tuple[Definition, ...]:
        """The definitions that the variable may hold when the operation is begun, in the order of the flow.

        Empty for a variable that the flow never binds: a name from outside that it only reads.
        """
        if name not in self.by_name:
            return ()
        for position, bound, number in reversed(self.bound[point.block]):
            if bound == name and position < point.position:
                return (self.all[number],)
        return tuple([self.all[number] for number in _bits(self.reaching[point.block] & self.by_name[name])])

    def uses(self) -> Iterator[tuple[Point, Variable, tuple[Definition, ...]]]:
        """Every variable that is read, where, and what it may hold there."""
        for point, operation in self.flow.points():
            for expression in reads(operation):
                for variable in variables(expression):
                    yield point, variable, self.of(variable.name, point)


def definitions(flow: Flow) -> Definitions:
    """Solve reaching definitions for a flow.

    A variable of an enclosing function or of the module counts as defined outside as well. What an inner
    function assigns through `nonlocal`, and what other functions assign to globals, is not seen.
    """
    found: list[Definition] = []
    at: dict[Point, int] = {}
    by_name: dict[str, int] = {}

    def add(name: str, point: Point | None) -> None:
        by_name[name] = by_name.get(name, 0) | 1 << len(found)
        found.append(Definition(name, point))

    for parameter in flow.parameters:
        add(parameter.name, None)
    for point, operation in flow.points():
        variable = defined(operation)
        if variable is not None:
            if variable.reach is not Reach.LOCAL and variable.name not in by_name:
                add(variable.name, None)
            at[point] = len(found)
            add(variable.name, point)
    start = sum(1 << number for number, definition in enumerate(found) if definition.point is None)
    made, killed, through = _effects(flow, at, by_name)

    def transfer(block: int, edge: Edge, state: int) -> int:
        if edge.kind is EdgeKind.EXCEPTION:
            return state | through[block]
        return state & ~killed[block] | made[block]

    reaching = tuple(state or 0 for state in forward(flow, start, transfer, or_))
    bound: list[list[tuple[int, str, int]]] = [[] for _ in flow.blocks]
    for point, number in at.items():
        bound[point.block].append((point.position, found[number].name, number))
    return Definitions(flow, tuple(found), reaching, by_name, at, tuple([tuple(some) for some in bound]))


def defined(operation: Operation) -> Variable | None:
    """The variable that an operation binds or unbinds."""
    if isinstance(operation, Assign | Delete) and isinstance(operation.target, Variable):
        return operation.target
    return None


def _effects(
    flow: Flow, at: dict[Point, int], by_name: dict[str, int]
) -> tuple[list[int], list[int], list[int]]:
    """For each block: what holds behind it, what does no longer, what may on the way out by an exception."""
    made, killed, through = ([0] * len(flow.blocks) for _ in range(3))
    for point, number in at.items():
        operation = flow.blocks[point.block].operations[point.position]
        bound = defined(operation)
        if bound is not None:
            made[point.block] = made[point.block] & ~by_name[bound.name] | 1 << number
            killed[point.block] |= by_name[bound.name]
            through[point.block] |= 1 << number
    return made, killed, through


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
