"""Places from which on it is known that nobody knows whether a write happened."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from stepcheck.analysis.loops import natural_loops, origins, per_item
from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.concluding.answers import quoted, state
from stepcheck.behaviour.concluding.endings import handlers, said
from stepcheck.behaviour.concluding.uncertain_tests import tested
from stepcheck.behaviour.context import Context, at
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.conclusions import Ended
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    Next,
    Point,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Span

_NUMBER = re.compile(r"number=\d+")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place from which on it is known that nobody knows."""

    starts: tuple[Point, ...]
    span: Span
    how: str
    recorded: bool
    """It is written down or read from what was; else only an exception tells it."""
    only: frozenset[Point] | None
    """Where the writes must be; None for anywhere."""
    writes: tuple[Write, ...]
    heads: frozenset[int]
    """Where the next item begins."""
    inside: frozenset[Point] | None = None
    """Where a question is asked because of the doubt; None for anywhere."""


def spoken(flow: Flow) -> bool:
    """Whether a function has to do with states that say that nobody knows."""
    return any(
        _says(part) for _, operation in flow.points() for value in reads(operation) for part in walk(value)
    )


def _says(part: Expression) -> bool:
    """Whether a value is such a state, or has one in quotes."""
    match part:
        case Constant(value=str(text)):
            if "'" not in text:
                return conclusions.of_state(text) is Ended.UNCERTAIN
            return any(conclusions.of_state(word) is Ended.UNCERTAIN for word in _quoted(text))
        case Attribute(name=name) | Variable(name=name):
            told = conclusions.of_state(name) is Ended.UNCERTAIN
            return told and (name[:1].isupper() or not _is_loose(name))
        case _:
            return False


def places(study: Study, flow: Flow, every: tuple[Write, ...], made: tuple[Write, ...]) -> Iterator[Doubt]:
    """Every such place: tests of a state, loops over what was selected by one, handlers of lost answers of `made`."""
    yield from _tested(study.context, flow, every)
    yield from _selected(study, flow, every)
    yield from _caught(study, flow, made)


def _tested(context: Context, flow: Flow, every: tuple[Write, ...]) -> Iterator[Doubt]:
    """Branches that are taken where a state says that nobody knows."""
    for number, block in enumerate(flow.blocks):
        last = block.operations[-1] if block.operations else None
        if not isinstance(last, Branch):
            continue
        found = tested(context, flow, last.test)
        if found is None:
            continue
        text, subject, wanted = found
        edges = {edge.kind: edge.target for edge in block.edges}
        if wanted not in edges:
            continue
        other = EdgeKind.FALSE if wanted is EdgeKind.TRUE else EdgeKind.TRUE
        starts = (Point(edges[wanted], 0),)
        only = None
        if _is_loose(text):
            otherwise = begun(flow, (Point(edges[other], 0),)) if other in edges else frozenset()
            only = begun(flow, starts) - otherwise
            every = tuple(one for one in every if _grave(one))
        how = f"{quoted(subject)} is {quoted(text)}"
        yield Doubt(starts, last.span, how, True, only, every, frozenset(_heads_around(flow, number)))


def _told(call: Call) -> tuple[object, ...]:
    """What is done by a call as far as it is written: the same for two that do the same."""
    if not call.dotted:
        return (call.span,)
    given = [_written(value) for value in call.arguments]
    return (call.dotted, len(given), *given, *((word.name, _written(word.value)) for word in call.keywords))


def _written(value: Expression) -> str:
    """A value as written, with a hole for the answer of a call."""
    return _NUMBER.sub("", repr(value))


def _grave(write: Write) -> bool:
    told = verb(write.name)
    return told is not None and told.grave and told.word != "post"


def _heads_around(flow: Flow, block: int) -> Iterator[int]:
    for loop in natural_loops(flow) if flow.loops else ():
        if block in loop.blocks and loop.written is not None and loop.written.kind == "for":
            yield loop.head


def _is_loose(text: str) -> bool:
    """Whether the word is also said of other things."""
    return bool(conclusions.listed("loose") & {*names.words(text), "".join(names.words(text))})


def _selected(study: Study, flow: Flow, every: tuple[Write, ...]) -> Iterator[Doubt]:
    """Loops over what is recorded as uncertain."""
    for point, operation in flow.points():
        if not isinstance(operation, Next):
            continue
        text = _selects(study, flow, point)
        if not text:
            continue
        starts = tuple(
            Point(edge.target, 0) for edge in flow.blocks[point.block].edges if edge.kind is EdgeKind.TRUE
        )
        how = f"the loop is over what is {quoted(text)}"
        yield Doubt(starts, operation.span, how, True, None, every, frozenset({point.block}))


def _selects(study: Study, flow: Flow, point: Point) -> str:
    """The uncertain state by which what a loop runs over is chosen."""
    made = (at(flow, place) for place in sorted(origins(study.context.definitions(flow), point)))
    calls = [call for call in made if isinstance(call, Call)]
    fetched = {
        call.dotted.rpartition(".")[0]
        for call in calls
        if words.last(call.dotted).startswith(("fetch", "scalar"))
    }
    executed = {f"{receiver}.execute" for receiver in fetched}
    calls += [call for _, call in study.context.calls(flow) if call.dotted in executed]
    return next((found for call in calls if (found := _selected_by(study.context, flow, call))), "")


def _selected_by(context: Context, flow: Flow, call: Call) -> str:
    """The uncertain state that a call selects by: in its name, its arguments, or its SQL."""
    last = names.words(words.last(written(context, flow, call)))
    named = next((word for word in last if conclusions.of_state(word) is Ended.UNCERTAIN), "")
    if named and named not in conclusions.listed("loose"):
        return named
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            if isinstance(part, Constant) and isinstance(part.value, str) and " " in part.value:
                for word in _quoted(part.value):
                    if conclusions.of_state(word) is Ended.UNCERTAIN:
                        return word
            elif (found := state(part)) is not None and found[1] is Ended.UNCERTAIN:
                return found[0]
    return ""


def _quoted(sql: str) -> list[str]:
    """The words in quotes behind a condition on a state."""
    where = sql.lower().partition("where")[2]
    return where.split("'")[1::2] if "stat" in where else []


def _caught(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[Doubt]:
    """Handlers of lost answers, after which the same write is begun again with the same intent."""
    told = [_told(write.call) for write in made]
    for write, does in zip(made, told, strict=True):
        if write.enqueues:
            continue
        heads = frozenset(
            loop.head
            for loop in study.context.loops(flow)
            if write.point.block in loop.blocks
            and per_item(study.context.definitions(flow), loop, write.point)
        )
        alike = tuple(other for other, done in zip(made, told, strict=True) if done == does)
        alike += tuple(
            replace(write, point=point, span=call.span, name=call.dotted or write.name, call=call)
            for point, call in study.context.calls(flow)
            if flow in study.context.called(flow, call)
        )
        for handler in handlers(study, flow, write):
            named = [name for name in handler.unknown if not (raised.of_database(name) or raised.broad(name))]
            recorded = next(
                (
                    one
                    for one in said(study, flow, handler.inside)
                    if one.ended is Ended.UNCERTAIN and one.record
                ),
                None,
            )
            if not named and (recorded is None or all(raised.of_database(name) for name in handler.unknown)):
                continue
            shown = raised.shown(handler.unknown)
            how = (
                recorded.how if recorded is not None else f"{quoted(shown)} does not tell whether it happened"
            )
            span = recorded.span if recorded is not None else handler.catch.span
            yield Doubt(handler.starts, span, how, recorded is not None, None, alike, heads, handler.inside)
