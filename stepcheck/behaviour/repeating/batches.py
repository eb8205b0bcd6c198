"""Writes for each of many items in a unit that is run again as a whole."""

from collections.abc import Iterator

from stepcheck.analysis.loops import NaturalLoop, per_item
from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.repeating.repeated_writes import bare, claimed, failures_stay, last_of, reached
from stepcheck.behaviour.repeating.units import Unit, tells_repeats
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import Call, Compound, Constant, Expression, Flow, Point, Result, reads, walk
from stepcheck.facts import Evidence
from stepcheck.facts.repeating import Batch

_NOTES = (Deed.RECORD, Deed.CLAIM, Deed.LOCK, Deed.LOOKUP, Deed.DELETE, Deed.COMMIT, Deed.SETS, Deed.ACK)
"""What keeps a record for each item, or asks whether there is one."""
_NOTED = frozenset(
    {"mark", "record", "done", "checkpoint", "ack", "acknowledge", "processed", "seen", "already"}
)
_MANY = frozenset({"records", "messages"})
_FEW = 2
"""Loops over a list of so few items written out are no batches."""


def batches(study: Study, units: tuple[Unit, ...]) -> Iterator[Batch]:
    """Every such write, once for each loop."""
    told: set[tuple[int, int]] = set()
    for unit in units:
        if unit.blocks is None and tells_repeats(study, unit.flow):
            continue
        for flow in reached(study, unit):
            for loop in study.context.loops(flow):
                if (flow.index, loop.head) in told or loop.written is None or not _is_batch(unit, flow, loop):
                    continue
                one = _in_loop(study, unit, flow, loop)
                if one is not None:
                    told.add((flow.index, loop.head))
                    targets = [name.partition("@")[0] for name in loop.written.targets]
                    evidence = Evidence.NAME if unit.again.evidence is Evidence.NAME else one.evidence
                    yield Batch(
                        one.name, one.span, unit.flow.qualname, targets[-1] if targets else "item", loop.written.span,
                        one.inner or one.span, unit.again, unit.redelivered, evidence,
                    )  # fmt: skip


def given_many(study: Study, units: Iterator[Unit]) -> Iterator[Unit]:
    """Those functions that are given many messages at once: `for record in event["Records"]`."""
    for unit in units:
        iterables = [loop.iterable for loop in unit.flow.loops if loop.iterable is not None]
        if any(
            isinstance(part, Constant) and str(part.value).lower() in _MANY
            for iterable in iterables
            for part in _parts(study, unit.flow, iterable)
        ):
            yield unit


def _parts(study: Study, flow: Flow, value: Expression) -> Iterator[Expression]:
    """The parts of a value, and what the call that gives it reads: `event.get("Records", [])`."""
    for part in walk(value):
        yield part
        made = study.context.operation(flow, part.number) if isinstance(part, Result) else None
        for read in reads(made[1]) if made is not None else ():
            yield from walk(read)


def _is_batch(unit: Unit, flow: Flow, loop: NaturalLoop) -> bool:
    """Whether the loop goes over items inside the unit, and is not what begins the unit again."""
    made = loop.written
    if made is None or made.kind == "while" or made.iterable is None:
        return False
    if flow.index == unit.flow.index and unit.blocks is not None and not loop.blocks < unit.blocks:
        return False
    if made.targets and all(words.attempts(name) or name == "_" for name in made.targets):
        return False
    listed = made.iterable if isinstance(made.iterable, Compound) else None
    return listed is None or listed.kind not in ("list", "tuple") or len(listed.parts) > _FEW


def _in_loop(study: Study, unit: Unit, flow: Flow, loop: NaturalLoop) -> Outward | None:
    """The first write of the loop's turns that nothing is noted of."""
    for one in bare(study, flow):
        if one.point.block not in loop.blocks or failures_stay(study, flow, one.point, loop.blocks):
            continue
        if not per_item(study.context.definitions(flow), loop, one.point):
            continue
        if not _noted(study, flow, loop, one.point) and not claimed(study, unit.flow, flow, one.point):
            return one
    return None


def _noted(study: Study, flow: Flow, loop: NaturalLoop, point: Point) -> bool:
    """Whether something is noted or asked for the item in the same turn."""
    known = study.context.definitions(flow)
    places = {place for place in study.places(flow, *_NOTES, surely=False) if place.block in loop.blocks}
    if any(place != point and per_item(known, loop, place) for place in places):
        return True
    turn = begun(flow, (completed(point),), (), lambda _, edge: edge.target != loop.head)
    for place, call in study.context.calls(flow):
        if place.block in loop.blocks and place != point and _notes(call):
            asks = place not in turn
            if asks or per_item(known, loop, place):
                return True
    return False


def _notes(call: Call) -> bool:
    return bool(_NOTED.intersection(names.words(last_of(call))))
