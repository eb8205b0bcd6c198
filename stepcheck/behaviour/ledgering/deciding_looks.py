"""Looks at our own rows that decide about a write, and whose answer is changed behind it."""

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.ledgering.claiming import Scene, handlers
from stepcheck.behaviour.ledgering.looking import looked_up
from stepcheck.behaviour.ledgering.records import Row
from stepcheck.catalogue import ledgers, names, receivers
from stepcheck.code.flow import Attribute, Branch, Compound, Next, Point, dotted, reads, walk
from stepcheck.facts.ledgering import Noted


def kept(scene: Scene, row: Row, before: Point | None = None) -> bool:
    """Whether a change of a record is saved: at once, or by a `save` or a commit behind it (and before a place)."""
    added = row.name.endswith((".add", ".add_all", ".flush", ".merge"))
    if row.call is not None and not added and not _in_memory(row):
        return True
    return keeper(scene, row, before) is not None


def keeper(scene: Scene, row: Row, before: Point | None = None) -> Act | None:
    """The `save`, or the commit, behind a change of a record (and before a place)."""
    behind = scene.after(row.point)
    for act in scene.study.acts(scene.flow):
        if act.point not in behind or act.call is None:
            continue
        saves = words.last(act.name) in ("save", "asave") and act.name.partition(".")[0] == row.subject
        if (
            saves
            or act.deed is Deed.COMMIT
            or words.last(act.name) in ("put", "bulk_update", "merge", "update_item")
        ) and (before is None or before in scene.after(act.point)):
            return act
    return None


def _in_memory(row: Row) -> bool:
    """`order.set_sent(True)`: it changes an object, not a store that is told which row."""
    receiver = row.name.rpartition(".")[0]
    return (
        bool(receiver)
        and names.words(words.last(row.name))[:1] == ("set",)
        and len(names.words(words.last(row.name))) > 1
        and not receivers.store(receiver)
        and not ledgers.known().ledgers.intersection(names.words(words.last(receiver)))
    )


def persists(scene: Scene, row: Row) -> bool:
    """Whether what a record says outlives the process."""
    if row.call is None:
        return row.subject not in ("self", "cls") and kept(scene, row)
    return not _in_memory(row) or kept(scene, row)


def deciding(scene: Scene, one: Outward, later: list[Row]) -> Noted | None:
    """A look at our own rows that decides whether the write is sent, where the answer is changed afterwards."""
    for look in looked_up(scene.study, scene.flow):
        absent = _absent(scene, look, one)
        if one.point not in scene.after(look.point) and not absent:
            continue
        row = next((row for row in later if _same(scene, look, row)), None)
        if row is None or not persists(scene, row):
            continue
        if absent or scene.decides({look.point}, one.point) is not None:
            return Noted(look.name, look.span, look.states)
    return _state_tested(scene, one, later) or _held(scene, one, later)


def _absent(scene: Scene, look: Row, one: Outward) -> bool:
    """Whether the write is sent where the look finds nothing, as an exception tells: `except Order.DoesNotExist`."""
    if one.point in scene.after(look.point):
        return False
    return any(
        one.point in begun(scene.flow, starts, (), scene.onward)
        for _, catch, starts in handlers(scene.study, scene.flow, look.point)
        if any(ledgers.known().missing.intersection(names.words(words.last(name))) for name in catch.types)
    )


def _same(scene: Scene, look: Row, row: Row) -> bool:
    """Whether a record changes what a look asked for."""
    if row.call is None:
        return bool(look.fields & row.fields) and look.point in scene.made_of(row.point)
    if look.cached or row.cached:
        return look.cached and row.cached and bool(look.given & row.given)
    if look.subject.lower() == row.subject.lower() or _stem(look.subject) == _stem(row.subject):
        if look.fields & row.fields:
            return True
        if not look.fields or not row.fields:
            return bool(look.given & row.given)
        return False
    if look.ledger and row.ledger and not look.fields and not row.fields:
        shared = set(names.words(words.last(look.name))) & set(names.words(words.last(row.name)))
        return bool(shared) and bool(look.given & row.given)
    return False


def _stem(subject: str) -> str:
    return subject.lower().rpartition(".")[2].rstrip("s")


def _state_tested(scene: Scene, one: Outward, later: list[Row]) -> Noted | None:
    """`if order.paid: return`, where `order.paid` is set afterwards."""
    changed = {row.name: row for row in later if row.call is None and row.subject not in ("self", "cls")}
    if not changed:
        return None
    for point, operation in scene.flow.points():
        if not isinstance(operation, Branch | Next) or one.point not in scene.after(point):
            continue
        for expression in reads(operation):
            for part in walk(expression):
                name = dotted(part) if isinstance(part, Attribute) else ""
                row = changed.get(name)
                if row is None or not kept(scene, row):
                    continue
                sides = [
                    one.point in begun(scene.flow, (Point(edge.target, 0),), (), scene.onward)
                    for edge in scene.flow.blocks[point.block].edges
                ]
                if any(sides) and not all(sides):
                    return Noted(name, operation.span)
    return None


def _held(scene: Scene, one: Outward, later: list[Row]) -> Noted | None:
    """`if key in store: return store[key]`, where `store[key]` is set afterwards."""
    kept = {row.name for row in later if row.call is None and row.cached}
    for point, operation in scene.flow.points() if kept else ():
        if not isinstance(operation, Branch) or one.point not in scene.after(point):
            continue
        for part in walk(operation.test):
            match part:
                case Compound(kind="compare", text="in" | "not in", parts=(_, store)) if (
                    dotted(store) in kept
                ):
                    return Noted(dotted(store), operation.span)
                case _:
                    pass
    return None
