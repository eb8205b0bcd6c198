"""Additions in units that are run again, with nothing that keeps the second one out."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.repeating.additions import Addition, additions
from stepcheck.behaviour.repeating.repeated_writes import claimed, last_of, reached
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import Branch, Enter, Flow, Leave, Point, walk
from stepcheck.facts import Evidence, Span
from stepcheck.facts.repeating import Append

_DONE = frozenset(
    {"done", "processed", "applied", "handled", "counted", "status", "state", "sent", "paid", "exists", "already",
     "seen", "created", "is", "has", "inserted", "rowcount", "duplicate", "claimed", "loaded", "imported"}
)  # fmt: skip
"""Words of a test that asks whether it was done."""


def appends(study: Study, units: tuple[Unit, ...]) -> Iterator[Append]:
    """Every such addition, once, with the first of the ways in which it is begun again."""
    told: set[Span] = set()
    for unit in units:
        for flow in reached(study, unit):
            for one in additions(study.context, flow):
                if one.span in told or (flow is unit.flow and not unit.holds(one.point)):
                    continue
                if _guarded(study, unit, flow, one):
                    continue
                told.add(one.span)
                evidence = Evidence.NAME if unit.again.evidence is Evidence.NAME else one.evidence
                yield Append(
                    one.name, one.span, unit.flow.qualname, one.why, unit.again, unit.redelivered, evidence
                )


def _guarded(study: Study, unit: Unit, flow: Flow, one: Addition) -> bool:
    if claimed(study, unit.flow, flow, one.point) or (one.local and _in_transaction(flow, one.point)):
        return True
    return _emptied(study, unit, flow, one.point) or _tested(flow, one.point)


def _in_transaction(flow: Flow, point: Point) -> bool:
    """Whether a database takes the addition back when what is around it fails."""
    if any(
        words.last(made.dotted) in ("atomic", "transaction", "transactional", "commit_on_success")
        for made in flow.decorators
    ):
        return True
    for place, operation in flow.points():
        if not isinstance(operation, Enter):
            continue
        found = set(names.words(operation.qualified)) | {
            word for part in walk(operation.context) for word in names.words(getattr(part, "name", ""))
        }
        if not found & {"atomic", "begin", "transaction", "session", "nested", "uow"}:
            continue
        leaves = [
            other
            for other, left in flow.points()
            if isinstance(left, Leave) and left.number == operation.number
        ]
        if point in begun(flow, (place,), leaves) and point not in begun(flow, (Point(0, 0),), {place}):
            return True
    return False


def _emptied(study: Study, unit: Unit, flow: Flow, point: Point) -> bool:
    """Whether something is deleted or replaced on every path to it: then a repeat begins from nothing."""
    for other, place in ((flow, point), *((unit.flow, None),)):
        empties = set(study.places(other, Deed.DELETE, surely=False))
        empties |= {
            here
            for here, call in study.context.calls(other)
            if {"truncate", "delete", "clear", "drop", "overwrite", "unlink", "remove", "reset"}
            & set(names.words(last_of(call)))
            or any("DELETE" in text.upper() or "TRUNCATE" in text.upper() for text in _texts(call))
        }
        if place is not None and empties and place not in begun(other, (Point(0, 0),), empties):
            return True
        if place is None and other is not flow and empties:
            return True
    return False


def _texts(call: object) -> Iterator[str]:
    for value in (*getattr(call, "arguments", ()), *(word.value for word in getattr(call, "keywords", ()))):
        for part in walk(value):
            found = getattr(part, "value", None)
            if isinstance(found, str) and len(found) > 12:
                yield found


def _tested(flow: Flow, point: Point) -> bool:
    """Whether a test before it, one way out of which does not come to it, asks whether it was done."""
    for number, block in enumerate(flow.blocks):
        last = block.operations[-1] if block.operations else None
        if not isinstance(last, Branch):
            continue
        ways = [point in begun(flow, (Point(edge.target, 0),)) for edge in block.edges]
        if (
            all(ways)
            or not any(ways)
            or point in begun(flow, (Point(0, 0),), {Point(number, len(block.operations) - 1)})
        ):
            continue
        asked = {word for part in walk(last.test) for word in names.words(str(getattr(part, "name", "")))}
        asked |= {
            word for part in walk(last.test) for word in _of_answer(flow, getattr(part, "number", None))
        }
        if asked & _DONE:
            return True
    return False


def _of_answer(flow: Flow, number: object) -> tuple[str, ...]:
    """The words of the call whose answer is tested."""
    if isinstance(number, int):
        for _, call in flow.calls():
            if call.number == number:
                return names.words(last_of(call))
    return ()
