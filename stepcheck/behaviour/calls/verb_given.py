"""Which HTTP methods a function that takes its method as a parameter is given by its callers in the file."""

from collections.abc import Iterator

from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Assign, Call, Constant, Flow, Parameter, Variable

_BOUND = frozenset({"self", "cls"})


def owner(context: Context, flow: Flow, name: str) -> Flow | None:
    """The function whose parameter a variable is, where nothing else is put into it: this one, or one around it."""
    at: Flow | None = flow
    while at is not None:
        if any(
            isinstance(one, Assign) and isinstance(one.target, Variable) and one.target.name == name
            for _, one in at.points()
        ):
            return None
        if any(parameter.name == name for parameter in at.parameters):
            return at
        at = None if at.parent is None else context.file.flows[at.parent]
    return None


def given(context: Context, flow: Flow, name: str) -> frozenset[str] | None:
    """The methods that the callers write for a parameter, in capitals, or its default does; None without a caller."""
    found: set[str] = set()
    called = False
    for other in context.file.flows:
        for _, call in context.calls(other):
            if flow in context.called(other, call):
                called = True
                found.update(_written(flow, name, call))
    return frozenset(found) if called else None


def _written(flow: Flow, name: str, call: Call) -> Iterator[str]:
    word = call.keyword(name)
    names = [parameter.name for parameter in flow.parameters]
    position = names.index(name) - (names[0] in _BOUND)
    if word is not None:
        value = word.value
    elif position < len(call.arguments):
        value = call.arguments[position]
    else:
        yield from _default(flow, name)
        return
    if isinstance(value, Constant) and isinstance(value.value, str):
        yield value.value.upper()


def _default(flow: Flow, name: str) -> Iterator[str]:
    made = _parameter(flow, name).default
    if made is not None and isinstance(made.value, Constant) and isinstance(made.value.value, str):
        yield made.value.value.upper()


def _parameter(flow: Flow, name: str) -> Parameter:
    return next(parameter for parameter in flow.parameters if parameter.name == name)
