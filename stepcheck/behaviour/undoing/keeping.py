"""Where undos are kept for later, each with what it undoes."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.study import Study
from stepcheck.catalogue import undo
from stepcheck.code.flow import (
    Attribute,
    Call,
    Constant,
    Expression,
    Flow,
    Function,
    Point,
    Reach,
    Result,
    Variable,
    dotted,
    variables,
    walk,
)
from stepcheck.facts import Span


@dataclass(frozen=True, slots=True)
class Undo:
    """One call that undoes something, as it is kept or as it is run."""

    name: str
    """As written, or as a text names it."""
    reads: frozenset[str]
    """The variables that it is made of."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A call that keeps something for later."""

    holder: str
    """As written: `undo`, `self.completed`."""
    method: str
    point: Point
    span: Span
    values: tuple[Expression, ...]
    undos: tuple[Undo, ...]
    """What of it undoes something by its name."""

    @property
    def names(self) -> bool:
        """Whether it is named for undoing."""
        return undo.holds(self.holder) or undo.defers(self.method)


def kept(study: Study, flow: Flow) -> Iterator[Kept]:
    """Every call that keeps a function, a step or a description of an undo for later."""
    for point, call in study.context.calls(flow):
        if not isinstance(call.callee, Attribute):
            continue
        method = call.callee.name
        holder = dotted(call.callee.base)
        if not holder or not (undo.keeps(method) or undo.defers(method)):
            continue
        values = [*call.arguments, *(word.value for word in call.keywords)]
        if method == "insert" and len(values) > 1:
            values = values[1:]
        undos = tuple(_undos(study, flow, values))
        yield Kept(holder, method, point, call.span, tuple(values), undos)


def _undos(study: Study, flow: Flow, values: list[Expression]) -> Iterator[Undo]:
    reads = frozenset(part.name for value in values for part in variables(value))
    for value in values:
        for part in walk(value):
            yield from _undo(study, flow, part, reads)


def _undo(study: Study, flow: Flow, part: Expression, reads: frozenset[str]) -> Iterator[Undo]:
    flows = study.context.file.flows
    match part:
        case Function(flow=index):
            yield from _inside(study, flows[index])
        case Variable():
            for index in study.context.callees.named(flow, part):
                if part.reach is not Reach.LOCAL or flows[index].parent == flow.index:
                    yield from _inside(study, flows[index])
            if undo.undoes(part.name):
                yield Undo(part.name, reads)
        case Attribute(name=name) if undo.undoes(name):
            yield Undo(dotted(part) or name, reads)
        case Constant(value=str(text)) if len(text) < 40 and " " not in text and undo.undoes(text):
            yield Undo(text, reads)
        case Result(number=number):
            made = study.context.operation(flow, number)
            if made is not None and isinstance(made[1], Call):
                yield from _of_call(study, flow, made[1])
        case _:
            return


def _of_call(study: Study, flow: Flow, call: Call) -> Iterator[Undo]:
    """`partial(flights.cancel, ref)`, `Undo(flights.cancel, ref)`, or `flights.cancel(ref)` for later."""
    inner = [*call.arguments, *(word.value for word in call.keywords)]
    given = frozenset(one.name for value in inner for one in variables(value))
    if undo.undoes(call.dotted) and not call.awaited:
        yield Undo(call.dotted, given)
        return
    for value in inner:
        for one in walk(value):
            if not isinstance(one, Result):
                yield from _undo(study, flow, one, given)


def _inside(study: Study, flow: Flow) -> Iterator[Undo]:
    """What a lambda, or a function of the file, undoes."""
    reads: set[str] = set()
    names: list[str] = []
    for _, call in study.context.calls(flow):
        names.append(call.dotted)
        values = (call.callee, *call.arguments, *(word.value for word in call.keywords))
        reads.update(one.name for value in values for one in variables(value))
    for parameter in flow.parameters:
        if parameter.default is not None:
            reads.update(one.name for one in variables(parameter.default.value))
    for name in names:
        if undo.undoes(name):
            yield Undo(name, frozenset(reads))


def turned(study: Study, holder: str) -> bool:
    """Whether something in the file puts what is kept in the other order."""
    for flow in study.context.file.flows:
        for _, call in study.context.calls(flow):
            if isinstance(call.callee, Attribute) and dotted(call.callee.base) == holder:
                first = call.arguments[0] if call.arguments else None
                front = call.callee.name == "insert" and isinstance(first, Constant) and first.value == 0
                if front or call.callee.name in ("appendleft", "reverse", "sort"):
                    return True
    return False
