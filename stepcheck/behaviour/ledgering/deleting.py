"""Records that are deleted because a call failed that may have been carried out."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.ledgering.claiming import Scene, handlers, roots
from stepcheck.behaviour.ledgering.holding import claims
from stepcheck.behaviour.ledgering.records import Row, handed
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Assign, Attribute, Call, Point, Variable, dotted, walk
from stepcheck.facts import Evidence, KeyState, Outcome
from stepcheck.facts.ledgering import DeletedRecord, Noted


def deleted(scene: Scene, writes: tuple[Outward, ...]) -> Iterator[DeletedRecord]:
    """Every record that a handler deletes although the call that it was made for may have been done."""
    deletes = [act for act in scene.study.acts(scene.flow) if _deletes(act)]
    if not deletes:
        return
    for one in writes:
        before = [row for row in scene.rows if one.point in scene.after(row.point) and row.call is not None]
        anyway = {act.span for act in deletes if act.point in scene.after(one.point)}
        uncertain = False
        for _, catch, starts in handlers(scene.study, scene.flow, one.point):
            outcome = words.worst(catch.types) if catch.types else Outcome.UNKNOWN
            if outcome in (Outcome.NOT_SENT, Outcome.REFUSED) or uncertain:
                continue
            if outcome is Outcome.OPAQUE and all(_refuses(name) for name in catch.types):
                continue
            uncertain = outcome is Outcome.UNKNOWN and bool(catch.types)
            reached = begun(scene.flow, starts, _asking(scene), scene.onward)
            for act in deletes:
                if act.point not in reached or act.span in anyway:
                    continue
                row = next((row for row in before if _is_of(scene, act, row)), None)
                if row is None or row.call is None:
                    continue
                keys = row.point in scene.made_of(one.point) or bool(
                    _added(scene, row.call) & roots(_texts(scene, one.call))
                )
                if not keys and one.key is KeyState.STABLE:
                    continue
                if not keys and not _claimed(scene, row.point):
                    continue
                yield DeletedRecord(
                    act.span, act.name, scene.flow.qualname, Noted(row.name, row.span), one.name, one.span,
                    ", ".join(words.last(name).lstrip("?:") for name in catch.types if name), keys,
                    Evidence.NAME if one.evidence is Evidence.NAME else Evidence.BODY,
                )  # fmt: skip
                return


def _refuses(name: str) -> bool:
    """Whether an exception that nothing is known of says by its name that nothing was done: `SeatTaken`."""
    found = names.words(words.last(name))
    vague = {"error", "exception", "failure", "failed", "fault"}
    return bool(ledgers.known().refusals.intersection(found)) or not vague.intersection(found)


def _claimed(scene: Scene, point: Point) -> bool:
    return any(act.point == point and claims(scene, act) for act in scene.study.acts(scene.flow))


def _deletes(act: Act) -> bool:
    if act.call is None:
        return False
    last = words.last(act.name)
    return act.deed is Deed.DELETE or last in (
        "delete",
        "adelete",
        "delete_one",
        "delete_item",
        "srem",
        "unlink",
        "hdel",
    )


def _asking(scene: Scene) -> frozenset[Point]:
    """Where the other side, or a record of ours, is asked what happened."""
    return frozenset(
        point
        for point, call in scene.study.context.calls(scene.flow)
        if words.asks(call.dotted or getattr(call.callee, "name", ""))
        and not ledgers.claims(words.last(call.dotted))
    )


def _is_of(scene: Scene, act: Act, row: Row) -> bool:
    """Whether a deletion is of the record that a call made, or of the claim on the same key."""
    if row.call is None or act.call is None:
        return False
    told = _texts(scene, act.call)
    if roots(told) & _records(scene, row):
        return True
    keys = {name for name in row.given if not name[:1].isupper()}
    return bool(keys & told) and act.name.rpartition(".")[0].partition(".")[0] in made_on(row.call)


_KEEPS = frozenset({"add", "save", "merge", "insert", "add_all", "put"})


def _records(scene: Scene, row: Row) -> frozenset[str]:
    """The variables that hold a record, or what is made of it."""
    found = {
        operation.target.name
        for point, operation in scene.flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and row.point in scene.made_of(point)
    }
    return frozenset(found) | (_added(scene, row.call) if row.call is not None else frozenset())


def _added(scene: Scene, call: Call) -> frozenset[str]:
    """The variables that hold what a call puts among our rows, `session.add(row)`, or what is made of it."""
    if words.last(call.dotted) not in _KEEPS:
        return frozenset()
    found = {value.name for value in call.arguments if isinstance(value, Variable)}
    return frozenset(found) | {
        operation.target.name
        for _, operation in scene.flow.points()
        if isinstance(operation, Assign) and isinstance(operation.target, Variable)
        and any(isinstance(part, Variable) and part.name in found for part in walk(operation.value))
    }  # fmt: skip


def made_on(call: Call) -> set[str]:
    """What a call is asked of."""
    return {call.dotted.partition(".")[0]} - {""} or {""}


def _texts(scene: Scene, call: Call) -> frozenset[str]:
    """Everything that a call is told: its receiver, its arguments, through the calls that it is chained to."""
    found = set(handed(scene.study, scene.flow, call))
    for part in walk(call.callee):
        if isinstance(part, Variable | Attribute) and dotted(part):
            found.add(dotted(part))
    return frozenset(found)
