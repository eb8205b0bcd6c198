"""Waits with a limit for work in a thread, which goes on when the wait is over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.concluding.endings import Handler, handlers, said, settles
from stepcheck.behaviour.concluding.threads import Work, method, works
from stepcheck.behaviour.study import Study
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import (
    Attribute,
    Await,
    Branch,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Enter,
    Expression,
    Flow,
    Leave,
    Point,
    Result,
    Variable,
    walk,
)
from stepcheck.facts import Span
from stepcheck.facts.concluding import AbandonedWork, Afterwards

_LIMITS = frozenset({"timeout", "timeout_at", "fail_after", "move_on_after"})
"""Context managers that limit what is in them."""
_BOTH = frozenset({EdgeKind.TRUE, EdgeKind.FALSE})
_Make: TypeAlias = Callable[[Afterwards, Span, str], AbandonedWork]


@dataclass(frozen=True, slots=True)
class _Wait:
    """A wait with a limit for such work."""

    point: Point
    span: Span
    name: str
    work: Work


def abandoned(study: Study, flow: Flow) -> Iterator[AbandonedWork]:
    """Every such wait whose end leads to another try, or counts as a failure."""
    given = tuple(works(study, flow))
    if not given:
        return
    told: set[Span] = set()
    for wait in _waits(study, flow, given):
        if wait.span in told:
            continue
        found = _after(study, flow, wait)
        if found is not None:
            told.add(wait.span)
            yield found


def _waits(study: Study, flow: Flow, works: tuple[Work, ...]) -> Iterator[_Wait]:
    for point, call in study.context.calls(flow):
        name = words.last(call.dotted) or method(call)
        if name == "wait_for" and call.arguments and not _none(_limit(call, 1)):
            given: Expression = call.arguments[0]
        elif name == "wait" and call.arguments and not _none(_limit(call, 9)):
            given = call.arguments[0]
        elif (
            name in ("result", "get", "join")
            and isinstance(call.callee, Attribute)
            and _limit(call, 0) is not None
        ):
            if _none(_limit(call, 0)):
                continue
            given = call.callee.base
        else:
            continue
        for work in works:
            if work.point in _made(study, flow, given, point):
                yield _Wait(point, call.span, call.dotted or name, work)
    for point, operation in flow.points():
        if not isinstance(operation, Enter) or words.last(operation.qualified.rstrip("()")) not in _LIMITS:
            continue
        leaves = [
            place
            for place, other in flow.points()
            if isinstance(other, Leave) and other.number == operation.number
        ]
        within = begun(flow, (completed(point),), leaves)
        for work in works:
            if work.point in within and (work.call.awaited or _awaited(flow, work.call)):
                yield _Wait(work.point, operation.span, operation.qualified.rstrip("()").lstrip("?"), work)


def _awaited(flow: Flow, call: Call) -> bool:
    return any(
        isinstance(operation, Await)
        and any(isinstance(part, Result) and part.number == call.number for part in walk(operation.value))
        for _, operation in flow.points()
    )


def _limit(call: Call, position: int) -> Expression | None:
    word = call.keyword("timeout")
    if word is not None:
        return word.value
    return call.arguments[position] if len(call.arguments) > position else None


def _none(value: Expression | None) -> bool:
    return value is None or (isinstance(value, Constant) and value.value is None)


def _made(study: Study, flow: Flow, value: Expression, point: Point, left: int = 4) -> set[Point]:
    """The calls that a value is the answer of, through variables and through what only wraps it."""
    found: set[Point] = set()
    if left <= 0:
        return found
    for part in walk(value):
        match part:
            case Result(number=number):
                made = study.context.operation(flow, number)
                if made is None:
                    continue
                found.add(made[0])
                if isinstance(made[1], Call):
                    behind = made[1].callee if isinstance(made[1].callee, Result) else None
                    for given in (*made[1].arguments[:1], *([behind] if behind is not None else [])):
                        found |= _made(study, flow, given, made[0], left - 1)
            case Variable(name=name):
                for one in study.context.definitions(flow).of(name, point):
                    held = one.value(flow)
                    if held is not None and one.point is not None:
                        found |= _made(study, flow, held, one.point, left - 1)
            case _:
                pass
    return found


def _after(study: Study, flow: Flow, wait: _Wait) -> AbandonedWork | None:
    """What comes after the wait was given up, where that is another try or a failure."""

    def made(afterwards: Afterwards, span: Span, how: str) -> AbandonedWork:
        work = wait.work
        return AbandonedWork(
            wait.span,
            work.name,
            work.call.span,
            flow.qualname,
            work.evidence,
            wait.name,
            afterwards,
            span,
            how,
        )

    probe = Write(
        wait.point, wait.span, wait.name, wait.work.evidence, wait.work.call, True, False, wait.work.call
    )
    for handler in handlers(study, flow, probe):
        if not any(_gives_up(name) for name in handler.unknown):
            continue
        if settles(study, flow, handler.inside) or _waits_on(study, flow, handler, wait):
            return None
        if wait.work.point in begun(flow, handler.starts):
            return made(Afterwards.AGAIN, handler.catch.span, "")
        for one in said(study, flow, handler.inside):
            if one.ended is Ended.FAILED or (one.ended is Ended.WRONG and one.record):
                return made(Afterwards.FAILED, one.span, one.how)
        return None
    for region in study.repeated:
        if region.holds(flow.index, wait.work.point) and region.again.doubtful:
            goes = fate(flow, wait.point, "builtins.TimeoutError", study.context.exceptions)
            if goes.escapes and not any(one.certain for one in goes.handlers):
                return made(Afterwards.AGAIN, region.again.span, region.again.who)
    return _alive(study, flow, wait, made)


def _gives_up(name: str) -> bool:
    return raised.broad(name) or "timeout" in name.lower()


def _waits_on(study: Study, flow: Flow, handler: Handler, wait: _Wait) -> bool:
    """Whether the handler waits for the work after all, or sees to it that its end is looked at."""
    for point, call in study.context.calls(flow):
        if point not in handler.inside or point == wait.point:
            continue
        name = words.last(call.dotted) or method(call)
        if name in ("add_done_callback", "shutdown", "join", "result", "wait", "gather", "terminate", "kill"):
            return True
    return False


def _alive(study: Study, flow: Flow, wait: _Wait, made: _Make) -> AbandonedWork | None:
    """`thread.join(5)`, then `if thread.is_alive(): ...`; `wait({task}, timeout=5)`, then `if pending: ...`."""
    after = begun(flow, (completed(wait.point),))
    for number, block in enumerate(flow.blocks):
        last = block.operations[-1] if block.operations else None
        if not isinstance(last, Branch) or Point(number, len(block.operations) - 1) not in after:
            continue
        gives_up = _gives_up_on(study, flow, last.test)
        edges = {edge.kind: edge.target for edge in block.edges}
        if gives_up is None or gives_up not in edges:
            continue
        starts = (Point(edges[gives_up], 0),)
        others = [Point(target, 0) for kind, target in edges.items() if kind in _BOTH - {gives_up}]
        other = begun(flow, others)
        within = begun(flow, starts) - other
        if settles(study, flow, within):
            return None
        if wait.work.point in begun(flow, starts) and wait.work.point not in other:
            return made(Afterwards.AGAIN, last.span, "")
        for one in said(study, flow, within):
            if one.ended is Ended.FAILED or (one.ended is Ended.WRONG and one.record):
                return made(Afterwards.FAILED, one.span, one.how)
    return None


def _gives_up_on(study: Study, flow: Flow, test: Expression) -> EdgeKind | None:
    """The edge that is taken where the work is not over."""
    match test:
        case Result(number=number):
            call = study.context.operation(flow, number)
            name = method(call[1]) if call is not None and isinstance(call[1], Call) else ""
            return {"is_alive": EdgeKind.TRUE, "done": EdgeKind.FALSE, "ready": EdgeKind.FALSE}.get(name)
        case Variable(name="pending" | "not_done"):
            return EdgeKind.TRUE
        case Variable(name="done"):
            return EdgeKind.FALSE
        case Compound(kind="compare", text="in", parts=(_, Variable(name="pending" | "not_done"))):
            return EdgeKind.TRUE
        case Compound(kind="compare", text="not in", parts=(_, Variable(name="done"))):
            return EdgeKind.TRUE
        case _:
            return None
