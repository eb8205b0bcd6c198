"""Undoing: when it is registered, what it rests on, and where it ends."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study
from stepcheck.behaviour.undoing.blind_undos import blind_undos
from stepcheck.behaviour.undoing.empty_undos import empty_undos
from stepcheck.behaviour.undoing.endless_undos import endless_undos
from stepcheck.behaviour.undoing.keeping import Kept, kept, turned
from stepcheck.behaviour.undoing.late_undos import late_undos
from stepcheck.behaviour.undoing.swallowed_undos import swallowed_undos
from stepcheck.behaviour.undoing.unasked_undos import unasked_undos
from stepcheck.behaviour.undoing.unwinding import Unwinding, unwindings
from stepcheck.catalogue import undo
from stepcheck.code.flow import Attribute, Call, Flow, Variable, walk
from stepcheck.facts import Evidence
from stepcheck.facts.undoing import ForwardUndo


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    flows = study.context.file.flows
    for flow in study.flows:
        yield from blind_undos(study, flow)
    if not any(_speaks(study, flow) for flow in study.flows):
        return
    keeps = {flow.index: some for flow in study.flows if (some := tuple(kept(study, flow)))}
    unwound = {flow.index: found for flow in study.flows if (found := list(unwindings(study, flow)))}
    shared = _shared(unwound)
    for index, some in keeps.items():
        yield from late_undos(study, flows[index], some, shared | _by_holder(unwound.get(index, [])))
    for index, loops in unwound.items():
        yield from _forward(study, flows[index], loops, keeps)
    for flow in study.flows:
        loops = unwound.get(flow.index, [])
        if _speaks(study, flow) or any(one.undoes for one in loops):
            yield from unasked_undos(study, flow)
            yield from swallowed_undos(study, flow, loops)
            yield from endless_undos(study, flow, loops)
    yield from empty_undos(study)


def _speaks(study: Study, flow: Flow) -> bool:
    """Whether something in a function is named for undoing."""
    if undo.generic(flow.name) or undo.holds(flow.qualname):
        return True
    over = [part for loop in flow.loops if loop.iterable is not None for part in walk(loop.iterable)]
    if any(undo.holds(part.name) for part in over if isinstance(part, Attribute | Variable)):
        return True
    return any(_named(call) for _, call in study.context.calls(flow))


def _named(call: Call) -> bool:
    """Whether a call undoes, or is given something that does, by its name."""
    name = call.dotted or (call.callee.name if isinstance(call.callee, Attribute) else "")
    if undo.undoes(name) or undo.holds(name.rpartition(".")[0]):
        return True
    if any(undo.generic(word.name) for word in call.keywords):
        return True
    given = [part for value in call.arguments for part in walk(value)] if undo.keeps(name) else []
    return any(undo.undoes(part.name) for part in given if isinstance(part, Attribute | Variable))


def _by_holder(found: list[Unwinding]) -> dict[str, list[Unwinding]]:
    by_holder: dict[str, list[Unwinding]] = {}
    for one in found:
        by_holder.setdefault(one.holder, []).append(one)
    return by_holder


def _shared(unwound: dict[int, list[Unwinding]]) -> dict[str, list[Unwinding]]:
    """Those of attributes of an object: what is kept in one method is run in another."""
    return _by_holder([one for some in unwound.values() for one in some if "." in one.holder])


def _forward(
    study: Study, flow: Flow, found: list[Unwinding], keeps: dict[int, tuple[Kept, ...]]
) -> Iterator[ForwardUndo]:
    """Loops that run what is kept from the first to the last."""
    for one in found:
        if one.backwards or turned(study, one.holder):
            continue
        held = [
            each
            for index, some in keeps.items()
            for each in some
            if each.holder == one.holder and (index == flow.index or "." in one.holder)
        ]
        several = len(held) > 1 or any(
            _in_loop(study, index, each) for index, some in keeps.items() for each in some if each in held
        )
        undoes = one.undoes or any(not undo.local(each.name) for some in held for each in some.undos)
        if held and several and undoes:
            yield ForwardUndo(one.span, flow.qualname, one.holder, held[0].span, Evidence.BODY)


def _in_loop(study: Study, index: int, one: Kept) -> bool:
    """Whether it may keep several: in a loop, or in a function that others call for each thing."""
    flow = study.context.file.flows[index]
    if any(one.point.block in loop.blocks for loop in study.context.loops(flow)):
        return True
    given = [parameter.name for parameter in flow.parameters if parameter.name != "self"]
    return "." in one.holder and bool(given)
