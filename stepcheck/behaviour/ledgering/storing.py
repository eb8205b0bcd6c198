"""Outcomes that nobody is sure of, stored under a key and given as the answer to whoever asks again."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.ledgering.claiming import Scene, handlers
from stepcheck.behaviour.ledgering.looking import looked_up
from stepcheck.behaviour.ledgering.records import Row
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Assign, Call, Edge, EdgeKind, Flow, Point, Return, Variable
from stepcheck.facts import Evidence, Outcome, Span
from stepcheck.facts.ledgering import StoredOutcome


def stored(scene: Scene, writes: tuple[Outward, ...]) -> Iterator[StoredOutcome]:
    """Every outcome of an unknown failure that is stored under a key."""
    rows = list(_stores(scene))
    if not rows:
        return
    looks = _answered(scene)
    for name, point, span, evidence in _calls(scene, writes):
        for _, catch, starts in handlers(scene.study, scene.flow, point):
            outcome = words.worst(catch.types) if catch.types else Outcome.UNKNOWN
            if outcome is not Outcome.UNKNOWN:
                continue
            reached = begun(scene.flow, starts, (), scene.onward)
            row = next((row for row in rows if row.point in reached and _keyed(row, looks)), None)
            if row is None or _asked(scene, reached, row.point) or _tested(scene, reached, row.point):
                continue
            yield StoredOutcome(
                row.span, row.name, scene.flow.qualname, name, span,
                ", ".join(words.last(one).lstrip("?:") for one in catch.types if one), evidence,
            )  # fmt: skip
            return
        row = _in_finally(scene, point, rows, looks)
        if row is not None:
            yield StoredOutcome(row.span, row.name, scene.flow.qualname, name, span, "", evidence)
            return


def _stores(scene: Scene) -> Iterator[Row]:
    """Records of a result."""
    for row in scene.rows:
        if (row.call is None and not row.cached) or ledgers.known().open.intersection(
            word for state in row.states for word in names.words(state)
        ):
            continue
        told = {word for name in (*row.fields, *row.given, row.subject) for word in names.words(name)}
        if told & ledgers.known().results:
            yield row


def _answered(scene: Scene) -> tuple[frozenset[str], ...]:
    """The keys of the looks at our own rows whose answers are returned."""
    found = []
    for look in looked_up(scene.study, scene.flow):
        if any(
            look.point in scene.made_of(point)
            for point, operation in scene.flow.points()
            if isinstance(operation, Return)
        ):
            found.append(frozenset(name for name in look.given if not name[:1].isupper()))
    return tuple(found)


def _keyed(row: Row, looks: tuple[frozenset[str], ...]) -> bool:
    """Whether a record stands under a key by which it is looked up and answered, here or elsewhere."""
    if any(keys & row.given for keys in looks):
        return True
    if {"log", "logs", "audit", "history", "event", "events"}.intersection(names.words(row.name)):
        return False
    return any(ledgers.known().keys.intersection(names.words(words.last(name))) for name in row.given)


def _calls(scene: Scene, writes: tuple[Outward, ...]) -> Iterator[tuple[str, Point, Span, Evidence]]:
    """The writes, and calls of functions that were handed in: `handler(request)`."""
    for one in writes:
        yield one.name, one.point, one.span, one.evidence
    handed = {parameter.name for parameter in scene.flow.parameters}
    above = scene.flow.parent
    while above is not None:
        around = scene.study.context.file.flows[above]
        handed |= {parameter.name for parameter in around.parameters}
        above = around.parent
    for point, call in scene.study.context.calls(scene.flow):
        if isinstance(call.callee, Variable) and call.callee.name in handed:
            yield call.callee.name, point, call.span, Evidence.BODY


def _asked(scene: Scene, reached: frozenset[Point], before: Point) -> bool:
    """Whether the other side is asked before the outcome is stored."""
    for point, call in scene.study.context.calls(scene.flow):
        if point in reached and before in scene.after(point) and words.asks(call.dotted):
            return True
    return False


def _tested(scene: Scene, reached: frozenset[Point], before: Point) -> bool:
    """Whether a test in the handler tells definite failures from others."""
    return scene.decides(_failures(scene, reached), before) is not None


def _failures(scene: Scene, reached: frozenset[Point]) -> frozenset[Point]:
    return frozenset(
        point
        for point, operation in scene.flow.points()
        if point in reached and isinstance(operation, Call | Assign)
    )


def _in_finally(scene: Scene, point: Point, rows: list[Row], looks: tuple[frozenset[str], ...]) -> Row | None:
    """A record in a `finally`, which an exception that goes on passes too."""
    passing = begun(scene.flow, _passed(scene.flow, point), (), _escaping)
    for row in rows:
        if row.point in passing and _keyed(row, looks):
            return row
    return None


def _passed(flow: Flow, point: Point) -> tuple[Point, ...]:
    """Where an exception that no handler takes goes on."""
    return tuple(
        Point(edge.target, 0) for edge in flow.blocks[point.block].edges if edge.kind is EdgeKind.EXCEPTION
    )


def _escaping(_block: int, edge: Edge) -> bool:
    return edge.kind in (EdgeKind.NEXT, EdgeKind.TRUE, EdgeKind.FALSE, EdgeKind.PASSED, EdgeKind.RERAISE)
