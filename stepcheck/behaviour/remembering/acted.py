"""Writes that follow a model's choice, in units that are begun again and ask the model once more."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.again.rerun import Rerun, reruns
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.remembering.gates import gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, numbers
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.memory import leads, says
from stepcheck.code.flow import Attribute, Call, Flow, Item, Point, Result
from stepcheck.facts import Evidence, Span
from stepcheck.facts.remembering import ActedChoice

_ASKS = frozenset(
    {"invoke", "ainvoke", "create", "acreate", "complete", "acomplete", "generate", "generate_content", "chat",
     "predict", "parse", "completion", "acompletion", "plan", "decide", "ask", "choose"}
)  # fmt: skip
_MEMORY = frozenset({"append", "add", "extend", "update", "get", "loads", "pop", "items", "keys", "values"})


def acted(study: Study) -> Iterator[ActedChoice]:
    """Every write of a unit that is begun again which a model's answer in the same unit decides about."""
    asking = {flow.index for flow in study.flows if any(True for _ in _asks(study, flow))}
    if not asking:
        return
    told: set[Span] = set()
    for unit in reruns(study):
        if not unit.sure or not unit.again.doubtful:
            continue
        for index in sorted(asking & {unit.flow, *unit.reach}):
            flow = study.context.file.flows[index]
            for point, model, name in _asks(study, flow):
                if unit.holds(index, point):
                    for one in _follow(study, flow, unit, point, (model, name)):
                        if one.span not in told:
                            told.add(one.span)
                            yield one


def _asks(study: Study, flow: Flow) -> Iterator[tuple[Point, Call, str]]:
    """The calls that ask a model."""
    for point, call in study.context.calls(flow):
        name = written(study.context, flow, call)
        last = words.last(name)
        fact = study.context.fact(call, call.qualified or name) if name else None
        asks = last in _ASKS and bool(says("model", name.rpartition(".")[0]))
        if asks or (fact is not None and fact.kind == "llm"):
            yield point, call, name


def _follow(
    study: Study, flow: Flow, unit: Rerun, point: Point, asked: tuple[Call, str]
) -> Iterator[ActedChoice]:
    model, name = asked
    after = begun(flow, (completed(point),), (), no_exception)
    for act in _writes(study, flow):
        if act.point not in after or act.call is None or not unit.holds(flow.index, act.point):
            continue
        if _decides(study, flow, model, act):
            recorded = _recorded(study, flow, point, act, model)
            yield ActedChoice(act.span, act.name, name, model.span, unit.again.who, recorded, act.evidence)


def _writes(study: Study, flow: Flow) -> Iterator[Act]:
    """The writes of a function, and the calls of what is looked up by a name."""
    for act in study.acts(flow):
        if act.call is None:
            continue
        if act.deed is Deed.WRITE and words.last(act.name) not in _MEMORY:
            told = act.evidence is not Evidence.NAME or known(act.call.qualified) is not None
            if (told and not act.weak) or leads("runs", act.name):
                yield act
        elif isinstance(act.call.callee, Item | Result):
            yield act


def _decides(study: Study, flow: Flow, model: Call, act: Act) -> bool:
    """Whether the model's answer says what is written, or whether it is."""
    call = act.call
    if call is None:
        return False
    values = [*given(call), call.callee.base if isinstance(call.callee, Attribute) else call.callee]
    if any(model.number in numbers(study.context, flow, value, act.point) for value in values):
        return True
    return any(
        model.number in numbers(study.context, flow, gate.test, gate.point) for gate in gates(flow, act.point)
    )


def _recorded(study: Study, flow: Flow, point: Point, act: Act, model: Call) -> bool:
    """Whether something that is given the answer, and is no write of the outside, comes before the write."""
    keeps: set[Point] = set()
    for one in study.acts(flow):
        if one.call is None or one.call is act.call or one.call is model:
            continue
        if (
            one.deed not in (Deed.RECORD, Deed.CLAIM, Deed.SETS, Deed.OPAQUE)
            or words.last(one.name) in _MEMORY
        ):
            continue
        kept = any(
            model.number in numbers(study.context, flow, value, one.point) for value in given(one.call)
        )
        if kept and (one.deed is not Deed.OPAQUE or _stores(one.name)):
            keeps.add(one.point)
    return bool(keeps) and act.point not in begun(flow, (completed(point),), keeps, no_exception)


def _stores(name: str) -> bool:
    return bool(says("log", name.rpartition(".")[0])) or words.last(name).startswith(
        ("record", "save", "store", "log", "persist", "write", "checkpoint")
    )
