"""The handlers that failures of writes come to, and what is done in those."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.paths import START, begun, completed, leading, no_exception
from stepcheck.behaviour.again.refusals import looks_at
from stepcheck.behaviour.again.regions import caught, types
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.concluding.concluded import Concluded, concluded
from stepcheck.behaviour.context import Context, at
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Catch,
    Compound,
    Constant,
    Edge,
    EdgeKind,
    Expression,
    Flow,
    Point,
    Result,
    dotted,
    walk,
)
from stepcheck.facts import Outcome


@dataclass(frozen=True, slots=True)
class Handler:
    """A handler that a failure of a write comes to."""

    point: Point
    catch: Catch
    starts: tuple[Point, ...]
    unknown: tuple[str, ...]
    """Those of its types after which the write may have been done, as far as no earlier handler takes them."""
    inside: frozenset[Point] = field(repr=False)
    """What is run only when the handler is, up to a test that looks at the exception."""


def handlers(study: Study, flow: Flow, write: Write) -> tuple[Handler, ...]:
    """The handlers of the function that a failure of the write comes to, from the innermost outwards."""
    context = study.context
    reached = fate(flow, write.point, "", context.exceptions).handlers
    if not reached:
        return ()
    succeeded = begun(flow, (completed(write.point),), (), no_exception)
    found: list[Handler] = []
    for one in reached:
        catch = at(flow, one.catch)
        if not isinstance(catch, Catch):
            continue
        starts = caught(flow, one.catch)
        unknown = tuple(
            name
            for name in types(catch)
            if raised.tells(context, name) is Outcome.UNKNOWN
            and not _taken(context, name, found)
            and not (raised.broad(name) and not write.strong and _own_taken(context, found))
        )
        within = _within(context, flow, catch, starts)
        within = within - succeeded - _before(flow, write.point, within)
        found.append(Handler(one.catch, catch, starts, unknown, within))
    return tuple(found)


def _before(flow: Flow, point: Point, within: frozenset[Point]) -> frozenset[Point]:
    """Those of the places that also lead to the call when nothing has failed yet: a loop goes round through them."""
    if point not in within:
        return frozenset()
    fresh = begun(flow, (START,), {point}, no_exception) & within
    leads = leading(flow, point.block, no_exception)
    return frozenset(place for place in fresh if place.block in leads)


def _taken(context: Context, name: str, before: list[Handler]) -> bool:
    """Whether handlers before take every exception of that class, or the ones of it that lost answers raise."""
    earlier = [kind for handler in before for kind in types(handler.catch)]
    if any(raised.is_a(context, name, kind) is True for kind in earlier):
        return True
    package = raised.library(kind for kind in earlier if not raised.broad(kind))
    asked = conclusions.lost(package)
    return bool(asked) and all(
        any(raised.is_a(context, one, kind) is True for kind in earlier) for one in asked
    )


def _own_taken(context: Context, before: list[Handler]) -> bool:
    """Whether a handler before takes what a client of the project raises when nobody knows: `PspTimeout`.

    What else such a client raises, it has told apart from that.
    """
    earlier = [kind for handler in before for kind in types(handler.catch)]
    return any(raised.own(kind) and raised.leaves_open(context, kind) for kind in earlier)


def _within(context: Context, flow: Flow, catch: Catch, starts: tuple[Point, ...]) -> frozenset[Point]:
    """What is run from a handler on when nothing raises, up to a test that looks at the exception."""

    def follow(block: int, edge: Edge) -> bool:
        operations = flow.blocks[block].operations
        last = operations[-1] if operations else None
        if not isinstance(last, Branch) or not looks_at(context, flow, last.test, catch.name):
            return no_exception(block, edge)
        return edge.kind is EdgeKind.TRUE and _names_lost(context, flow, last.test)

    return begun(flow, starts, (), follow)


def _names_lost(context: Context, flow: Flow, test: Expression) -> bool:
    """Whether a test asks for a lost answer: `isinstance(error, Timeout)`, `error.code() == DEADLINE_EXCEEDED`."""
    if isinstance(test, Result):
        made = context.operation(flow, test.number)
        if made is None or not isinstance(made[1], Call) or made[1].dotted != "isinstance":
            return False
        given = made[1].arguments[-1] if made[1].arguments else test
        parts = given.parts if isinstance(given, Compound) and given.kind == "tuple" else (given,)
        kinds = [dotted(part) for part in parts]
        told = [raised.tells(context, f"?{kind}") for kind in kinds if kind]
        return bool(told) and all(one is Outcome.UNKNOWN for one in told)
    if isinstance(test, Compound) and test.kind == "compare" and test.text in ("==", "is", "in"):
        texts = [*(one.name for one in walk(test) if isinstance(one, Attribute)), *_texts(test)]
        return any(conclusions.listed("lost_words").intersection(names.words(text)) for text in texts)
    return False


def _texts(test: Expression) -> list[str]:
    return [one.value for one in walk(test) if isinstance(one, Constant) and isinstance(one.value, str)]


def said(study: Study, flow: Flow, points: frozenset[Point]) -> Iterator[Concluded]:
    """What is said at these points of how something ended, in their order; what helpers write down included."""
    context = study.context
    for point in sorted(points):
        operations = flow.blocks[point.block].operations
        if point.position >= len(operations):
            continue
        operation = operations[point.position]
        found = concluded(context, flow, point, operation)
        if found is None and isinstance(operation, Call):
            found = _by_helper(study, flow, point, operation)
        if found is not None:
            yield found


def _by_helper(study: Study, flow: Flow, point: Point, call: Call) -> Concluded | None:
    """What a helper of the file writes down, where it is one thing, and no write of its own comes before it."""
    told: set[Ended] = set()
    how = ""
    for helper in study.context.called(flow, call):
        if study.context.large(helper) or any(act.deed is Deed.WRITE for act in study.acts(helper)):
            return None
        for place, operation in helper.points():
            inner = concluded(study.context, helper, place, operation)
            kept = isinstance(operation, Call) and words.last(operation.dotted) in ("add", "append")
            if inner is not None and inner.record and not kept:
                told.add(inner.ended)
                how = how or inner.how
    if len(told) != 1:
        return None
    return Concluded(
        told.pop(), f"{written(study.context, flow, call)!r} does: {how}", point, call.span, True
    )


def settles(study: Study, flow: Flow, points: frozenset[Point], *, recorded: bool = False) -> bool:
    """Whether at one of these points something is asked, handed over to a person, or left to be looked at again.

    With `recorded`, a question, an answer or an exception that leaves it open is not enough.
    """
    context = study.context
    for act in study.acts(flow):
        if act.point not in points or act.call is None:
            continue
        last = words.last(act.name)
        if not recorded and (asks(act) or last == "retry"):
            return True
        if conclusions.hands_over(act.name) and not (recorded and last[:1].isupper()):
            return True
    for point, call in context.calls(flow):
        if point in points:
            name = written(context, flow, call)
            helps = conclusions.hands_over(name) or (words.asks(name) and not recorded)
            if name and context.called(flow, call) and helps:
                return True
    return any(
        one.ended in (Ended.OPEN, Ended.UNCERTAIN) and (one.record or not recorded)
        for one in said(study, flow, points)
    )


def asks(act: Act) -> bool:
    """Whether a call asks the outside how things stand."""
    if act.deed in (Deed.LOOKUP, Deed.HARMLESS, Deed.RECORD) or act.call is None:
        return False
    if act.deed is Deed.ASKS and not act.weak:
        return True
    return words.asks(act.name) and not words.last(act.name)[:1].isupper()
