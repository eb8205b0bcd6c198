"""Where the undos that were kept for later are run."""

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
    Item,
    Leave,
    Point,
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
