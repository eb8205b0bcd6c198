"""Retried regions that are there to wait: tasks put off until something is ready, and functions that never end."""

from collections.abc import Container, Mapping

from stepcheck.analysis.paths import START, begun, no_exception
from stepcheck.analysis.retry import Manner
from stepcheck.behaviour.again.regions import Repeated, can_leave
from stepcheck.behaviour.context import Context, at
from stepcheck.code.flow import Call, Flow


def waits(context: Context, one: Repeated, writing: Mapping[int, Container[object]]) -> bool:
    """Whether going on without limit is what the region is for; `writing` holds what each function does outside.

    A listener or a worker never ends by itself, so what begins it again only keeps it up. A task that only asks how
    things stand, and is put off when they are not so far, waits; its handler that puts it off waits with it.
    """
    flow = context.file.flows[one.region.flow]
    if one.region.blocks is None and flow.loops and not can_leave(flow, (START,), ()):
        return True
    return one.region.manner is Manner.UNIT and _put_off(context, flow, one, writing)


def _put_off(context: Context, flow: Flow, one: Repeated, writing: Mapping[int, Container[object]]) -> bool:
    """Whether the task asks to be run again although nothing failed, and has done nothing so far."""
    if one.region.through is None:
        return False
    call = at(flow, one.region.through)
    if not isinstance(call, Call):
        return False
    calm = begun(flow, (START,), (), no_exception)
    again = {point for point, other in context.calls(flow) if other.dotted == call.dotted}
    if calm.isdisjoint(again):
        return False
    return not any(
        one.holds(flow.index, point) and _does(context, flow, other, writing)
        for point, other in context.calls(flow)
    )


def _does(context: Context, flow: Flow, call: Call, writing: Mapping[int, Container[object]]) -> bool:
    """Whether a call does something outside, itself or in a function of the file."""
    inside = any(helper.index in writing for helper in context.called(flow, call))
    return inside or call.span in writing.get(flow.index, ())
