"""The writes that a unit does again when it is run again, through helpers of the file, and what guards them."""

from collections.abc import Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.behaviour.again.regions import caught
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward import Outward, Surety, outward
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import Call, Flow, Point
from stepcheck.facts import KeyState

DEPTH = 3
"""Helpers followed from a unit."""
_GUARDS = (Deed.CLAIM, Deed.LOCK)
"""What lets only the first of several come by."""
_CLAIMS = frozenset(
    {"claim", "claims", "claimed", "once", "dedupe", "dedup", "deduplicate", "reserve", "acquire"}
)


def last_of(call: Call) -> str:
    """The last name of what is called, whatever it is called on."""
    return words.last(call.dotted) or getattr(call.callee, "name", "")


def sure(study: Study, flow: Flow) -> Iterator[Outward]:
    """The writes of a function that leave the house, as far as their names or more than that tell."""
    strong = {one.call.span for some in study.sent.values() for one in some}
    for one in outward(study, flow):
        if one.surety >= Surety.GRAVE or (one.inner or one.span) in strong:
            yield one


def bare(study: Study, flow: Flow) -> tuple[Outward, ...]:
    """Those of them without a key that are over when the call is."""
    return tuple(one for one in sure(study, flow) if not one.enqueues and one.key is KeyState.ABSENT)


def reached(study: Study, unit: Unit) -> Iterator[Flow]:
    """The functions of a unit: its own, and the helpers that it calls."""
    seen = {unit.flow.index}
    waiting = [(unit.flow, DEPTH)]
    while waiting:
        flow, left = waiting.pop(0)
        yield flow
        for point, call in study.context.calls(flow) if left else ():
            if flow is unit.flow and not unit.holds(point):
                continue
            for helper in study.context.called(flow, call):
                if helper.index not in seen and not study.context.large(helper):
                    seen.add(helper.index)
                    waiting.append((helper, left - 1))


def claimed(study: Study, top: Flow, flow: Flow, point: Point, left: int = DEPTH) -> bool:
    """Whether a place is come to only after a claim, in its function or before that is called."""
    guards = {place for place in study.places(flow, *_GUARDS, surely=False) if place != point}
    guards |= {place for place, call in study.context.calls(flow) if place != point and _claims(call)}
    if guards and point not in begun(flow, (Point(0, 0),), guards):
        return True
    if flow.index == top.index or left <= 0:
        return False
    callers = [
        (other, place)
        for other in study.flows
        for place, call in study.context.calls(other)
        if flow in study.context.called(other, call)
    ]
    return bool(callers) and all(claimed(study, top, other, place, left - 1) for other, place in callers)


def _claims(call: Call) -> bool:
    return bool(_CLAIMS.intersection(names.words(last_of(call))))


def failures_stay(study: Study, flow: Flow, point: Point, blocks: frozenset[int]) -> bool:
    """Whether what goes wrong there is dealt with inside these blocks, which then go on."""
    for handler in fate(flow, point, "", study.context.exceptions).handlers:
        if handler.catch.block in blocks:
            after = begun(flow, caught(flow, handler.catch), (), no_exception)
            if point in after:
                return True
    return False
