"""Loops that count to a number and are there to try again, whatever it is that they count."""

from collections.abc import Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun
from stepcheck.analysis.retry import Manner, Region
from stepcheck.behaviour.again import regions
from stepcheck.behaviour.again.intents import leaves
from stepcheck.behaviour.again.regions import Repeated
from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Flow, Point
from stepcheck.facts import Again, Evidence, Limit, Outcome


def counted(context: Context, flow: Flow) -> Iterator[Repeated]:
    """Loops that count to a number, with a handler that leads on and a success that leaves them."""
    for loop in context.loops(flow):
        written = loop.written
        if written is None or written.kind != "for" or written.qualified not in _COUNTS:
            continue
        if not any(point.block in loop.blocks for point, _ in context.catches(flow)):
            continue
        calls = [point for point, call in context.calls(flow) if point.block in loop.blocks and call.dotted]
        if any(leaves(flow, loop, point) and _led_back(context, flow, loop, point) for point in calls):
            again = Again(
                "the loop", written.span, Limit.BOUNDED, None, Outcome.UNKNOWN, "", Evidence.BODY, pauses=True
            )
            yield Repeated(Region(Manner.LOOP, flow.index, loop.blocks, "", written.span, None), again)


_COUNTS = frozenset({"builtins.range()", "itertools.count()"})


def _led_back(context: Context, flow: Flow, loop: NaturalLoop, point: Point) -> bool:
    """Whether a handler of what fails there leads back to it."""
    return any(
        reached.catch.block in loop.blocks and point in begun(flow, regions.caught(flow, reached.catch))
        for reached in fate(flow, point, "", context.exceptions).handlers
    )
