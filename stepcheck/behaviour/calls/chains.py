"""Chains of calls taken apart: `session.query(Order).filter_by(state="new").first()`."""

from dataclasses import dataclass

from stepcheck.behaviour.context import Context
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Function,
    Item,
    Result,
    Variable,
    walk,
)

LONGEST = 20
"""Links followed; of longer chains the first ones are not seen."""


@dataclass(frozen=True, slots=True)
class Link:
    """One call of a chain."""

    name: str
    """The method, or the function at the head."""
    call: Call


@dataclass(frozen=True, slots=True)
class Chain:
    """The calls of a chain, the first one called first, and what that is called on."""

    head: Expression
    links: tuple[Link, ...]

    @property
    def written(self) -> str:
        """As written, with `()` for the answer of another call: `Order.objects.filter().update`."""
        pieces: list[str] = []
        for position, link in enumerate(self.links):
            callee = link.call.callee
            if position:
                pieces[-1] += "()"
                pieces += _between(callee)
            else:
                pieces += [*_names(callee)]
        return ".".join(piece for piece in pieces if piece)


def chain(context: Context, flow: Flow, call: Call) -> Chain:
    """The chain that a call ends."""
    links: list[Link] = []
    at: Call | None = call
    base: Expression = call.callee
    while at is not None and len(links) < LONGEST:
        callee = at.callee
        links.append(Link(callee.name if isinstance(callee, Attribute | Variable) else "", at))
        base, at = _under(context, flow, callee)
    return Chain(base, tuple(reversed(links)))


def _under(context: Context, flow: Flow, callee: Expression) -> tuple[Expression, Call | None]:
    """What a callee is an attribute of, and the call that gave it."""
    base = callee
    while isinstance(base, Attribute | Item):
        base = base.base
    if isinstance(base, Result):
        made = context.operation(flow, base.number)
        if made is not None and isinstance(made[1], Call):
            return base, made[1]
    return callee.base if isinstance(callee, Attribute) else callee, None


def _names(value: Expression) -> tuple[str, ...]:
    """The names of a dotted value; items are passed over."""
    found: list[str] = []
    while isinstance(value, Attribute | Item):
        if isinstance(value, Attribute):
            found.append(value.name)
        value = value.base
    if isinstance(value, Variable):
        found.append(value.name.partition("@")[0])
    return tuple(reversed(found))


def _between(callee: Expression) -> list[str]:
    return list(_names(callee))


def fields(value: Expression) -> frozenset[str]:
    """The names of columns in a condition or in what is set: `Job.state == "new"`, `{"state": "done"}`."""
    found: set[str] = set()
    for part in walk(value):
        match part:
            case Attribute(name=name):
                found.add(name)
            case Compound(kind="entry", parts=(Constant(value=str(name)), *_)):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def decorating(flow: Flow) -> frozenset[int]:
    """The numbers of calls that make decorators or apply them: `@app.task(bind=True)`."""
    found: set[int] = set()
    for _, call in flow.calls():
        if call.dotted or not call.arguments:
            continue
        if isinstance(call.arguments[0], Function) or (
            isinstance(call.arguments[0], Result) and call.arguments[0].number in found
        ):
            found.add(call.number)
            if isinstance(call.callee, Result):
                found.add(call.callee.number)
    return frozenset(found)
