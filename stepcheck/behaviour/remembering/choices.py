"""Parameters of tools by which a model decides about retries."""

from collections.abc import Iterator, Mapping

from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.remembering.gates import gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, numbers
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Assign,
    Branch,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Next,
    Parameter,
    Point,
    Return,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Effect, Evidence, Span
from stepcheck.facts.remembering import Left, ModelParameter

_GROUPS = (("attempts", Left.ATTEMPTS), ("class", Left.CLASS), ("again", Left.AGAIN))
_SCHEMAS = frozenset({"parameters", "input_schema", "inputSchema"})
_OUTSIDE = frozenset({Deed.WRITE})
_ANY = frozenset({Deed.WRITE, Deed.RECORD, Deed.SETS, Deed.DELETE})
_LOOKS = frozenset({Deed.ASKS, Deed.LOOKUP, Deed.CLAIM, Deed.LOCK})
_DEPTH = 3


def choices(study: Study) -> Iterator[ModelParameter]:
    """Every such parameter: of a function that is a tool, and of a tool's schema that is written out."""
    listed = {index for flow in study.context.file.flows for index in _listed(study, flow)}
    for flow in study.flows:
        if flow.kind is not FlowKind.FUNCTION:
            continue
        named = [
            (parameter, left) for parameter in flow.parameters if (left := _left(parameter.name)) is not None
        ]
        if not named or not (flow.index in listed or _is_tool(study, flow)):
            continue
        for parameter, left in named:
            if _decides(study, flow, parameter, left):
                sent = _sends(study, flow, _OUTSIDE if left is Left.ATTEMPTS else _ANY)
                evidence = Evidence.NAME if sent is None else Evidence.BODY
                yield ModelParameter(
                    parameter.span,
                    parameter.name,
                    flow.name,
                    left,
                    "" if sent is None else sent.name,
                    evidence,
                )
    for flow in study.flows:
        yield from _written(flow)


def _left(name: str) -> Left | None:
    """What a parameter of that name leaves to whoever fills it in."""
    return next((left for group, left in _GROUPS if says(group, name)), None)


def _is_tool(study: Study, flow: Flow) -> bool:
    return any(runs.role is Role.TOOL for runs in study.runs(flow))


def _listed(study: Study, flow: Flow) -> Iterator[int]:
    """The functions that are given to something as its tools: `Agent(tools=[send])`."""
    for _, call in study.context.calls(flow):
        for word in call.keywords:
            if word.name in ("tools", "functions"):
                for part in walk(word.value):
                    if isinstance(part, Variable):
                        yield from study.context.callees.named(flow, part)
    for _, one in flow.points():
        match one:
            case Assign(target=Variable(name=name), value=Compound(kind="list") as value):
                if name.lower() in ("tools", "functions", "all_tools"):
                    for part in value.parts:
                        yield from study.context.callees.named(flow, part)
            case _:
                pass


def _sends(study: Study, flow: Flow, deeds: frozenset[Deed]) -> Act | None:
    """The first write of a tool, by itself or by helpers of the file."""
    waiting = [(flow, _DEPTH)]
    seen: set[int] = set()
    while waiting:
        here, left = waiting.pop(0)
        if here.index in seen:
            continue
        seen.add(here.index)
        for act in study.acts(here):
            if act.deed in deeds and act.call is not None:
                return act
        if left > 1:
            for _, call in study.context.calls(here):
                waiting += [(helper, left - 1) for helper in study.context.called(here, call)]
    return None


def _decides(study: Study, flow: Flow, parameter: Parameter, left: Left) -> bool:
    """Whether a parameter comes to bear: it bounds a loop, decides a branch, or is handed on by its own name.

    `force` means many things: it counts where what it is set for goes past a look at what was done before.
    """
    for point, one in flow.points():
        if not any(_reads(value, parameter.name) for value in reads(one)):
            continue
        if parameter.name == "force":
            if isinstance(one, Branch) and _goes_past(study, flow, point, parameter.name):
                return True
        elif left is not Left.AGAIN or isinstance(one, Branch | Next):
            return True
        elif isinstance(one, Call):
            named = any(word.name == parameter.name for word in one.keywords)
            if named or study.context.called(flow, one):
                return True
    return False


def _goes_past(study: Study, flow: Flow, branch: Point, name: str) -> bool:
    """Whether something is asked only where the parameter is not set, or it is looked at after something was."""
    asks = [act for act in study.acts(flow) if act.deed in _LOOKS]
    for act in asks:
        for gate in gates(flow, act.point):
            if gate.point == branch and _unset(gate.test, name) == gate.when:
                return True
    numbered = {act.call.number for act in asks if act.call is not None}
    return any(numbered & numbers(study.context, flow, gate.test, gate.point) for gate in gates(flow, branch))


def _unset(test: Expression, name: str) -> bool:
    """What the test is where the parameter is not set."""
    return not (isinstance(test, Variable) and test.name == name)


def _reads(value: Expression, name: str) -> bool:
    return any(isinstance(part, Variable) and part.name == name for part in walk(value))


def _written(flow: Flow) -> Iterator[ModelParameter]:
    """The schemas of tools that are written out as dicts: `{"name": ..., "parameters": {"properties": {...}}}`."""
    for _, one in flow.points():
        values = (
            given(one) if isinstance(one, Call) else (one.value,) if isinstance(one, Assign | Return) else ()
        )
        if isinstance(one, Call):
            yield from _schema({word.name: word.value for word in one.keywords}, one.span)
        for value in values:
            for part in walk(value):
                if isinstance(part, Compound) and part.kind == "dict":
                    yield from _schema(_entries(part), one.span)


def _schema(entries: Mapping[str, Expression], span: Span) -> Iterator[ModelParameter]:
    name = entries.get("name")
    if not isinstance(name, Constant) or not isinstance(name.value, str):
        return
    word = verb(name.value)
    if word is None or word.effect is Effect.READ:
        return
    for key in sorted(_SCHEMAS & entries.keys()):
        properties = _entries(entries[key]).get("properties")
        for found in _entries(properties) if properties is not None else ():
            left = _left(found)
            if left is not None:
                yield ModelParameter(span, found, name.value, left, name.value, Evidence.NAME)


def _entries(value: Expression) -> dict[str, Expression]:
    """The entries of a dict that is written out."""
    if not isinstance(value, Compound) or value.kind != "dict":
        return {}
    return {
        part.parts[0].value: part.parts[1]
        for part in value.parts
        if isinstance(part, Compound)
        and part.kind == "entry"
        and isinstance(part.parts[0], Constant)
        and isinstance(part.parts[0].value, str)
    }
