"""Writes that may run before a place from which a function is begun again from its top."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.repeating.repeated_writes import claimed, last_of, sure
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names, suspensions
from stepcheck.code.flow import (
    Attribute,
    Call,
    Flow,
    FlowKind,
    Point,
    Raise,
    Result,
    Return,
    Variable,
    walk,
)
from stepcheck.facts import Evidence, KeyState, Span
from stepcheck.facts.repeating import BeforeSuspension

_RUNS = frozenset({"invoke", "ainvoke", "arun", "run", "call_tool", "execute"})
"""Methods that run a tool."""
_ENGINES = frozenset({"workflow", "DBOS", "context", "ctx", "restate", "step", "dbos"})
"""What a workflow asks its engine by: that keeps what it did."""


@dataclass(frozen=True, slots=True)
class _Stop:
    name: str
    span: Span
    who: str
    point: Point | None
    """None where the whole function is replayed."""


@dataclass(frozen=True, slots=True)
class _Done:
    name: str
    point: Point
    span: Span
    evidence: Evidence


def before(study: Study) -> Iterator[BeforeSuspension]:
    """The first such write of each function."""
    for flow in study.flows:
        if flow.kind is not FlowKind.FUNCTION or any(
            suspensions.kept(made.dotted) for made in flow.decorators
        ):
            continue
        stops = tuple(_stops(study, flow))
        if not stops:
            continue
        found = next(_found(study, flow, stops), None)
        if found is not None:
            yield found


def _stops(study: Study, flow: Flow) -> Iterator[_Stop]:
    """Where the function stops."""
    for made in flow.decorators:
        who = suspensions.replays(made.dotted)
        if who:
            yield _Stop(made.dotted, made.span, who, None)
    for point, operation in flow.points():
        match operation:
            case Call(qualified=qualified) if who := suspensions.by_call(qualified):
                yield _Stop(operation.dotted, operation.span, who, point)
            case Call():
                for helper in study.context.called(flow, operation):
                    whose = (suspensions.by_call(call.qualified) for _, call in study.context.calls(helper))
                    inner = next(filter(None, whose), "")
                    if inner and helper.kind is FlowKind.FUNCTION:
                        yield _Stop(operation.dotted or helper.name, operation.span, inner, point)
            case Raise(qualified=qualified) if who := suspensions.by_class(qualified):
                yield _Stop(words.last(qualified.lstrip("?:")), operation.span, who, point)
            case Return(value=Result(number=number)):
                answered = study.context.operation(flow, number)
                if answered is not None and isinstance(answered[1], Call):
                    name = last_of(answered[1])
                    if name[:1].isupper() and (who := suspensions.by_class(name)):
                        yield _Stop(name, operation.span, who, point)
            case _:
                pass


def _found(study: Study, flow: Flow, stops: tuple[_Stop, ...]) -> Iterator[BeforeSuspension]:
    for one in _writes(study, flow):
        if claimed(study, flow, flow, one.point):
            continue
        after = begun(flow, (completed(one.point),))
        for stop in stops:
            if stop.point in after or (stop.point is None and one.evidence is not Evidence.NAME):
                yield BeforeSuspension(
                    one.name, one.span, flow.qualname, stop.name, stop.span, stop.who, one.evidence
                )
                break


def _writes(study: Study, flow: Flow) -> Iterator[_Done]:
    """What the function does outside with no key, tools that it runs among it; what is kept as a step is not."""
    for one in sure(study, flow):
        helpers = study.context.called(flow, one.call)
        if any(suspensions.kept(made.dotted) for helper in helpers for made in helper.decorators):
            continue
        if one.key in (KeyState.ABSENT, KeyState.FRESH) and one.name.partition(".")[0] not in _ENGINES:
            yield _Done(one.name, one.point, one.span, one.evidence)
    for point, call in study.context.calls(flow):
        if isinstance(call.callee, Attribute) and call.callee.name in _RUNS:
            spoken = {
                word
                for part in walk(call.callee.base)
                if isinstance(part, Variable | Attribute)
                for word in names.words(part.name)
            }
            if spoken & {"tool", "tools"}:
                yield _Done(call.dotted or f"tool.{call.callee.name}", point, call.span, Evidence.NAME)
