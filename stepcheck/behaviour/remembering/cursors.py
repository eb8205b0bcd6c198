"""Endless loops that read on from a place which only the process knows."""

from collections.abc import Iterator

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.remembering import kept
from stepcheck.behaviour.remembering.gates import gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, ingredients, numbers
from stepcheck.catalogue.harmless import harmless
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    FlowKind,
    Next,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Evidence
from stepcheck.facts.remembering import PollCursor

_CLAIMS = frozenset({"claim", "dedupe", "dedup", "acquire", "deduplicate"})
_ROWS = frozenset({"fetchall", "fetchone", "fetchmany", "fetch"})
_HANDLED = (Deed.WRITE, Deed.SETS, Deed.OPAQUE, Deed.RECORD)


def cursors(study: Study) -> Iterator[PollCursor]:
    """Every place that an endless loop reads on from and that starts from a literal."""
    for flow in study.flows:
        loops = [loop for loop in study.context.loops(flow) if _endless(flow, loop)]
        for loop in loops[-1:]:
            yield from _in_loop(study, flow, loop)


def _in_loop(study: Study, flow: Flow, loop: NaturalLoop) -> Iterator[PollCursor]:
    for point, call in study.context.calls(flow):
        if point.block not in loop.blocks:
            continue
        for variable in _given_cursors(call):
            if not _moves(flow, loop, variable):
                continue
            begins = kept.start(study, flow, loop, variable)
            act = _handled(study, flow, loop, call)
            if begins is None or act is None or _leaves(study, flow, loop, variable, call):
                continue
            yield PollCursor(
                call.span,
                dotted(variable),
                begins,
                written(study.context, flow, call),
                act.name,
                act.span,
                kept.stored(study, flow, variable, call),
                _claims(study, flow, loop, call),
                Evidence.BODY,
            )
            return


def _endless(flow: Flow, loop: NaturalLoop) -> bool:
    """Whether a loop is there to go on: `while True`, `while not stop.is_set()`, and not over items."""
    if loop.written is not None and loop.written.kind != "while":
        return "count" in loop.written.qualified or "repeat" in loop.written.qualified
    return flow.kind in (FlowKind.FUNCTION, FlowKind.MODULE)


def _given_cursors(call: Call) -> Iterator[Variable | Attribute]:
    """The variables among the arguments of a call that are named for where to read on."""
    if harmless(call.qualified, call.dotted) or call.qualified.startswith("builtins."):
        return
    named = [("", value) for value in call.arguments] + [(word.name, word.value) for word in call.keywords]
    for name, value in named:
        for part in walk(value):
            if (
                isinstance(part, Variable | Attribute)
                and dotted(part)
                and dotted(part) not in ("self", "cls")
            ):
                own = says("cursor", dotted(part))
                if own or (part == value and name and says("cursor", name)):
                    yield part
                    break


def _moves(flow: Flow, loop: NaturalLoop, variable: Expression) -> bool:
    """Whether the loop sets the variable to something that was read."""
    return any(
        point.block in loop.blocks
        and isinstance(one, Assign)
        and kept.same(one.target, variable)
        and not isinstance(one.value, Constant)
        for point, one in flow.points()
    )


def _handled(study: Study, flow: Flow, loop: NaturalLoop, polls: Call) -> Act | None:
    """The first thing done in the loop with what was read."""
    context = study.context
    fetched = _fetched(study, flow, polls)
    for point, call in context.calls(flow):
        if point.block not in loop.blocks or call is polls or kept.plain(call):
            continue
        receiver = call.callee.base if isinstance(call.callee, Attribute) else None
        for value in (*given(call), *([receiver] if receiver is not None else [])):
            if not fetched.isdisjoint(numbers(context, flow, value, point)):
                act = _act(study, flow, point, call)
                if act is not None:
                    return act
                break
    return None


def _act(study: Study, flow: Flow, point: Point, call: Call) -> Act | None:
    """What a call with something read in its arguments does, where it may do something."""
    name = written(study.context, flow, call)
    if study.context.called(flow, call):
        done = study.through(flow, call).may
        if done.intersection((Deed.WRITE, Deed.SETS, Deed.RECORD)):
            return Act(Deed.WRITE, name, point, call.span, call, Evidence.BODY, "")
        return None
    return next(
        (
            one
            for one in study.acts(flow)
            if one.call is call and one.deed in _HANDLED and not _parses(one.name)
        ),
        None,
    )


def _parses(name: str) -> bool:
    found = words.spaced(words.last(name)).split(" ")
    return found[0] in (
        "parse",
        "decode",
        "loads",
        "to",
        "from",
        "extract",
        "split",
        "strip",
        "json",
        "is",
        "raise",
    )


def _claims(study: Study, flow: Flow, loop: NaturalLoop, polls: Call) -> bool:
    """Whether what was read is claimed in the loop, or looked up by a helper or by what was read."""
    fetched = _fetched(study, flow, polls)
    for act in study.acts(flow):
        if act.point.block not in loop.blocks or act.call is None:
            continue
        if act.deed in (Deed.CLAIM, Deed.LOCK):
            return True
        if act.deed is Deed.LOOKUP and act.call.number not in fetched:
            values = given(act.call)
            if any(fetched & numbers(study.context, flow, value, act.point) for value in values):
                return True
    return any(
        study.through(flow, call).may.intersection((Deed.CLAIM, Deed.LOCK, Deed.LOOKUP))
        or _CLAIMS.intersection(split(words.last(call.dotted)))
        for point, call in study.context.calls(flow)
        if point.block in loop.blocks
    )


def _fetched(study: Study, flow: Flow, polls: Call) -> set[int]:
    """The calls that give what was read."""
    found = {polls.number}
    if words.last(polls.dotted) in ("execute", "query"):
        found |= {call.number for _, call in study.context.calls(flow) if words.last(call.dotted) in _ROWS}
    return found


def _leaves(study: Study, flow: Flow, loop: NaturalLoop, variable: Expression, polls: Call) -> bool:
    """Whether the loop ends by what was read: then it goes through pages, and ends within one run."""

    def told(value: Expression, point: Point) -> bool:
        return any(
            kept.same(one.value, variable)
            or (isinstance(one.value, Result) and one.value.number == polls.number)
            for one in ingredients(study.context, flow, value, point)
        )

    for number in loop.blocks:
        block = flow.blocks[number]
        ways = [edge for edge in block.edges if edge.kind in (EdgeKind.TRUE, EdgeKind.FALSE)]
        ends = any(edge.target not in loop.blocks or not _goes_on(flow, loop, edge.target) for edge in ways)
        last = block.operations[-1] if block.operations else None
        if not ends or not isinstance(last, Branch | Next):
            continue
        place = Point(number, len(block.operations) - 1)
        read = last.test if isinstance(last, Branch) else last.iterable
        flags = _flags(study, flow, loop, read, place)
        if told(read, place) or any(
            told(gate.test, gate.point) for flag in flags for gate in gates(flow, flag)
        ):
            return True
    return False


def _goes_on(flow: Flow, loop: NaturalLoop, block: int) -> bool:
    """Whether the loop comes to its next turn from there, without an exception and without being left."""
    head = Point(loop.head, 0)
    return head in begun(
        flow, (Point(block, 0),), (), lambda at, edge: no_exception(at, edge) and edge.target in loop.blocks
    )


def _flags(study: Study, flow: Flow, loop: NaturalLoop, value: Expression, point: Point) -> list[Point]:
    """Where the loop sets a variable to true or false that decides whether it goes on."""
    if not isinstance(value, Variable):
        return []
    return [
        one.point
        for one in study.context.definitions(flow).of(value.name, point)
        if one.point is not None and one.point.block in loop.blocks and isinstance(one.value(flow), Constant)
    ]
