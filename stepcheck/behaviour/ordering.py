"""What a function records of its writes to the outside, before and after it makes them."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, failed
from stepcheck.behaviour import words
from stepcheck.behaviour.acts import Deed
from stepcheck.behaviour.claiming import Scene, claimed_around, guards, handlers, roots
from stepcheck.behaviour.looking import looked_up
from stepcheck.behaviour.outward import Outward, Surety
from stepcheck.behaviour.records import Row
from stepcheck.behaviour.transactions import Transaction, no_swallow
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Attribute, Branch, Call, Compound, Next, Point, Variable, dotted, reads, walk
from stepcheck.facts import Evidence
from stepcheck.facts.ledgering import LedgeredWrite, Noted


def ordered(
    scene: Scene, writes: tuple[Outward, ...], found: tuple[Transaction, ...] = ()
) -> Iterator[LedgeredWrite]:
    """Every write that leaves the house, with the records around it."""
    if not scene.rows:
        return
    points = guards(scene)
    around = claimed_around(scene.flow)
    for one in writes:
        if one.enqueues or one.surety is Surety.LOOSE:
            continue
        behind = scene.after(one.point)
        later = [row for row in scene.rows if row.point in behind and row.point != one.point]
        ahead = [row for row in scene.rows if one.point in scene.after(row.point) and row.point not in behind]
        claimed = around or any(one.point in scene.after(point) for point in points if point != one.point)
        looked = _looked(scene, one, later)
        apart = [row for row in ahead if not _together(found, row, one)]
        over = None if claimed else _over(scene, one, apart, writes)
        before = next((row for row in ahead if _kept(scene, row, one.point)), None)
        after = _told(scene, one, later)
        if looked is None and over is None and after is None:
            continue
        evidence = one.evidence if one.surety is Surety.SURE else Evidence.NAME
        yield LedgeredWrite(
            one.span, one.name, scene.flow.qualname, evidence, one.why, one.key, looked,
            _note(before), _note(over), _note(after), claimed,
        )  # fmt: skip


def _together(found: tuple[Transaction, ...], row: Row, one: Outward) -> bool:
    """Whether a rollback takes the record back when the write fails."""
    return any(transaction.holds(row.point) and transaction.holds(one.point) for transaction in found)


def _note(row: Row | None) -> Noted | None:
    return None if row is None else Noted(row.name, row.span, row.states)


def _kept(scene: Scene, row: Row, before: Point | None = None) -> bool:
    """Whether a change of a record is saved: at once, or by a `save` or a commit behind it (and before a place)."""
    added = row.name.endswith((".add", ".add_all", ".flush", ".merge"))
    if row.call is not None and not added:
        return True
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
            return True
    return False


def _told(scene: Scene, one: Outward, later: list[Row]) -> Row | None:
    """The first record of the write: made of its answer, or saying that it was done."""
    for row in later:
        if row.cached or _says_nothing(row):
            continue
        if row.call is not None and row.evidence is Evidence.NAME and not row.ledger and not row.fields:
            continue
        named = row.call is not None and "." not in row.name and row.evidence is Evidence.NAME
        depends = one.point in scene.made_of(row.point) and not (named and not row.states)
        says = one.said_by(row.states)
        if (depends or says or (row.over and row.ledger and _of_same(row, one))) and _persists(scene, row):
            return row
    return None


def _says_nothing(row: Row) -> bool:
    """`order.save()`: what it saves has been noted before."""
    last = words.last(row.name)
    return last == "get_or_create" or (
        last in ("save", "asave") and row.call is not None and not row.call.arguments
    )


def _persists(scene: Scene, row: Row) -> bool:
    if row.call is None:
        return row.subject not in ("self", "cls") and _kept(scene, row)
    return True


def _over(scene: Scene, one: Outward, ahead: list[Row], writes: tuple[Outward, ...]) -> Row | None:
    """A record that says that the write is done, saved before it is sent, and not taken back when it fails."""
    for row in ahead:
        if row.call is not None and words.last(row.name) in ("get_or_create", "setnx"):
            continue
        said = one.said_by(row.states)
        if not said and not (_generic(row) and not ledgers.tells(one.name) and _of_same(row, one)):
            continue
        if not _kept(scene, row, one.point) or (row.call is None and row.subject in ("self", "cls")):
            continue
        behind = scene.after
        if any(
            other.point != one.point and row.point in behind(other.point)
            and (not said or other.said_by(row.states))
            for other in writes
        ):  # fmt: skip
            continue
        if _taken_back(scene, one.point) or (not said and _worked_on(scene, row)):
            continue
        return row
    return None


def _worked_on(scene: Scene, row: Row) -> bool:
    """Whether something else was done with the thing before it was recorded as done."""
    things = roots(row.given) | {row.subject.partition(".")[0]}
    for act in scene.study.acts(scene.flow):
        if act.call is None or act.deed not in (Deed.OPAQUE, Deed.WRITE, Deed.SETS):
            continue
        if row.point in scene.after(act.point) and roots(given_to(act.call)) & things:
            return True
    return any(
        row.point in scene.after(point) and roots(given_to(call)) & things
        for point, call in scene.study.context.calls(scene.flow)
        if scene.study.context.called(scene.flow, call)
    )


def given_to(call: Call) -> frozenset[str]:
    """The names among the arguments of a call."""
    return frozenset(
        name
        for value in (*call.arguments, *(word.value for word in call.keywords))
        for part in walk(value)
        if isinstance(part, Variable | Attribute) and (name := dotted(part))
    )


def _generic(row: Row) -> bool:
    return (row.ledger and row.over) or ledgers.over(row.subject)


def _of_same(row: Row, one: Outward) -> bool:
    """Whether the record and the call are of one thing."""
    return bool(roots(given_to(one.call)) & (roots(row.given) | {row.subject.partition(".")[0]}))


def _taken_back(scene: Scene, point: Point) -> bool:
    """Whether something is recorded or deleted on a way from the failure of a call."""
    starts = failed(scene.flow, point)
    if not starts:
        return False
    reached = begun(scene.flow, starts, (), no_swallow)
    places = {row.point for row in scene.rows if not (row.cached and row.call is None)}
    places |= {act.point for act in scene.study.acts(scene.flow) if act.deed in (Deed.DELETE, Deed.ROLLBACK)}
    return not reached.isdisjoint(places)


def _looked(scene: Scene, one: Outward, later: list[Row]) -> Noted | None:
    """A look at our own rows that decides whether the write is sent, where the answer is changed afterwards."""
    for look in looked_up(scene.study, scene.flow):
        absent = _absent(scene, look, one)
        if one.point not in scene.after(look.point) and not absent:
            continue
        row = next((row for row in later if _same(scene, look, row)), None)
        if row is None or not _persists(scene, row):
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
                if row is None or not _kept(scene, row):
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
