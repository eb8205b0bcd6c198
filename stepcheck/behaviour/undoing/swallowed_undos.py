"""Undos whose failure is only logged, while a record says that all was undone."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, completed, failed
from stepcheck.behaviour.calls import looks, words
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.undoing.failing import Handler, handlers, taken
from stepcheck.behaviour.undoing.unwinding import Unwinding, here
from stepcheck.catalogue import undo
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    Item,
    Leave,
    Point,
    Raise,
    Return,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.undoing import SwallowedUndo

_QUIET = frozenset({Deed.HARMLESS, Deed.PAUSE})
_NOTES = frozenset(
    {"append", "add", "insert", "put", "put_nowait", "extend", "update", "setdefault", "appendleft"}
)
"""Methods that note in memory what failed."""


def swallowed_undos(study: Study, flow: Flow, unwound: list[Unwinding]) -> Iterator[SwallowedUndo]:
    """Every undo of a function that may fail without anybody hearing of it, before it is recorded as done."""
    undos = dict(_undos(study, flow, unwound))
    if not undos:
        return
    recorded = list(_recorded(study, flow))
    if not recorded:
        return
    quiet = [handler for handler in handlers(study, flow) if _only_logs(study, flow, handler)]
    for point, (name, span) in undos.items():
        again = begun(flow, (completed(point),))
        ways = [
            (handler.starts, handler.catch.span) for handler in quiet if taken(study, flow, point, handler)
        ]
        ways += [((start,), leave) for start, leave in _suppressed(flow, point)]
        ways += [
            ((completed(point),), span) for call in _gathered(flow, point) if not looks.looked_at(flow, call)
        ]
        for starts, handler_span in ways:
            reached = begun(flow, starts, {point})
            found = next(
                ((says, at) for place, says, at in recorded if place in reached and place in again), None
            )
            if found is not None:
                yield SwallowedUndo(
                    span, flow.qualname, name, handler_span, found[1], found[0], Evidence.BODY
                )
                return


def _undos(study: Study, flow: Flow, unwound: list[Unwinding]) -> Iterator[tuple[Point, tuple[str, Span]]]:
    runs = {point for one in unwound for point in one.runs if one.flow.index == flow.index and one.undoes}
    acts = {act.point: act for act in study.acts(flow)}
    for point, call in study.context.calls(flow):
        act = acts.get(point)
        quiet = act is not None and act.deed in (Deed.ROLLBACK, Deed.HARMLESS, Deed.LOOKUP)
        if quiet and point not in runs and not _gathers(flow, call):
            continue
        outside = not here(call) or _gathers(flow, call)
        if call.dotted.startswith("super") or not outside:
            continue
        named = undo.generic(call.dotted) or (bool(undo.verb(call.dotted)) and not undo.local(call.dotted))
        if point in runs or named or _gathers(flow, call):
            yield point, (call.dotted or "the undo", call.span)


def _gathers(flow: Flow, call: Call) -> bool:
    """`asyncio.gather(*[compensate(step) for step in steps], return_exceptions=True)`."""
    word = call.keyword("return_exceptions")
    if word is None or not (isinstance(word.value, Constant) and word.value.value is True):
        return False
    values = [part for value in call.arguments for part in walk(value)]
    texts = [part.name for part in values if isinstance(part, Variable | Attribute)]
    texts += [other.dotted for _, other in flow.calls() if not other.awaited and undo.generic(other.dotted)]
    return any(undo.holds(text) or undo.generic(text) for text in texts)


def _gathered(flow: Flow, point: Point) -> list[Call]:
    call = flow.blocks[point.block].operations[point.position]
    return [call] if isinstance(call, Call) and _gathers(flow, call) else []


def _only_logs(study: Study, flow: Flow, handler: Handler) -> bool:
    """Whether nothing in a handler is more than a log: no raise, no note of what failed, nobody told."""
    acts = {act.point: act for act in study.acts(flow)}
    for point in handler.own:
        if point.position >= len(flow.blocks[point.block].operations):
            continue
        match flow.blocks[point.block].operations[point.position]:
            case Call() as call:
                act = acts.get(point)
                last = words.last(call.dotted)
                loud = act is None or act.deed not in _QUIET or last in _NOTES
                if loud or undo.fails(last.replace("exception", "").replace("error", "")):
                    return False
            case Raise():
                return False
            case Assign(target=Attribute() | Item()):
                return False
            case Assign(target=Variable(name=name), value=value):
                if name and not _of_exception(value):
                    return False
            case _:
                pass
    return True


def _of_exception(value: Expression) -> bool:
    """Whether it is what `as` binds."""
    return getattr(value, "kind", "") == "exception" or (isinstance(value, Constant) and value.value is None)


def _recorded(study: Study, flow: Flow) -> Iterator[tuple[Point, str, Span]]:
    """Where it is recorded, or answered, that all was undone: with what says so."""
    quiet = {act.point for act in study.acts(flow) if act.deed in _QUIET}
    for point, operation in flow.points():
        match operation:
            case Assign(target=Attribute() | Item() as target, value=value, span=span):
                name = dotted(target) or getattr(target, "name", "")
                if _says(value) or (undo.done(name) and isinstance(value, Constant) and value.value is True):
                    yield point, name or "the state", span
            case Call(dotted=name, span=span) as call:
                given = [*call.arguments, *(word.value for word in call.keywords)]
                if point in quiet:
                    continue
                marks = name and undo.done(words.last(name)) and not undo.undoes(name)
                if marks or any(_says(part) for value in given for part in walk(value)):
                    yield point, name or "the record", span
            case Return(value=value, span=span):
                if any(_says(part) for part in walk(value)):
                    yield point, "the answer", span
            case _:
                pass


def _says(value: Expression) -> bool:
    """Whether a value is a state that says that all was undone."""
    match value:
        case Constant(value=str(text)):
            return len(text) < 30 and undo.done(text)
        case Attribute(name=name):
            return name.isupper() and undo.done(name)
        case _:
            return False


def _suppressed(flow: Flow, point: Point) -> Iterator[tuple[Point, Span]]:
    """Where a path goes on when a `suppress(...)` around the operation ends its exception."""
    for start in failed(flow, point):
        operations = flow.blocks[start.block].operations
        if operations and isinstance(operations[-1], Leave) and "suppress" in operations[-1].qualified:
            leave = operations[-1]
            for edge in flow.blocks[start.block].edges:
                if edge.kind is EdgeKind.SWALLOWED:
                    yield Point(edge.target, 0), leave.span
