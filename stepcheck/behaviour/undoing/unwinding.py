"""Where undos are kept for later, and where what is kept is run."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.study import Study
from stepcheck.catalogue import undo
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    Enter,
    Expression,
    Flow,
    Function,
    Item,
    Leave,
    Point,
    Reach,
    Result,
    Variable,
    dotted,
    variables,
    walk,
)
from stepcheck.facts import Span

_HERE = ("os.", "shutil.", "tempfile.", "subprocess.", "pathlib.", "builtins.", "threading.", "asyncio.", "socket.",
        "contextlib.", "unittest.", "multiprocessing.", "logging.", "weakref.", "signal.", "?open")  # fmt: skip
"""What begins the qualified names of calls that stay in the process and its machine."""
_AROUND = frozenset({"reversed", "list", "tuple", "enumerate", "iter", "sorted"})
_POPS = frozenset({"pop", "popleft", "get_nowait", "get"})


def here(call: Call) -> bool:
    """Whether a call stays in the process and its machine."""
    return call.qualified.startswith(_HERE) and "[]" not in call.qualified


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


@dataclass(frozen=True, slots=True)
class Unwinding:
    """A loop that runs what is kept."""

    holder: str
    flow: Flow
    runs: frozenset[Point]
    names: tuple[str, ...]
    """What is called on what is kept: `compensate`; nothing for calling it itself."""
    span: Span
    backwards: bool

    @property
    def undoes(self) -> bool:
        """Whether it undoes whatever was done, by its names."""
        return undo.holds(self.holder) or any(undo.generic(name) for name in self.names)


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


def unwindings(study: Study, flow: Flow) -> Iterator[Unwinding]:
    """Every loop of a function over something that is kept, which calls the items or methods of them.

    And every exit stack that is emptied (`pop_all`) where all went well, so that it runs only on a failure.
    """
    yield from _stacks(study, flow)
    if not flow.loops:
        return
    natural = {loop.head: loop for loop in study.context.loops(flow)}
    for loop in flow.loops:
        found = natural.get(loop.head)
        if found is None:
            continue
        if loop.iterable is not None:
            holder, backwards = _held(study, flow, loop.iterable, Point(loop.head, 0))
            runs = dict(_runs(study, flow, found.blocks, frozenset(loop.targets)))
        else:
            holder, backwards, taken = _popped(study, flow, found.blocks)
            runs = dict(_runs(study, flow, found.blocks, taken))
        if holder and runs:
            names = tuple(dict.fromkeys(name for name in runs.values() if name))
            yield Unwinding(holder, flow, frozenset(runs), names, loop.span, backwards)


def _stacks(study: Study, flow: Flow) -> Iterator[Unwinding]:
    emptied = {
        dotted(call.callee.base)
        for _, call in study.context.calls(flow)
        if isinstance(call.callee, Attribute) and call.callee.name == "pop_all"
    }
    if not emptied:
        return
    for _, operation in flow.points():
        if not (isinstance(operation, Assign) and isinstance(operation.value, Result)):
            continue
        holder = dotted(operation.target)
        made = study.context.operation(flow, operation.value.number)
        if holder in emptied and made is not None and isinstance(made[1], Enter):
            entered = made[1]
            leaves = frozenset(
                point
                for point, other in flow.points()
                if isinstance(other, Leave) and other.number == entered.number and other.failing
            )
            yield Unwinding(holder, flow, leaves, (), entered.span, backwards=True)


def _held(study: Study, flow: Flow, value: Expression, point: Point, left: int = 6) -> tuple[str, bool]:
    """What a loop goes over, and whether backwards."""
    if left <= 0:
        return "", False
    match value:
        case Variable(name=name):
            found = study.context.definitions(flow).of(name, point)
            held = found[0].value(flow) if len(found) == 1 else None
            if held is not None and isinstance(held, Result | Item) and found[0].point is not None:
                holder, backwards = _held(study, flow, held, found[0].point, left - 1)
                if holder:
                    return holder, backwards
            return name, False
        case Attribute():
            return dotted(value), False
        case Item(base=base, index=Compound(kind="slice", parts=parts)):
            holder, backwards = _held(study, flow, base, point, left - 1)
            turned = any(
                (isinstance(part, Constant) and part.value == -1)
                or (isinstance(part, Compound) and part.kind == "unary" and part.text == "-")
                for part in parts[2:]
            )  # fmt: skip
            return holder, backwards != turned
        case Result(number=number):
            made = study.context.operation(flow, number)
            call = made[1] if made is not None else None
            if not isinstance(call, Call) or not call.arguments or call.dotted not in _AROUND:
                return "", False
            holder, backwards = _held(study, flow, call.arguments[0], point, left - 1)
            return holder, backwards != (call.dotted == "reversed") or call.dotted == "sorted"
        case _:
            return "", False


def _popped(study: Study, flow: Flow, blocks: frozenset[int]) -> tuple[str, bool, frozenset[str]]:
    """What a loop takes items from one by one, whether from the end, and the variables that get them."""
    for point, call in study.context.calls(flow):
        if point.block in blocks and isinstance(call.callee, Attribute) and call.callee.name in _POPS:
            holder = dotted(call.callee.base)
            first = call.arguments[0] if call.arguments else None
            front = call.callee.name != "pop" or (isinstance(first, Constant) and first.value == 0)
            taken = {f"={call.number}"}
            for _, operation in flow.points():
                bound = operation.target if isinstance(operation, Assign) else None
                if isinstance(operation, Assign) and isinstance(bound, Variable):
                    gets = any(part == Result(call.number) for part in walk(operation.value))
                    taken |= {bound.name} if gets else set()
            if holder:
                return holder, not front, frozenset(taken)
    return "", False, frozenset()


def _runs(
    study: Study, flow: Flow, blocks: frozenset[int], items: frozenset[str]
) -> Iterator[tuple[Point, str]]:
    """The calls of items, of their methods, and those named for undoing that are given one.

    A class that is made of an item undoes nothing, and neither does a question whose answer decides a branch.
    """
    asked = {
        part.number
        for _, operation in flow.points()
        if isinstance(operation, Branch)
        for part in walk(operation.test)
        if isinstance(part, Result)
    }
    for point, call in study.context.calls(flow):
        if point.block not in blocks:
            continue
        callee, name = call.callee, ""
        while isinstance(callee, Attribute | Item):
            name = name or (callee.name if isinstance(callee, Attribute) else "")
            callee = callee.base
        is_item = (isinstance(callee, Variable) and callee.name.partition("@")[0] in items) or (
            isinstance(callee, Result) and f"={callee.number}" in items
        )
        if is_item and name not in _POPS:
            yield point, name
        elif call.number in asked or call.dotted.rpartition(".")[2][:1].isupper():
            continue
        elif undo.undoes(call.dotted) and any(
            one.name.partition("@")[0] in items for value in call.arguments for one in variables(value)
        ):
            yield point, call.dotted


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
