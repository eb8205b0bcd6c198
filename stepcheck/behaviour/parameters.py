"""Parameters that take an idempotency key and never bring it to what is sent."""

from collections.abc import Iterator

from stepcheck.behaviour import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.effects import does
from stepcheck.code.flow import (
    Attribute,
    Call,
    Constant,
    Delete,
    Flow,
    FlowKind,
    ParameterKind,
    Raise,
    Reach,
    Variable,
    reads,
    variables,
)
from stepcheck.facts import Evidence, KeyParameter, Span


def parameters(context: Context) -> Iterator[KeyParameter]:
    """Every key parameter of the file that is never read, in a function that sends something."""
    for flow in context.file.flows:
        if flow.kind is not FlowKind.FUNCTION or _declares(flow):
            continue
        for parameter in flow.parameters:
            if (
                parameter.kind is ParameterKind.DOUBLE_STAR
                or words.spaced(parameter.name) not in words.ACCEPTED
            ):
                continue
            if _read(context, flow, parameter.name):
                continue
            sends = _sends(context, flow)
            if sends is not None:
                name, span, evidence = sends
                yield KeyParameter(parameter.name, flow.qualname, parameter.span, name, span, evidence)


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


def _inside(context: Context, inner: Flow, outer: Flow) -> bool:
    above = inner.parent
    while above is not None:
        if above == outer.index:
            return True
        above = context.file.flows[above].parent
    return False


_SENDS = frozenset(
    {"post", "put", "patch", "request", "send", "publish", "submit", "execute", "send_message", "produce"}
)


def _sends(context: Context, flow: Flow) -> tuple[str, Span, Evidence] | None:
    """The first call of the function that sends something."""
    for _, call in context.calls(flow):
        what = does(context, flow, call)
        name = call.dotted or getattr(call.callee, "name", "")
        if what is not None:
            return name, call.span, Evidence.BODY
        method = isinstance(call.callee, Attribute) and words.last(name).lstrip("_") in _SENDS
        if method and not _fakes(call):
            return name, call.span, Evidence.BODY
    return None


def _fakes(call: Call) -> bool:
    return bool(call.arguments) and all(
        isinstance(one, Constant) and one.value is None for one in call.arguments
    )
