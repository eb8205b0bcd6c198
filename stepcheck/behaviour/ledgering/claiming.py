"""What lets only the first of several through: claims of a function, and the tests that depend on their answers."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.loops import origins
from stepcheck.analysis.paths import START, begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.named_fields import statement
from stepcheck.behaviour.ledgering.records import Row, noted
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Catch,
    Constant,
    Edge,
    EdgeKind,
    Enter,
    Flow,
    Item,
    Next,
    Point,
    Variable,
    dotted,
    reads,
    walk,
)


@dataclass(slots=True)
class Scene:
    """One function, with what is asked of it more than once."""

    study: Study
    flow: Flow
    _rows: tuple[Row, ...] | None = None
    _tests: dict[Point, frozenset[Point]] = field(default_factory=dict)
    _after: dict[Point, frozenset[Point]] = field(default_factory=dict)
    _heads: frozenset[int] | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """What the function notes."""
        if self._rows is None:
            self._rows = noted(self.study, self.flow)
        return self._rows

    def onward(self, block: int, edge: Edge) -> bool:
        """Follow what runs when nothing raises, and no loop's way back."""
        if edge.kind in (EdgeKind.EXCEPTION, EdgeKind.RERAISE, EdgeKind.SWALLOWED):
            return False
        return not self.back(block, edge)

    def back(self, block: int, edge: Edge) -> bool:
        """Whether an edge leads back to the head of a loop that it is in."""
        if self._heads is None:
            self._heads = frozenset(loop.head for loop in self.study.context.loops(self.flow))
        return edge.target in self._heads and edge.target <= block

    def after(self, point: Point) -> frozenset[Point]:
        """What may come after an operation that succeeds, in the same turn of its loops or behind them."""
        if point in self._after:
            return self._after[point]
        starts = [completed(point)]
        for loop in self.study.context.loops(self.flow):
            if point.block in loop.blocks:
                starts += [
                    Point(edge.target, 0)
                    for edge in self.flow.blocks[loop.head].edges
                    if edge.target not in loop.blocks and edge.kind in (EdgeKind.NEXT, EdgeKind.FALSE)
                ]
        self._after[point] = begun(self.flow, starts, (), self.onward)
        return self._after[point]

    def made_of(self, point: Point) -> frozenset[Point]:
        """The operations that what an operation reads is made by."""
        if point not in self._tests:
            self._tests[point] = origins(self.study.context.definitions(self.flow), point)
        return self._tests[point]

    def decides(self, answer: Collection[Point], then: Point) -> Point | None:
        """The test, or the loop, whose way to `then` depends on one of the answers; None where there is none."""
        for point, operation in self.flow.points():
            if not isinstance(operation, Branch | Next) or self.made_of(point).isdisjoint(answer):
                continue
            sides = [
                then in begun(self.flow, (Point(edge.target, 0),), (), self.onward)
                for edge in self.flow.blocks[point.block].edges
                if edge.kind in (EdgeKind.TRUE, EdgeKind.FALSE)
            ]
            if any(sides) and not all(sides):
                return point
        return None


def handlers(study: Study, flow: Flow, point: Point) -> list[tuple[Point, Catch, tuple[Point, ...]]]:
    """The handlers that a failure of an operation may come to, with where each begins."""
    found = []
    for reached in fate(flow, point, "", study.context.exceptions).handlers:
        block = flow.blocks[reached.catch.block]
        catch = block.operations[-1]
        if isinstance(catch, Catch):
            starts = tuple(Point(edge.target, 0) for edge in block.edges if edge.kind is EdgeKind.CAUGHT)
            found.append((reached.catch, catch, starts))
    return found


def refused_repeats(study: Study, flow: Flow, point: Point) -> tuple[Catch, tuple[Point, ...]] | None:
    """The handler of an INSERT for a row that is there already."""
    for _, catch, starts in handlers(study, flow, point):
        if any(
            ledgers.known().duplicates.intersection(names.words(words.last(name))) for name in catch.types
        ):
            return catch, starts
    return None


def claimed_around(flow: Flow) -> bool:
    """Whether a decorator keeps a second run out."""
    return any(ledgers.claims(words.last(made.dotted)) for made in flow.decorators)


def guards(scene: Scene) -> frozenset[Point]:
    """Where a function claims, locks, or calls something that does by its name."""
    study, flow = scene.study, scene.flow
    found: set[Point] = set()
    for act in study.acts(flow):
        records = act.deed is Deed.RECORD and act.call is not None
        if (
            act.deed in (Deed.LOCK, Deed.CLAIM)
            or (records and refused_repeats(study, flow, act.point) is not None)
            or (act.deed is Deed.RECORD and act.call is not None and _compares(study, flow, act.call))
            or (act.deed in (Deed.RECORD, Deed.DELETE) and _counted(scene, act))
        ):
            found.add(act.point)
    for point, operation in flow.points():
        if isinstance(operation, Call):
            last = words.last(operation.dotted) or getattr(operation.callee, "name", "")
            if (
                ledgers.claims(last)
                or not study.through(flow, operation).may.isdisjoint({Deed.CLAIM, Deed.LOCK})
                or any(_locks(word.name, word.value) for word in operation.keywords)
            ):
                found.add(point)
        elif isinstance(operation, Enter) and ledgers.claims(
            operation.qualified or dotted(operation.context)
        ):
            found.add(point)
    return frozenset(found)


_COUNTED = frozenset({"update", "aupdate", "update_one", "update_many", "delete", "delete_one", "execute"})


def _counted(scene: Scene, act: Act) -> bool:
    """Whether a test depends on how many rows a change met: `changed = query.update(...)`, and then `if changed`."""
    return words.last(act.name) in _COUNTED and any(
        isinstance(operation, Branch) and act.point in scene.made_of(point)
        for point, operation in scene.flow.points()
    )


def _locks(name: str, value: object) -> bool:
    """`session.get(Sale, sale_id, with_for_update=True)`."""
    return name in ("with_for_update", "for_update", "skip_locked", "lock") and not (
        isinstance(value, Constant) and value.value in (False, None)
    )


def _compares(study: Study, flow: Flow, call: Call) -> bool:
    """`UPDATE ... SET status = 'busy' WHERE id = ? AND status = 'open'`."""
    found = statement(study, flow, call)
    return found is not None and found.verb == "UPDATE" and not found.writes.isdisjoint(found.asks)


def tests_row(scene: Scene, test: Point) -> bool:
    """Whether a test looks into a record (`row.state`), not only at whether there was one."""
    operation = scene.flow.blocks[test.block].operations[test.position]
    for expression in reads(operation):
        for part in walk(expression):
            if isinstance(part, Attribute) and not part.name.endswith(
                ("count", "created", "inserted", "upserted_id")
            ):
                return True
            if (
                isinstance(part, Item)
                and isinstance(part.index, Constant)
                and isinstance(part.index.value, str)
            ):
                return True
    return False


def always(scene: Scene, some: Collection[Point], point: Point) -> bool:
    """Whether one of `some` was completed on every path to a place."""
    return bool(some) and point not in begun(scene.flow, (START,), some)


def roots(texts: Iterable[str]) -> frozenset[str]:
    """The variables that names begin with."""
    return frozenset(text.partition(".")[0].partition("[")[0] for text in texts)


def variable(value: object) -> str:
    """A variable's name, or nothing."""
    return value.name if isinstance(value, Variable) else ""
