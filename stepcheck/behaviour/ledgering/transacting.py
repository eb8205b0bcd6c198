"""Writes to the outside that stand inside a transaction, which the database may take back or run again."""

from collections.abc import Iterable, Iterator

from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward import Outward, Surety
from stepcheck.behaviour.ledgering.claiming import Scene
from stepcheck.behaviour.ledgering.records import Row
from stepcheck.behaviour.ledgering.transactions import Transaction
from stepcheck.catalogue import ledgers
from stepcheck.facts import Evidence, KeyState
from stepcheck.facts.ledgering import Noted, TransactedWrite


def transacted(
    scene: Scene, writes: tuple[Outward, ...], found: tuple[Transaction, ...]
) -> Iterator[TransactedWrite]:
    """Every such write, with the first transaction that holds it."""
    for one in writes:
        if not _leaves(one):
            continue
        for transaction in found:
            if not transaction.holds(one.point) or not _comes_to_commit(scene, transaction, one):
                continue
            if not transaction.rerun and not _takes_back(scene, transaction, one):
                continue
            record = _record(scene, transaction, one)
            if transaction.manual and (record is None or (one.enqueues and "." not in one.name)):
                continue
            if _tells_of_another(scene, one, writes, record):
                continue
            evidence = one.evidence if one.surety is Surety.SURE else Evidence.NAME
            yield TransactedWrite(
                one.span, one.name, scene.flow.qualname, evidence, one.why, transaction.who, transaction.span,
                transaction.rerun, record, _keyed(scene, transaction, one),
            )  # fmt: skip
            break


def _leaves(one: Outward) -> bool:
    """Whether it leaves the database too: inside a transaction much that sounds so is rows of our own."""
    if one.surety >= Surety.CLIENT:
        return True
    if one.surety is Surety.GRAVE and one.verb in ledgers.known().leaves:
        return (
            "." not in one.name or one.name.startswith(("self.", "cls.")) or words.last(one.name) != one.verb
        )
    return False


def _comes_to_commit(scene: Scene, transaction: Transaction, one: Outward) -> bool:
    if not transaction.manual:
        return True
    ends = {act.point for act in scene.study.acts(scene.flow) if act.deed is Deed.COMMIT}
    return not begun(scene.flow, (completed(one.point),), (), scene.onward).isdisjoint(ends)


def _takes_back(scene: Scene, transaction: Transaction, one: Outward) -> bool:
    """Whether a rollback may take something back: what is only read, or locked, it leaves as it is."""
    changes = {Deed.RECORD, Deed.CLAIM, Deed.DELETE}
    may = changes if one.enqueues else changes | {Deed.OPAQUE}
    for act in scene.study.acts(scene.flow):
        if act.deed in may and act.point != one.point and transaction.holds(act.point):
            return True
    return any(
        transaction.holds(point) and not scene.study.through(scene.flow, call).may.isdisjoint(changes)
        for point, call in scene.study.context.calls(scene.flow)
    )


def _record(scene: Scene, transaction: Transaction, one: Outward) -> Noted | None:
    """What is recorded in the transaction before the write."""
    for row in scene.rows:
        if transaction.holds(row.point) and one.point in scene.after(row.point) and _changes(row):
            return Noted(row.name, row.span, row.states)
    return None


def _tells_of_another(scene: Scene, one: Outward, writes: tuple[Outward, ...], record: Noted | None) -> bool:
    """Whether it tells people of what another call did outside before the records: that no rollback takes back."""
    if record is None or not ledgers.tells(one.name):
        return False
    first = min((row.point for row in scene.rows if row.span == record.span), default=one.point)
    return any(
        other.surety >= Surety.CLIENT and not ledgers.tells(other.name) and first in scene.after(other.point)
        for other in writes
    )


def _changes(row: Row) -> bool:
    return row.call is not None or row.subject not in ("self", "cls")


def _keyed(scene: Scene, transaction: Transaction, one: Outward) -> bool:
    """Whether it has a key that is not made of a row of the same transaction."""
    if one.key is not KeyState.STABLE:
        return False
    made = scene.made_of(one.point)
    return not any(_inserts(row) and row.point in made and transaction.holds(row.point) for row in scene.rows)


def _inserts(row: Row) -> bool:
    return row.call is not None and words.last(row.name) not in ("save", "update", "execute", "filter")


def outermost(found: Iterable[Transaction]) -> tuple[Transaction, ...]:
    """Those that tell most first: run again, then opened, then told by a commit only."""
    return tuple(sorted(found, key=lambda one: (not one.rerun, one.manual)))
