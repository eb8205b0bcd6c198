"""Regions of code that are begun again by themselves: by decorators, retriers, helpers, handlers and loops."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from stepcheck.analysis import retry
from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.analysis.retry import Manner, Region
from stepcheck.behaviour.again import limits, refusals, wrappers
from stepcheck.behaviour.again.intents import asks_a_person, leaves, same_intent
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.code.flow import (
    Call,
    Catch,
    Compound,
    EdgeKind,
    Flow,
    Point,
    Raise,
    walk,
)
from stepcheck.facts import Again, Evidence, Limit, Outcome, Span


@dataclass(frozen=True, slots=True)
class Repeated:
    """A region with what is known of its retries."""

    region: Region
    again: Again

    def holds(self, flow: int, point: Point) -> bool:
        """Whether the operation is run again when the region is."""
        return flow == self.region.flow and (self.region.blocks is None or point.block in self.region.blocks)


def regions(context: Context) -> tuple[Repeated, ...]:
    """Every region of the file that something made for it retries; loops with handlers are not among them."""
    own = wrappers.wrappers(context, loop_repeats)
    retriers = _retriers(context) | frozenset(own)
    found = (
        *retry.regions(context.file, retriers, context.callees),
        *wrappers.partials(context, retriers),
    )
    return tuple([Repeated(region, _again(context, region, own)) for region in found])


def _retriers(context: Context) -> frozenset[str]:
    """What the file uses that has the name of a retrier."""
    names: set[str] = set()
    for flow in context.file.flows:
        names.update(made.qualified for made in flow.decorators)
        names.update(loop.qualified for loop in flow.loops)
        names.update(call.qualified.removesuffix("()") for _, call in context.calls(flow))
    names.discard("")
    return frozenset(
        name for name in names if words.retries(name) or name.removeprefix("?").startswith("backoff.on_")
    )


def _again(context: Context, region: Region, own: dict[str, Again]) -> Again:
    flow = context.file.flows[region.flow]
    body = own.get(region.by.removesuffix("()"))
    if body is not None and region.manner in (Manner.DECORATOR, Manner.HELPER):
        return replace(body, who=repr(words.last(region.by).removeprefix(":")), span=region.span)
    match region.manner:
        case Manner.DECORATOR:
            made = next(one for one in flow.decorators if one.span == region.span)
            return limits.written(region, made.call, made.calls)
        case Manner.CONTEXT:
            call = _iterated(context, flow, region)
            return limits.written(region, call, _nested(context, flow, call))
        case Manner.HELPER:
            for other in context.file.flows:
                for _, call in context.calls(other):
                    if call.span == region.span:
                        return limits.written(region, call, _nested(context, other, call))
        case _:
            pass
    return _self_call(context, flow, region)


def _iterated(context: Context, flow: Flow, region: Region) -> Call | None:
    """The call that makes what a loop runs over."""
    for loop in flow.loops:
        if loop.span == region.span and loop.iterable is not None:
            for part in walk(loop.iterable):
                number = getattr(part, "number", None)
                made = context.operation(flow, number) if isinstance(number, int) else None
                if made and isinstance(made[1], Call):
                    return made[1]
    return None


def _nested(context: Context, flow: Flow, call: Call | None) -> tuple[Call, ...]:
    """The calls that an argument of the call is the answer of."""
    found: list[Call] = []
    waiting = [call] if call else []
    while waiting and len(found) < 50:
        one = waiting.pop()
        found.append(one)
        for value in (*one.arguments, *(word.value for word in one.keywords)):
            for part in walk(value):
                number = getattr(part, "number", None)
                made = context.operation(flow, number) if isinstance(number, int) else None
                if made and isinstance(made[1], Call):
                    waiting.append(made[1])
    return tuple(found)


def _self_call(context: Context, flow: Flow, region: Region) -> Again:
    catches = [
        (point, operation)
        for point, operation in flow.points()
        if isinstance(operation, Catch) and region.through in begun(flow, caught(flow, point))
    ]
    ends = _counts_down(context, flow, region.span) or any(
        can_leave(flow, caught(flow, point), {region.through}) for point, _ in catches
    )
    return Again(
        f"{flow.name!r}, which calls itself when it fails",
        region.span,
        Limit.BOUNDED if ends else Limit.NONE,
        None,
        refusals.outcome(context, flow, catches, region.through),
        through(catch for _, catch in catches),
        Evidence.BODY,
        pauses=any(words.pauses(call.dotted) for _, call in context.calls(flow)),
    )


def _counts_down(context: Context, flow: Flow, span: Span) -> bool:
    """Whether the function gives itself a number less or more than it was given."""
    for _, call in context.calls(flow):
        if call.span == span:
            values = (*call.arguments, *(word.value for word in call.keywords))
            if any(isinstance(one, Compound) and one.kind == "binary" and one.text in "+-" for one in values):
                return True
    return False


def caught(flow: Flow, point: Point) -> tuple[Point, ...]:
    """Where a handler begins."""
    edges = flow.blocks[point.block].edges
    return tuple(Point(edge.target, 0) for edge in edges if edge.kind is EdgeKind.CAUGHT)


def types(catch: Catch) -> tuple[str, ...]:
    """The exceptions of a handler; every one for a bare `except:`."""
    return catch.types or ("builtins.BaseException",)


def through(catches: Iterable[Catch]) -> str:
    """The exceptions of handlers as they are written, for messages."""
    names = [
        name.removeprefix("?").removeprefix("builtins.").removeprefix(":")
        for c in catches
        for name in types(c)
    ]
    return ", ".join(dict.fromkeys(name for name in names if name))


def can_leave(flow: Flow, starts: Iterable[Point], without: Iterable[Point | None]) -> bool:
    """Whether a path from there leaves the function, or raises, before it comes to any of these."""
    stops = {point for point in without if point is not None}
    reached = begun(flow, starts, stops, no_exception)
    return any(point.block == 1 for point in reached) or any(
        point.position < len(flow.blocks[point.block].operations) and isinstance(at(flow, point), Raise)
        for point in reached
    )


def loop_repeats(
    context: Context, flow: Flow, point: Point
) -> tuple[Again, frozenset[int], tuple[Point, ...]] | None:
    """How a loop begins a call again after it failed, where the loop is there for that.

    With the blocks of the loop, and where the handlers begin that lead back.
    """
    if not context.catches(flow):
        return None
    goes = fate(flow, point, "", context.exceptions)
    for loop in context.loops(flow):
        if point.block not in loop.blocks:
            continue
        back = [
            reached.catch
            for reached in goes.handlers
            if reached.catch.block in loop.blocks and point in begun(flow, caught(flow, reached.catch))
        ]
        if not back:
            continue
        if not leaves(flow, loop, point) or not same_intent(context, flow, loop, point):
            return None
        starts = tuple(start for catch in back for start in caught(flow, catch))
        people = {place for place, call in context.calls(flow) if asks_a_person(call)}
        if people and point not in begun(flow, starts, people):
            return None
        catches = [(place, one) for place in back if isinstance(one := at(flow, place), Catch)]
        kinds = [one for _, one in catches]
        limit, attempts = limits.of_loop(context, flow, loop, starts)
        after = begun(flow, starts, {point})
        return (
            Again(
                "the loop",
                loop.written.span if loop.written else at(flow, point).span,
                limit,
                attempts,
                refusals.outcome(context, flow, catches, point),
                through(kinds),
                Evidence.BODY,
                pauses=any(
                    words.pauses(call.dotted) for place, call in context.calls(flow) if place in after
                ),
            ),
            loop.blocks,
            starts,
        )
    return None


def attempt_loops(context: Context, flow: Flow) -> tuple[Repeated, ...]:
    """Loops over attempts, by the name of what they count, whatever makes them go on."""
    found = []
    for loop in context.loops(flow):
        written = loop.written
        if (
            written is None
            or written.kind != "for"
            or not any(words.attempts(name) for name in written.targets)
        ):
            continue
        region = Region(Manner.LOOP, flow.index, loop.blocks, "", written.span, None)
        number = limits.turns(context, flow, written.iterable)
        found.append(
            Repeated(
                region,
                Again("the loop", written.span, Limit.BOUNDED, number, Outcome.OPAQUE, "", Evidence.BODY),
            )
        )
    return tuple(found)


def handler_loops(context: Context, flow: Flow) -> tuple[Repeated, ...]:
    """Loops that a handler leads back into, where some call is tried again with the same intent."""
    found: dict[frozenset[int], Repeated] = {}
    if not flow.loops or not context.catches(flow) or context.large(flow):
        return ()
    for point, _ in context.calls(flow):
        if any(point.block in blocks for blocks in found):
            continue
        made = loop_repeats(context, flow, point)
        if made is not None and made[1] not in found:
            region = Region(Manner.LOOP, flow.index, made[1], "", made[0].span, None)
            found[made[1]] = Repeated(region, made[0])
    return tuple(found.values())
