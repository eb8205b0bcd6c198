"""Writes to the outside that are begun again by themselves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.analysis.retry import Manner
from stepcheck.behaviour.again import refusals
from stepcheck.behaviour.again.answered import sent_again
from stepcheck.behaviour.again.regions import Repeated, caught, loop_repeats, through
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.effects import Does, does
from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Call, Catch, Flow, Point
from stepcheck.facts import Again, Evidence, Limit, OutsideCall, RetriedCall

DEPTH = 4
"""Helpers followed from a region to what they send."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A call to the outside with its place."""

    flow: Flow
    point: Point
    call: Call
    does: Does

    @property
    def name(self) -> str:
        """As written."""
        return self.call.dotted or getattr(self.call.callee, "name", "") or "the call"


def sent(context: Context) -> dict[int, tuple[Sent, ...]]:
    """The calls to the outside of every function."""
    found: dict[int, tuple[Sent, ...]] = {}
    for flow in context.file.flows:
        if context.large(flow):
            continue
        made: dict[object, Sent] = {}
        for point, call in context.calls(flow):
            what = does(context, flow, call)
            if what is not None:
                made.setdefault(call.span, Sent(flow, point, call, what))
        if made:
            found[flow.index] = tuple(made.values())
    return found


def outside(context: Context, every: dict[int, tuple[Sent, ...]], flow: Flow) -> tuple[OutsideCall, ...]:
    """What a function does to the outside, for those who want to see it."""
    return tuple(
        OutsideCall(
            one.name, one.call.span, flow.qualname, one.does.effect, one.does.evidence, one.does.why,
            keys.state(context, flow, one.call, one.point),
        )
        for one in every.get(flow.index, ())
    )  # fmt: skip


def retried(
    context: Context, every: dict[int, tuple[Sent, ...]], regions: Iterable[Repeated]
) -> Iterator[RetriedCall]:
    """Every write that something begins again, with each way in which it does."""
    for flow in context.file.flows:
        for one in every.get(flow.index, ()):
            found = loop_repeats(context, flow, one.point)
            if found is not None:
                again, _, starts = found
                yield _fact(context, one, again, _asked(context, flow, starts, one.point))
            answered = sent_again(context, flow, one.point) if flow.loops else None
            if answered is not None and not (found is not None and found[0].doubtful):
                yield _fact(context, one, answered[0], _asked(context, flow, answered[1], one.point))
        yield from _called_again(context, flow, every.get(flow.index, ()))
    for region in regions:
        yield from _in_region(context, every, region)


def _called_again(context: Context, flow: Flow, some: tuple[Sent, ...]) -> Iterator[RetriedCall]:
    """A write that its own handler does once more: `except ConnectionError: connect(); send(order)`."""
    for one in some:
        for other in some:
            if other.call.span == one.call.span or _same(one) != _same(other):
                continue
            for handler in fate(flow, one.point, "", context.exceptions).handlers:
                catch = flow.blocks[handler.catch.block].operations[handler.catch.position]
                starts = caught(flow, handler.catch)
                if not isinstance(catch, Catch) or other.point not in begun(flow, starts):
                    continue
                if other.point in begun(flow, (Point(0, 0),), (), no_exception):
                    continue
                again = Again(
                    "its own handler", catch.span, Limit.BOUNDED, 2,
                    refusals.outcome(context, flow, [(handler.catch, catch)], other.point), through([catch]),
                    Evidence.BODY,
                )  # fmt: skip
                yield _fact(context, one, again, _asked(context, flow, starts, other.point))
                break


def _same(one: Sent) -> tuple[object, ...]:
    """What is sent, without what it is sent by: that may be another connection."""
    name = one.name.rpartition(".")[2]
    return name, one.call.arguments, tuple((word.name, word.value) for word in one.call.keywords)


def _in_region(
    context: Context, every: dict[int, tuple[Sent, ...]], region: Repeated
) -> Iterator[RetriedCall]:
    flow = context.file.flows[region.region.flow]
    if region.region.manner is Manner.SELF_CALL:
        catches = [
            point
            for point, operation in flow.points()
            if region.region.through in begun(flow, caught(flow, point))
        ]
        for one in every.get(flow.index, ()):
            catching = [reached.catch for reached in fate(flow, one.point, "", context.exceptions).handlers]
            starts = tuple(start for point in catches if point in catching for start in caught(flow, point))
            if starts and region.region.through is not None:
                asked = _asked(context, flow, starts, region.region.through)
                yield _fact(context, one, region.again, asked)
        return
    for one in _reached(context, every, region):
        asked = _asked_before(context, one)
        yield _fact(context, one, region.again, asked)


def _reached(context: Context, every: dict[int, tuple[Sent, ...]], region: Repeated) -> Iterator[Sent]:
    """The writes in a region, through helpers of the file."""
    start = region.region.flow
    seen: set[int] = set()
    waiting = [(start, DEPTH)]
    while waiting:
        index, left = waiting.pop(0)
        if index in seen or left <= 0:
            continue
        seen.add(index)
        flow = context.file.flows[index]
        for one in every.get(index, ()):
            if index != start or region.holds(index, one.point):
                yield one
        for point, call in context.calls(flow):
            if index != start or region.holds(index, point):
                waiting += [(helper.index, left - 1) for helper in context.called(flow, call)]


def _fact(context: Context, one: Sent, again: Again, asked: bool) -> RetriedCall:
    evidence = one.does.evidence
    if again.evidence is Evidence.NAME:
        evidence = Evidence.NAME
    return RetriedCall(
        one.name,
        one.call.span,
        one.flow.qualname,
        one.does.effect,
        evidence,
        one.does.why,
        keys.state(context, one.flow, one.call, one.point),
        again,
        queried=asked,
    )


def _asked(context: Context, flow: Flow, starts: tuple[Point, ...], point: Point) -> bool:
    """Whether something is asked on every path from the handlers to the next try."""
    asks = _asking(context, flow, point)
    return bool(asks) and point not in begun(flow, starts, asks)


def _asked_before(context: Context, one: Sent) -> bool:
    """Whether something is asked on every path from the function's beginning to the call."""
    asks = _asking(context, one.flow, one.point)
    return bool(asks) and one.point not in begun(one.flow, (Point(0, 0),), asks)


def _asking(context: Context, flow: Flow, point: Point) -> set[Point]:
    found = set()
    for place, call in context.calls(flow):
        name = call.dotted or getattr(call.callee, "name", "")
        if place != point and name and words.asks(name):
            found.add(place)
    return found
