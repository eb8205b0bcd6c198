"""What a function records of its writes to the outside, before and after it makes them."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, failed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward import Outward, Surety
from stepcheck.behaviour.ledgering.asking_first import asked_first
from stepcheck.behaviour.ledgering.claiming import Scene, claimed_around, guards, roots
from stepcheck.behaviour.ledgering.deciding_looks import deciding, keeper, kept, persists
from stepcheck.behaviour.ledgering.records import Row, handed
from stepcheck.behaviour.ledgering.transactions import Transaction, no_swallow
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Attribute, Call, Point, Variable, dotted, walk
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
        looked = deciding(scene, one, later)
        apart = [row for row in ahead if not _together(found, row, one)]
        over = None if claimed else _over(scene, one, apart, writes)
        before = next((row for row in ahead if kept(scene, row, one.point)), None)
        after = _told(scene, one, later)
        if looked is None and over is None and after is None:
            continue
        evidence = one.evidence if one.surety is Surety.SURE else Evidence.NAME
        yield LedgeredWrite(
            one.span, one.name, scene.flow.qualname, evidence, one.why, one.key, looked,
            _note(before), _note(over), _first(scene, one, after), claimed, asked_first(scene, one),
        )  # fmt: skip


def _together(found: tuple[Transaction, ...], row: Row, one: Outward) -> bool:
    """Whether a rollback takes the record back when the write fails."""
    return any(transaction.holds(row.point) and transaction.holds(one.point) for transaction in found)


def _note(row: Row | None) -> Noted | None:
    return None if row is None else Noted(row.name, row.span, row.states)


def _first(scene: Scene, one: Outward, row: Row | None) -> Noted | None:
    """What keeps a record: the save of a changed one, or what the same store was given of the write before it."""
    if row is None:
        return None
    if row.call is None:
        saved = keeper(scene, row)
        return _note(row) if saved is None else Noted(saved.name, saved.span, row.states)
    store = row.name.rpartition(".")[0]
    for act in scene.study.acts(scene.flow) if store else ():
        if (
            act.name.rpartition(".")[0] == store
            and ledgers.known().notes.intersection(names.words(words.last(act.name))[:1])
            and act.point in scene.after(one.point)
            and row.point in scene.after(act.point)
            and one.point in scene.made_of(act.point)
        ):
            return Noted(act.name, act.span)
    return _note(row)


def _told(scene: Scene, one: Outward, later: list[Row]) -> Row | None:
    """The first record of the write: made of its answer, or saying that it was done."""
    for row in later:
        if _built_of(scene, row, one):
            return row
        if row.cached or _says_nothing(row):
            continue
        if row.call is not None and row.evidence is Evidence.NAME and not row.ledger and not row.fields:
            continue
        named = row.call is not None and "." not in row.name and row.evidence is Evidence.NAME
        depends = one.point in scene.made_of(row.point) and not (named and not row.states)
        says = one.said_by(row.states)
        if (depends or says or (row.over and row.ledger and _of_same(row, one))) and persists(scene, row):
            return row
    return None


def _built_of(scene: Scene, row: Row, one: Outward) -> bool:
    """`Payment(charge_id=charge.id)` and its `save()`: the record was made anew, of the answer of the write."""
    if words.last(row.name) not in ("save", "asave") or row.call is None or row.call.arguments:
        return False
    made = scene.made_of(row.point)
    return one.point in made and any(
        point in made and words.last(call.dotted)[:1].isupper() and one.point in scene.made_of(point)
        for point, call in scene.study.context.calls(scene.flow)
    )


def _says_nothing(row: Row) -> bool:
    """`order.save()`: what it saves has been noted before."""
    last = words.last(row.name)
    return last == "get_or_create" or (
        last in ("save", "asave") and row.call is not None and not row.call.arguments
    )


def _over(scene: Scene, one: Outward, ahead: list[Row], writes: tuple[Outward, ...]) -> Row | None:
    """A record that says that the write is done, saved before it is sent, and not taken back when it fails."""
    for row in ahead:
        if row.call is not None and words.last(row.name) in ("get_or_create", "setnx"):
            continue
        said = one.said_by(row.states)
        generic = _generic(row) or (row.over and _of_one_event(scene, row, one))
        if not said and not (generic and not ledgers.tells(one.name) and _of_same(row, one)):
            continue
        if not kept(scene, row, one.point) or (row.call is None and row.subject in ("self", "cls")):
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


def _of_one_event(scene: Scene, row: Row, one: Outward) -> bool:
    """Whether the record and the call are told the same field of the event that the function is given."""
    events = {
        parameter.name
        for parameter in scene.flow.parameters
        if ledgers.known().carries.intersection(names.words(parameter.name))
    }
    shared = row.given & handed(scene.study, scene.flow, one.call)
    return any(text not in events and not events.isdisjoint(roots((text,))) for text in shared)


def _taken_back(scene: Scene, point: Point) -> bool:
    """Whether something is recorded or deleted on a way from the failure of a call."""
    starts = failed(scene.flow, point)
    if not starts:
        return False
    reached = begun(scene.flow, starts, (), no_swallow)
    places = {row.point for row in scene.rows if not (row.cached and row.call is None)}
    places |= {act.point for act in scene.study.acts(scene.flow) if act.deed in (Deed.DELETE, Deed.ROLLBACK)}
    return not reached.isdisjoint(places)
