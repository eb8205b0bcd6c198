"""Tests whether a state says that nobody knows."""

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.concluding.answers import state
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import conclusions
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    Item,
    Result,
    Variable,
    dotted,
)


def tested(context: Context, flow: Flow, test: Expression) -> tuple[str, str, EdgeKind] | None:
    """The state that a test asks for, what holds it, and the edge that is taken where it is that."""
    match test:
        case Compound(kind="compare", text=operator, parts=(first, second)):
            edge = {
                "==": EdgeKind.TRUE, "is": EdgeKind.TRUE, "in": EdgeKind.TRUE,
                "!=": EdgeKind.FALSE, "is not": EdgeKind.FALSE, "not in": EdgeKind.FALSE,
            }.get(operator)  # fmt: skip
            for subject, value in ((first, second), (second, first)):
                held = _holder(subject)
                values = (
                    value.parts
                    if isinstance(value, Compound) and value.kind in ("tuple", "list", "set")
                    else (value,)
                )
                for one in values:
                    found = state(one)
                    if edge and held and found is not None and found[1] is Ended.UNCERTAIN:
                        return found[0], held, edge
        case Compound(kind="match", parts=(subject, *values)) if held := _holder(subject):
            for one in values:
                found = state(one)
                if found is not None and found[1] is Ended.UNCERTAIN:
                    return found[0], held, EdgeKind.TRUE
        case Result(number=number):
            made = context.operation(flow, number)
            name = written(context, flow, made[1]) if made is not None and isinstance(made[1], Call) else ""
            asks, _, rest = words.last(name).partition("_")
            if asks in ("is", "was", "has") and conclusions.of_state(rest) is Ended.UNCERTAIN:
                return "true", name, EdgeKind.TRUE
        case Attribute(name=name) if name.startswith(("is_", "was_")):
            if conclusions.of_state(name.partition("_")[2]) is Ended.UNCERTAIN:
                return "true", dotted(test) or name, EdgeKind.TRUE
        case _:
            pass
    return None


def _holder(value: Expression) -> str:
    match value:
        case Attribute(base=base, name="value"):
            return _holder(base)
        case Attribute(name=name) | Variable(name=name) if conclusions.holds_state(name):
            return dotted(value) or name
        case Item(base=base, index=Constant(value=str(name))) if conclusions.holds_state(name):
            return f"{dotted(base)}[{name}]"
        case _:
            return ""
