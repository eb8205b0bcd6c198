"""Parameters that take an idempotency key, and calls that send without it."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.effects import does
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.keying.unsent import unsent
from stepcheck.catalogue.key_words import key_words
from stepcheck.catalogue.keys import names_key
from stepcheck.code.flow import (
    Attribute,
    Call,
    Constant,
    Delete,
    Flow,
    FlowKind,
    Parameter,
    ParameterKind,
    Raise,
    Reach,
    Result,
    Variable,
    reads,
    variables,
    walk,
)
from stepcheck.facts import Evidence, KeyParameter, Span

_UNREAD = frozenset({"request_id"})
"""Names that are for logs where they are read at all."""
_SENDS = key_words("sends")


def parameters(survey: Survey) -> Iterator[KeyParameter]:
    """Every key that a function of the file takes and does not send, on some path that sends."""
    for flow in survey.study.flows:
        if flow.kind is not FlowKind.FUNCTION:
            continue
        taken = [one for one in flow.parameters if _takes(one)]
        if taken and not _declares(flow):
            for parameter in taken:
                yield from _dropped(survey, flow, parameter)
        yield from _popped(survey, flow)


def _takes(parameter: Parameter) -> bool:
    if parameter.kind in (ParameterKind.DOUBLE_STAR, ParameterKind.STAR):
        return False
    return names_key(parameter.name) or parameter.name in _UNREAD


def _dropped(survey: Survey, flow: Flow, parameter: Parameter) -> Iterator[KeyParameter]:
    context = survey.context
    name = parameter.name
    if not _read(context, flow, name):
        sends = _sends(survey, flow)
    elif name not in _UNREAD and not _inner(context, flow, name):
        sends = _named(unsent(survey, flow, name))
    else:
        return
    if sends is not None:
        written, span, evidence = sends
        if name in _UNREAD:
            evidence = Evidence.NAME
        yield KeyParameter(name, flow.qualname, parameter.span, written, span, evidence)


def _popped(survey: Survey, flow: Flow) -> Iterator[KeyParameter]:
    """`kwargs.pop("idempotency_key", None)`, the answer of which nobody reads."""
    for _, call in survey.context.calls(flow):
        first = call.arguments[0] if call.arguments else None
        if (
            not isinstance(first, Constant)
            or words.last(call.dotted) != "pop"
            or not names_key(str(first.value))
        ):
            continue
        held = call.dotted.partition(".")[0]
        if held not in {one.name for one in flow.parameters}:
            continue
        used = any(
            part == Result(call.number)
            for _, operation in flow.points()
            for expression in reads(operation)
            for part in walk(expression)
        )
        sends = None if used else _sends(survey, flow)
        if sends is not None:
            name, span, evidence = sends
            yield KeyParameter(str(first.value), flow.qualname, call.span, name, span, evidence)


def _declares(flow: Flow) -> bool:
    """Whether the function is there to be overridden, or said to be another's shape."""
    if any(words.last(made.qualified) in ("abstractmethod", "overload") for made in flow.decorators):
        return True
    return any(
        isinstance(operation, Raise) and "NotImplemented" in operation.qualified
        for _, operation in flow.points()
    )


def _read(context: Context, flow: Flow, name: str) -> bool:
    """Whether the function, or one in it, reads or drops the parameter, or hands all its variables on."""
    for other in context.file.flows:
        if other is not flow and not _inside(context, other, flow):
            continue
        for _, operation in other.points():
            if isinstance(operation, Delete):
                if isinstance(operation.target, Variable) and operation.target.name == name:
                    return True
                continue
            for expression in reads(operation):
                for one in variables(expression):
                    if one.name == name and (other is flow or one.reach is Reach.FREE):
                        return True
            if isinstance(operation, Call) and operation.qualified in ("builtins.locals", "builtins.vars"):
                return True
    return False


def _inner(context: Context, flow: Flow, name: str) -> bool:
    """Whether a function inside reads the parameter, or drops it on purpose."""
    for other in context.file.flows:
        if other is not flow and _inside(context, other, flow):
            for _, operation in other.points():
                for expression in reads(operation):
                    if any(one.name == name for one in variables(expression)):
                        return True
    return any(
        (isinstance(operation, Delete) and getattr(operation.target, "name", "") == name)
        or (isinstance(operation, Call) and operation.qualified in ("builtins.locals", "builtins.vars"))
        for _, operation in flow.points()
    )


def _inside(context: Context, inner: Flow, outer: Flow) -> bool:
    above = inner.parent
    while above is not None:
        if above == outer.index:
            return True
        above = context.file.flows[above].parent
    return False


def _sends(survey: Survey, flow: Flow) -> tuple[str, Span, Evidence] | None:
    """The first call of the function that sends something."""
    for point, call in survey.context.calls(flow):
        name = call.dotted or getattr(call.callee, "name", "")
        act = survey.act(flow, point)
        writes = act is not None and act.deed is Deed.WRITE and not act.weak
        if writes or does(survey.context, flow, call) is not None:
            return name, call.span, Evidence.BODY
        helper = survey.study.through(flow, call)
        if Deed.WRITE in helper.may:
            return name, call.span, Evidence.BODY
        method = isinstance(call.callee, Attribute) and words.last(name).lstrip("_") in _SENDS
        if method and not _fakes(call) and not survey.does(flow, point, Deed.HARMLESS):
            return name, call.span, Evidence.BODY
    return None


def _named(call: Call | None) -> tuple[str, Span, Evidence] | None:
    if call is None:
        return None
    return call.dotted or getattr(call.callee, "name", ""), call.span, Evidence.BODY


def _fakes(call: Call) -> bool:
    return bool(call.arguments) and all(
        isinstance(one, Constant) and one.value is None for one in call.arguments
    )
