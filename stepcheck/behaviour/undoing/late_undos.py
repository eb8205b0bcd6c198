"""Undos that are kept only once the thing is done: after a lost answer nobody undoes it, and nobody asks."""

from collections.abc import Iterator

from stepcheck.analysis.paths import ESCAPED, always_before, begun, failed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.undoing.keeping import Kept, Undo
from stepcheck.behaviour.undoing.unwinding import Unwinding, here
from stepcheck.catalogue import undo
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import Assign, Attribute, Call, Flow, Point, Variable, variables, walk
from stepcheck.code.flow import Result as Answer
from stepcheck.facts import Effect, Evidence
from stepcheck.facts.undoing import LateUndo

_DOES = frozenset({Deed.WRITE, Deed.SETS, Deed.RECORD, Deed.OPAQUE, Deed.CLAIM})
_ASKS = frozenset({Deed.ASKS, Deed.LOOKUP})


def late_undos(
    study: Study, flow: Flow, keeps: tuple[Kept, ...], unwound: dict[str, list[Unwinding]]
) -> Iterator[LateUndo]:
    """Everything that a function does before it keeps its undo."""
    told: set[object] = set()
    for one in keeps:
        around = unwound.get(one.holder, [])
        if not around and not one.names:
            continue
        found = _before(study, flow, one, around)
        if found is None:
            continue
        point, call, step = found
        if call.span not in told and _leaves_none(study, flow, point, _alike(one, keeps), around):
            told.add(call.span)
            yield LateUndo(
                call.span, flow.qualname, call.dotted or "the call", one.holder, one.span, step,
                Evidence.BODY if around else Evidence.NAME,
            )  # fmt: skip


def _before(study: Study, flow: Flow, one: Kept, around: list[Unwinding]) -> tuple[Point, Call, bool] | None:
    """The call that is surely completed before its undo is kept: the last one that the undo is of."""
    best: tuple[Point, Call, bool] | None = None
    acts = {act.point: act for act in study.acts(flow)}
    items = _items(flow, one)
    named = any(each.undoes for each in around) or any(undo.generic(each.name) for each in one.undos)
    steps = bool(items and around) and named
    for point, call in study.context.calls(flow):
        if call.span == one.span or here(call):
            continue
        act = acts.get(point)
        if act is not None and act.deed not in _DOES:
            continue
        step = steps and _runs_item(call, items)
        if not step and not any(_of(flow, call, each) for each in one.undos):
            continue
        if not always_before(flow, {point}, one.point):
            continue
        if best is None or call.span > best[1].span:
            best = (point, call, step)
    return best


def _of(flow: Flow, call: Call, kept: Undo) -> bool:
    """Whether the undo is one of what the call does."""
    if undo.local(kept.name) or undo.takes(call.dotted) or undo.undoes(call.dotted) or not call.dotted:
        return False
    told = verb(call.dotted)
    if told is not None and told.effect is Effect.READ:
        return False
    alike = _receiver(call.dotted) == _receiver(kept.name) or not _receiver(kept.name)
    answers = _answers(flow, call)
    if undo.pair(call.dotted, kept.name):
        return (alike and undo.same_thing(call.dotted, kept.name)) or bool(answers & kept.reads)
    if undo.generic(kept.name) or undo.verb(kept.name):
        return bool(answers & kept.reads) and told is not None
    return False


def _receiver(name: str) -> str:
    return name.rpartition(".")[0]


def _answers(flow: Flow, call: Call) -> frozenset[str]:
    """The variables that get the answer of a call, or a part of it."""
    return frozenset(
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and any(isinstance(part, Answer) and part.number == call.number for part in walk(operation.value))
    )


def _items(flow: Flow, one: Kept) -> frozenset[str]:
    """The variables of a loop over steps, one of which is kept."""
    kept = {each.name for value in one.values for each in variables(value)}
    for loop in flow.loops:
        targets = {name for name in loop.targets if name}
        if targets & kept:
            return frozenset(targets)
    return frozenset()


def _runs_item(call: Call, items: frozenset[str]) -> bool:
    """Whether a call runs a step: `step.action(ctx)`, `step(ctx)`, `self.execute(step)`."""
    callee = call.callee
    last = words.last(call.dotted)
    if undo.generic(last) or undo.takes(last):
        return False
    while isinstance(callee, Attribute):
        callee = callee.base
    if isinstance(callee, Variable) and callee.name.partition("@")[0] in items:
        return True
    first = last.split("_")[0]
    given = {one.name.partition("@")[0] for value in call.arguments for one in variables(value)}
    return first in ("execute", "run", "perform", "invoke", "call", "apply", "dispatch", "do") and bool(
        given & items
    )


def _alike(one: Kept, keeps: tuple[Kept, ...]) -> set[Point]:
    """Where else the same undo is kept."""
    names = {each.name for each in one.undos}
    return {
        other.point
        for other in keeps
        if other.holder == one.holder
        and other.point != one.point
        and (not names or names & {each.name for each in other.undos})
    }


def _leaves_none(study: Study, flow: Flow, point: Point, same: set[Point], around: list[Unwinding]) -> bool:
    """Whether what fails with a lost answer comes to the undoing without a question, and without its own undo."""
    if any(always_before(flow, {other}, point) for other in same):
        return False
    guards = {act.point for act in study.acts(flow) if act.deed in _ASKS} | same
    direct = {
        place
        for place, call in study.context.calls(flow)
        if words.asks(call.dotted) or (undo.undoes(call.dotted) and place not in _runs(flow, around))
    }
    unwinds = _calls_unwinding(study, flow, around)
    reached = begun(flow, failed(flow, point), (guards | direct) - unwinds)
    here = _runs(flow, around) | unwinds
    if here:
        return not here.isdisjoint(reached)
    return ESCAPED in reached


def _runs(flow: Flow, around: list[Unwinding]) -> set[Point]:
    return {point for one in around if one.flow.index == flow.index for point in one.runs}


def _calls_unwinding(study: Study, flow: Flow, around: list[Unwinding]) -> set[Point]:
    """Calls of the function of the file in which what is kept is run."""
    flows = {one.flow.index for one in around if one.flow.index != flow.index}
    return {
        point
        for point, call in study.context.calls(flow)
        if any(helper.index in flows for helper in study.context.called(flow, call))
    }
