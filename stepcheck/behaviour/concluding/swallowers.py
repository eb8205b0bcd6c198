"""Where the error of a write ends: handlers, `suppress`, `finally`, a `gather` that nobody looks at."""

from collections.abc import Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import completed
from stepcheck.behaviour.again.regions import caught, types
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.context import at
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    ENTRY,
    ESCAPE,
    EXIT,
    Assign,
    Call,
    Catch,
    Constant,
    EdgeKind,
    Evaluate,
    Expression,
    Flow,
    Leave,
    Point,
    Result,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Outcome, Span


def ways(study: Study, flow: Flow, write: Write) -> Iterator[tuple[tuple[Point, ...], str, Span]]:
    """Where a path goes on after a lost answer of the write, after which exceptions, and who swallows them."""
    context = study.context
    goes = fate(flow, write.point, "", context.exceptions)
    for one in goes.handlers:
        catch = at(flow, one.catch)
        if isinstance(catch, Catch):
            kinds = [name for name in types(catch) if _loses(study, name)]
            if kinds:
                yield caught(flow, one.catch), raised.shown(kinds), catch.span
        if isinstance(catch, Catch) and any(raised.broad(name) for name in types(catch)):
            break
    for place in goes.swallowed:
        leave = at(flow, place)
        kinds = _suppressed(study, flow, leave) if isinstance(leave, Leave) else []
        if isinstance(leave, Leave) and kinds:
            edges = flow.blocks[place.block].edges
            starts = tuple(Point(edge.target, 0) for edge in edges if edge.kind is EdgeKind.SWALLOWED)
            yield starts, raised.shown(kinds), leave.span
    for point, call in study.context.calls(flow):
        if words.last(call.dotted) == "gather" and not write.call.awaited and _kept_back(flow, call):
            yield (completed(point),), "return_exceptions=True", call.span
    clean = _clean_up(flow, write)
    if clean:
        yield clean, "", write.span


def _kept_back(flow: Flow, call: Call) -> bool:
    """Whether a `gather` gives exceptions back instead of raising them, and nobody looks at what it gives."""
    word = call.keyword("return_exceptions")
    if word is None or not isinstance(word.value, Constant) or word.value.value is not True:
        return False
    held: set[str] = set()
    for _, operation in flow.points():
        read = [part for value in reads(operation) for part in walk(value)]
        if any(isinstance(part, Result) and part.number == call.number for part in read):
            if isinstance(operation, Assign) and isinstance(operation.target, Variable):
                held.add(operation.target.name)
            elif not isinstance(operation, Evaluate):
                return False
        if any(isinstance(part, Variable) and part.name in held for part in read):
            return False
    return True


def _loses(study: Study, name: str) -> bool:
    """Whether an exception may be raised by a write that was not done, and does not say that it was done before."""
    told = raised.tells(study.context, name)
    if told is Outcome.OPAQUE:
        found = set(names.words(words.last(name)))
        return (
            bool({"error", "exception"} & found) and not {"already", "exists", "duplicate", "found"} & found
        )
    return told is Outcome.UNKNOWN or (told is Outcome.NOT_SENT and not name.endswith("Interrupt"))


def _suppressed(study: Study, flow: Flow, leave: Leave) -> list[str]:
    """The exceptions that `contextlib.suppress(...)` swallows, of those that a lost answer raises."""
    if words.last(leave.qualified.removesuffix("()")) != "suppress" or not isinstance(leave.context, Result):
        return []
    made = study.context.operation(flow, leave.context.number)
    if made is None or not isinstance(made[1], Call):
        return []
    found = []
    for value in made[1].arguments:
        name = _named(value)
        if name and _loses(study, name):
            found.append(name)
    return found


def _named(value: Expression) -> str:
    name = dotted(value)
    return (
        f"builtins.{name}"
        if name in ("Exception", "BaseException", "TimeoutError", "OSError")
        else f"?{name}"
    )


def _clean_up(flow: Flow, write: Write) -> tuple[Point, ...]:
    """What a `finally` does although the write raised."""
    found: list[Point] = []
    seen: set[int] = set()
    waiting = [
        edge.target for edge in flow.blocks[write.point.block].edges if edge.kind is EdgeKind.EXCEPTION
    ]
    passed = {EdgeKind.NEXT, EdgeKind.TRUE, EdgeKind.FALSE, EdgeKind.PASSED, EdgeKind.RERAISE}
    while waiting:
        block = waiting.pop()
        if block in seen or block in (ENTRY, EXIT, ESCAPE):
            continue
        seen.add(block)
        operations = flow.blocks[block].operations
        if operations and not isinstance(operations[-1], Catch):
            found.append(Point(block, 0))
        waiting += [edge.target for edge in flow.blocks[block].edges if edge.kind in passed]
    return tuple(found)
