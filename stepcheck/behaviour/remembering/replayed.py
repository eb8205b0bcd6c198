"""What may come out differently in code that an engine replays from its beginning."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, numbers
from stepcheck.catalogue.harmless import harmless
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.volatility import source
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Next,
    Point,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Change, Evidence, Span
from stepcheck.facts.remembering import Unrecorded

_WHY = {
    Change.CLOCK: "the clock is read",
    Change.RANDOM: "it is drawn anew",
    Change.REQUEST: "it differs from process to process",
}
_NOT_REPLAYED = frozenset({"Prefect"})
"""Engines that run a workflow from its beginning without replaying it to where it was."""
_BY_ORDER = frozenset({"DBOS", "Restate"})
"""Engines that number the steps of a workflow in the order in which they begin, by their documentation."""
_CONTEXTS = frozenset(
    {"DurableOrchestrationContext", "DaprWorkflowContext", "OrchestrationContext", "WorkflowContext"}
)
"""Classes of what orchestrators are given: azure-functions-durable, dapr-ext-workflow, durabletask."""
_SEVERAL = 2
_GATHERS = frozenset({"gather", "as_completed", "wait"})
_PLAIN = frozenset(
    {"str", "int", "float", "isoformat", "strftime", "total_seconds", "round", "format", "hex", "timestamp"}
)
_ASKS = frozenset({"invoke", "ainvoke", "create", "acreate", "complete", "acomplete", "generate", "generate_content",
                   "chat", "predict", "parse", "stream"})  # fmt: skip


def unrecorded(study: Study) -> Iterator[Unrecorded]:
    """Everything of the kind in workflows and in the plain functions of the file that they call."""
    told: set[Span] = set()
    for flow, engine in _replayed(study):
        for one in _in_workflow(study, flow, flow.name, engine, 2):
            if one.span not in told:
                told.add(one.span)
                yield one


def _replayed(study: Study) -> Iterator[tuple[Flow, str]]:
    """The functions that an engine replays, with its name."""
    for flow in study.flows:
        if flow.kind is not FlowKind.FUNCTION:
            continue
        for runs in study.runs(flow):
            if runs.role is Role.WORKFLOW and runs.who not in _NOT_REPLAYED:
                yield flow, runs.who
                break
        else:
            for parameter in flow.parameters[:2] if flow.generator else ():
                if words.last(parameter.annotation.lstrip("?:")) in _CONTEXTS:
                    yield flow, "the engine"
                    break


def _in_workflow(study: Study, flow: Flow, name: str, engine: str, left: int) -> Iterator[Unrecorded]:
    for point, call in study.context.calls(flow):
        found = _drawn(call) or _model(study, flow, call)
        if found is None and engine in _BY_ORDER:
            found = _gathered(call)
        if found is not None:
            text, why, evidence = found
            yield Unrecorded(
                call.span, text, why, name, engine, _only_logged(study, flow, point, call), evidence
            )  # fmt: skip
        if left > 1:
            for helper in study.context.called(flow, call):
                if not helper.decorators and not any(runs.role in _STEPS for runs in study.runs(helper)):
                    yield from _in_workflow(study, helper, name, engine, left - 1)
    for point, one in flow.points():
        if (
            isinstance(one, Next)
            and _unordered(study, flow, one.iterable, point)
            and _acts(study, flow, point)
        ):
            text = dotted(one.iterable) or "a set"
            yield Unrecorded(one.span, text, "a set has no order", name, engine, False, Evidence.BODY)
        elif isinstance(one, Assign) and _environment(one.value):
            yield Unrecorded(
                one.span, "os.environ", "it differs from process to process", name, engine, False, Evidence.BODY
            )  # fmt: skip


_STEPS = frozenset({Role.STEP, Role.TASK, Role.WORKFLOW})


def _drawn(call: Call) -> tuple[str, str, Evidence] | None:
    """A call whose answer is another one each time."""
    if call.qualified.startswith(":"):
        return None
    if call.qualified.removeprefix("?") in ("os.getenv", "os.environ.get"):
        return call.dotted, _WHY[Change.REQUEST], Evidence.BODY
    known_source = source(call.qualified or call.dotted)
    if known_source is None or known_source.change not in _WHY:
        return None
    return call.dotted or known_source.name, _WHY[known_source.change], Evidence.BODY


def _model(study: Study, flow: Flow, call: Call) -> tuple[str, str, Evidence] | None:
    """A model that is asked in the workflow itself, and not in a step."""
    name = written(study.context, flow, call)
    if "." not in name or name.startswith(("workflow.", "ctx.", "context.", "self.")):
        return None
    fact = study.context.fact(call, call.qualified or name)
    asks = words.last(name) in _ASKS and bool(says("model", name.rpartition(".")[0]))
    if (fact is not None and fact.kind == "llm" and fact.evidence is Evidence.KNOWN) or asks:
        return name, "a model is asked, and answers otherwise each time", Evidence.BODY
    return None


def _gathered(call: Call) -> tuple[str, str, Evidence] | None:
    """Several steps begun side by side, where the engine goes by the order in which they begin."""
    last = words.last(call.dotted)
    if last not in _GATHERS or not call.qualified.removeprefix("?").startswith("asyncio."):
        return None
    listed = [
        value.parts[0] for value in call.arguments if isinstance(value, Compound) and value.kind == "star"
    ]
    several = [*call.arguments, *(part for one in listed if isinstance(one, Compound) for part in one.parts)]
    items = any(not isinstance(one, Compound) or one.text == "for" for one in listed)
    if last == "gather" and (items or len(several) - len(listed) < _SEVERAL):
        return None
    return call.dotted, "steps are numbered in the order in which they happen to begin", Evidence.BODY


def _unordered(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value is a set."""
    for _ in range(4):
        if isinstance(value, Compound):
            return value.kind == "set"
        if isinstance(value, Variable):
            held = [one.value(flow) for one in study.context.definitions(flow).of(value.name, point)]
            if len(held) != 1 or held[0] is None:
                return False
            value = held[0]
            continue
        made = study.context.operation(flow, getattr(value, "number", -1))
        return made is not None and isinstance(made[1], Call) and made[1].qualified in (
            "builtins.set", "builtins.frozenset",
        )  # fmt: skip
    return False


def _acts(study: Study, flow: Flow, head: Point) -> bool:
    """Whether a loop calls something that is more than plain computing."""
    for loop in study.context.loops(flow):
        if loop.head == head.block:
            return any(
                point.block in loop.blocks
                and not call.qualified.startswith("builtins.")
                and not harmless(call.qualified, call.dotted)
                for point, call in study.context.calls(flow)
            )
    return False


def _environment(value: Expression) -> bool:
    """Whether `os.environ["X"]` is read."""
    return any(
        isinstance(part, Item) and isinstance(part.index, Constant) and dotted(part.base) == "os.environ"
        for part in walk(value)
    )


def _only_logged(study: Study, flow: Flow, point: Point, call: Call) -> bool:
    """Whether the answer of a call goes into logs, metrics and what is in memory, and nowhere else."""
    context = study.context
    for place, one in flow.points():
        if place == point or isinstance(one, Next):
            continue
        if isinstance(one, Assign):
            continue
        if isinstance(one, Call):
            if (
                harmless(one.qualified, one.dotted)
                or words.last(one.dotted) in _PLAIN
                or _drawn(one) is not None
            ):
                continue
            values = (*given(one), *([one.callee.base] if isinstance(one.callee, Attribute) else []))
        else:
            values = reads(one)
        if any(call.number in numbers(context, flow, value, place) for value in values):
            return False
    return True
