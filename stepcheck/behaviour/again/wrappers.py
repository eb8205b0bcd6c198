"""Functions of the file that call what they are given until it succeeds: told by their bodies, not their names."""

from collections.abc import Callable, Iterator

from stepcheck.analysis.retry import Manner, Region
from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Call, Flow, FlowKind, Point, Result, Variable
from stepcheck.facts import Again

Repeats = Callable[[Context, Flow, Point], tuple[Again, frozenset[int], tuple[Point, ...]] | None]
"""How a loop begins a call again: `regions.loop_repeats`."""


def wrappers(context: Context, repeats: Repeats) -> dict[str, Again]:
    """By their names, like `Call.qualified`, with how they begin again: helpers, decorators and what makes those."""
    found: dict[str, Again] = {}
    flows = context.file.flows
    for flow in flows:
        if (
            flow.kind is not FlowKind.FUNCTION
            or not flow.loops
            or not context.catches(flow)
            or context.large(flow)
        ):
            continue
        for point, call in context.calls(flow):
            if not isinstance(call.callee, Variable):
                continue
            owner = _owner(context, flow, call.callee.name)
            made = None if owner is None else repeats(context, flow, point)
            if owner is None or made is None:
                continue
            found[f":{owner.qualname}"] = made[0]
            above = None if owner is flow or owner.parent is None else flows[owner.parent]
            if above is not None and above.kind is FlowKind.FUNCTION:
                found[f":{above.qualname}"] = made[0]
    return found


def _owner(context: Context, flow: Flow, name: str) -> Flow | None:
    """The function that has it as a parameter: this one, or one around it."""
    at: Flow | None = flow
    while at is not None:
        if any(parameter.name == name for parameter in at.parameters):
            return at
        at = None if at.parent is None else context.file.flows[at.parent]
    return None


def partials(context: Context, retriers: frozenset[str]) -> Iterator[Region]:
    """Functions handed to a retrier as `functools.partial(pay, order)`."""
    for flow in context.file.flows:
        for _, call in context.calls(flow):
            if call.qualified.removesuffix("()") not in retriers or not call.arguments:
                continue
            first = call.arguments[0]
            made = context.operation(flow, first.number) if isinstance(first, Result) else None
            if made is None or not isinstance(made[1], Call) or not made[1].arguments:
                continue
            if made[1].qualified.lstrip("?") not in ("functools.partial", "partial"):
                continue
            for index in context.callees.named(flow, made[1].arguments[0]):
                yield Region(Manner.HELPER, index, None, call.qualified, call.span, None)
