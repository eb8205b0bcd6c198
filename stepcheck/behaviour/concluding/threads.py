"""Callables that write, given to a thread."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.outgoing import inside, told_by_name
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import (
    Attribute,
    Call,
    Expression,
    Flow,
    Function,
    Point,
    Result,
    dotted,
)
from stepcheck.facts import Evidence, KeyState

_HANDS = {
    "to_thread": 0, "run_in_executor": 1, "run_in_threadpool": 0, "run_sync": 0, "submit": 0, "apply_async": 0,
    "sync_to_async": 0, "Thread": -1, "defer_to_thread": 0, "deferToThread": 0, "call_in_thread": 0,
    "run_coroutine_threadsafe": 0,
}  # fmt: skip
"""What gives a callable, or a coroutine, to a thread, with its place; -1 for `target=`."""


@dataclass(frozen=True, slots=True)
class Work:
    """A callable that writes, given to a thread."""

    point: Point
    call: Call
    name: str
    evidence: Evidence


def spoken(flow: Flow) -> bool:
    """Whether a function gives something to a thread and waits for it with a limit."""
    return any(words.last(call.dotted) in _HANDS or method(call) in _HANDS for _, call in flow.calls())


def method(call: Call) -> str:
    """The name of the method that is called, or nothing."""
    return call.callee.name if isinstance(call.callee, Attribute) else ""


def works(study: Study, flow: Flow) -> Iterator[Work]:
    """Every callable of a function that is given to a thread and writes."""
    for point, call in study.context.calls(flow):
        name = words.last(call.dotted) or method(call)
        if name not in _HANDS:
            continue
        place = _HANDS[name]
        if place < 0:
            word = call.keyword("target")
            value = word.value if word is not None else None
        else:
            value = call.arguments[place] if len(call.arguments) > place else None
        found = _writes(study, flow, value) if value is not None else None
        if found is not None and keys.state(study.context, flow, call, point) is KeyState.ABSENT:
            yield Work(point, call, *found)


def _writes(study: Study, flow: Flow, value: Expression, left: int = 3) -> tuple[str, Evidence] | None:
    """The name of a callable that writes, and how that is known."""
    if left <= 0:
        return None
    context = study.context
    if isinstance(value, Function):
        helpers = [context.file.flows[value.flow]]
    else:
        helpers = [context.file.flows[index] for index in context.callees.named(flow, value)]
        if isinstance(value, Attribute) and dotted(value.base) in ("self", "cls"):
            owner = flow.qualname.partition(".<locals>")[0].rpartition(".")[0]
            known = context.callees.by_name.get(f":{owner}.{value.name}", ())
            helpers = [context.file.flows[index] for index in known]
    for helper in helpers:
        found = inside(study, helper)
        if found is not None:
            return (dotted(value) or found.name), found.evidence
    if helpers:
        return None
    if isinstance(value, Result):
        made = context.operation(flow, value.number)
        if made is None or not isinstance(made[1], Call):
            return None
        if words.last(made[1].dotted) == "partial":
            given = made[1].arguments
            return _writes(study, flow, given[0], left - 1) if given else None
        return _writes(study, flow, made[1].callee, left - 1)
    name = dotted(value)
    return (name, Evidence.NAME) if name and told_by_name(name) else None
