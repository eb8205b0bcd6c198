"""One file under study: its flows, and what was already worked out about them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from stepcheck.analysis.callgraph import Callees, callees
from stepcheck.analysis.definitions import Definitions, definitions
from stepcheck.analysis.handlers import Hierarchy, hierarchy
from stepcheck.analysis.loops import NaturalLoop, natural_loops, results
from stepcheck.catalogue import arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.call_table import EMPTY, Table
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.exceptions import bases
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Catch,
    Expression,
    FileFlow,
    Flow,
    Item,
    Operation,
    Point,
    Variable,
)

MOST_CALLS = 250


@dataclass(slots=True)
class Context:
    """A file's flows with the answers that several questions need, each worked out once."""

    file: FileFlow
    callees: Callees
    exceptions: Hierarchy
    own: Table = EMPTY
    """What the user's configuration says of calls."""
    mentions: dict[int, bool] = field(default_factory=dict)
    """Whether a flow has to do with keys, where that was asked."""
    names: dict[int, tuple[Call, str]] = field(default_factory=dict)
    """Calls as written through their chains, by their identity, where that was asked."""
    _facts: dict[tuple[int, str], CallFact | None] = field(default_factory=dict)
    _calls: dict[int, tuple[tuple[Point, Call], ...]] = field(default_factory=dict)
    _catches: dict[int, tuple[tuple[Point, Catch], ...]] = field(default_factory=dict)
    _definitions: dict[int, Definitions] = field(default_factory=dict)
    _loops: dict[int, tuple[NaturalLoop, ...]] = field(default_factory=dict)
    _results: dict[int, dict[int, Point]] = field(default_factory=dict)
    _large: dict[int, bool] = field(default_factory=dict)
    _called: dict[int, tuple[Call, tuple[Flow, ...]]] = field(default_factory=dict)
    _filled: dict[int, dict[str, list[tuple[Point, Expression]]]] = field(default_factory=dict)

    def definitions(self, flow: Flow) -> Definitions:
        """The reaching definitions of a flow."""
        if flow.index not in self._definitions:
            self._definitions[flow.index] = definitions(flow)
        return self._definitions[flow.index]

    def loops(self, flow: Flow) -> tuple[NaturalLoop, ...]:
        """The loops of a flow, the smallest first."""
        if flow.index not in self._loops:
            self._loops[flow.index] = natural_loops(flow)
        return self._loops[flow.index]

    def operation(self, flow: Flow, number: int) -> tuple[Point, Operation] | None:
        """The operation whose answer `Result(number)` is, with its place."""
        if flow.index not in self._results:
            self._results[flow.index] = results(flow)
        point = self._results[flow.index].get(number)
        return None if point is None else (point, at(flow, point))

    def calls(self, flow: Flow) -> tuple[tuple[Point, Call], ...]:
        """The calls of a flow with their places."""
        if flow.index not in self._calls:
            self._calls[flow.index] = tuple(flow.calls())
        return self._calls[flow.index]

    def fact(self, call: Call, name: str) -> CallFact | None:
        """What the catalogue knows of a call that goes by a name, with the arguments that are written in it."""
        # The calls of a file live as long as its flows, which this holds: so their identity tells them apart.
        key = id(call), name
        if key not in self._facts:
            self._facts[key] = known(name, arguments.read(call))
        return self._facts[key]

    def filled(self, flow: Flow, name: str) -> Sequence[tuple[Point, Expression]]:
        """What is put into a variable's container anywhere in a flow: `x.append(value)`, `x[index] = value`."""
        if flow.index not in self._filled:
            self._filled[flow.index] = _fills(flow)
        return self._filled[flow.index].get(name, ())

    def large(self, flow: Flow) -> bool:
        """Whether a function is too long to ask about each of its calls: that takes the square of their number."""
        known = self._large.get(flow.index)
        if known is None:
            known = self._large[flow.index] = len(self.calls(flow)) > MOST_CALLS
        return known

    def catches(self, flow: Flow) -> tuple[tuple[Point, Catch], ...]:
        """The handlers of a flow with their places."""
        if flow.index not in self._catches:
            found = [
                (Point(number, len(block.operations) - 1), block.operations[-1])
                for number, block in enumerate(flow.blocks)
                if block.operations
            ]
            self._catches[flow.index] = tuple((point, one) for point, one in found if isinstance(one, Catch))
        return self._catches[flow.index]

    def called(self, flow: Flow, call: Call) -> tuple[Flow, ...]:
        """The functions of this file that a call runs."""
        known = self._called.get(id(call))
        if known is None:
            found = self.callees.of(call) or self.callees.named(flow, call.callee)
            known = self._called[id(call)] = call, tuple([self.file.flows[index] for index in found])
        return known[1]


_FILLS = frozenset({"add", "append", "update", "extend", "setdefault", "insert"})


def _fills(flow: Flow) -> dict[str, list[tuple[Point, Expression]]]:
    found: dict[str, list[tuple[Point, Expression]]] = {}
    for point, operation in flow.points():
        match operation:
            case Call(callee=Attribute(base=Variable(name=name), name=fills)) if fills in _FILLS:
                values = (*operation.arguments, *(word.value for word in operation.keywords))
            case Assign(target=Item(base=Variable(name=name), index=index), value=value):
                values = (index, value)
            case _:
                continue
        found.setdefault(name, []).extend((point, value) for value in values)
    return found


def study(file: FileFlow, own: Table = EMPTY) -> Context:
    """Begin with a file, and with what the user says of calls."""
    return Context(file, callees(file), hierarchy(bases(), file), own)


def at(flow: Flow, point: Point) -> Operation:
    """The operation at a place."""
    return flow.blocks[point.block].operations[point.position]
