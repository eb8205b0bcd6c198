"""Recorded calls that are carried out because no answer of them is recorded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.behaviour.calls import rowchanges, words
from stepcheck.behaviour.calls.acts import Deed, written
from stepcheck.behaviour.remembering import missing
from stepcheck.behaviour.remembering.gates import gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import ingredients, numbers
from stepcheck.catalogue.memory import leads, says, within
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Next,
    Point,
    Result,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.remembering import Rerun

_RECORDS = frozenset(
    {"events", "calls", "call", "history", "log", "journal", "ledger", "messages", "records", "entries", "rows",
     "actions", "intents", "invocations", "executions", "attempts", "effects", "operations", "requests",
     "commands", "activities"}
)  # fmt: skip
_RECOVERS = frozenset(
    {"resume", "recover", "recovery", "replay", "restart", "restore", "reconcile", "rehydrate", "crash", "startup",
     "unfinished", "stuck", "incomplete", "orphaned", "interrupted", "crashed", "redrive", "repair"}
)  # fmt: skip
_MEMORY = frozenset({"get", "loads", "load", "resolve", "parse", "lookup"})
_EFFECTS = frozenset({"effect", "idempotent", "readonly", "read", "safe", "retryable", "repeatable", "pure"})
_NULL = re.compile(
    r"(?i)\b(?:result|output|response|outcome|completed_at|finished_at|done_at|receipt)\w*\s+IS\s+NULL"
)
_BEGUN = re.compile(r"(?i)\b(?:started_at|sent_at|begun_at|attempted_at|called_at)\w*\s+IS\s+NULL")


@dataclass(frozen=True, slots=True)
class _Turns:
    """A loop over what was recorded."""

    study: Study
    flow: Flow
    loop: NaturalLoop
    head: Next

    @property
    def start(self) -> Point:
        """Where each turn begins."""
        return Point(self.loop.head, 0)

    def of_item(self, value: Expression, point: Point) -> bool:
        """Whether a value is made of the item of the turn."""
        return self.head.number in numbers(self.study.context, self.flow, value, point)


@dataclass(frozen=True, slots=True)
class _Test:
    """Something that says of a recorded call that it has no answer."""

    text: str
    span: Span
    point: Point | None
    """Of the branch in the function itself."""
    never: bool = False


def reruns(study: Study) -> Iterator[Rerun]:
    """Every call carried out for a recorded one that has no recorded answer."""
    for flow in study.flows:
        if not flow.loops:
            continue
        told: set[Span] = set()
        for loop in study.context.loops(flow):
            head = next((one for one in flow.blocks[loop.head].operations if isinstance(one, Next)), None)
            if head is None:
                continue
            turns = _Turns(study, flow, loop, head)
            if not _recorded(turns):
                continue
            for point, call in study.context.calls(flow):
                if point.block in loop.blocks and call.span not in told:
                    found = _rerun(turns, point, call)
                    if found is not None:
                        told.add(call.span)
                        yield found


def _recorded(turns: _Turns) -> bool:
    """Whether a loop goes through calls that were recorded, and not through a plan."""
    flow = turns.flow
    if _RECOVERS.intersection(split(flow.name)):
        return True
    for one in ingredients(turns.study.context, flow, turns.head.iterable, turns.start):
        match one.value:
            case Variable() | Attribute():
                named = words.last(dotted(one.value))
            case Call(dotted=named) | Item(index=Constant(value=str(named))):
                pass
            case _:
                continue
        if _RECORDS.intersection(split(named)):
            return True
    return any(_NULL.search(text) for _, text in _statements(turns))


def _rerun(turns: _Turns, point: Point, call: Call) -> Rerun | None:
    evidence = _carries_out(turns.study, turns.flow, call)
    if evidence is None or not any(turns.of_item(value, point) for value in reads(call)):
        return None
    test = _unanswered(turns, point)
    if test is None:
        return None
    name = written(turns.study.context, turns.flow, call) or "the recorded call"
    asked = _asked(turns, test.point or turns.start, point, call)
    return Rerun(call.span, name, test.text, test.span, asked, test.never, evidence)


def _carries_out(study: Study, flow: Flow, call: Call) -> Evidence | None:
    """What tells that a call does what was recorded; None where it does nothing of the kind."""
    if isinstance(call.callee, Item | Result):
        return Evidence.BODY
    name = written(study.context, flow, call)
    if study.context.called(flow, call):
        may = study.through(flow, call).may
        if Deed.WRITE in may:
            return Evidence.BODY
        return Evidence.NAME if leads("runs", name) and Deed.OPAQUE in may else None
    act = study.act(flow, call)
    if act is None:
        return None
    if act.deed is Deed.WRITE and not act.weak:
        return act.evidence
    runs = leads("runs", name) and act.deed in (Deed.WRITE, Deed.OPAQUE, Deed.SETS)
    return Evidence.NAME if runs else None


def _unanswered(turns: _Turns, point: Point) -> _Test | None:
    """What says that the item has no answer: a branch on the way, a condition of a comprehension, a query."""
    study, flow = turns.study, turns.flow
    for gate in gates(flow, point, turns.start):
        inside = gate.point.block in turns.loop.blocks and turns.of_item(gate.test, gate.point)
        if inside and missing.misses(study, flow, gate.test, gate.point, gate.when):
            return _Test(_text(gate.test), _span(flow, gate.point), gate.point)
    for here, place, test, when in missing.conditions(study, flow, turns.head):
        if missing.misses(study, here, test, place, when):
            return _Test(_text(test), _span(here, place), None)
    return _queried(turns)


def _queried(turns: _Turns) -> _Test | None:
    """A query for rows without an answer."""
    for one in ingredients(turns.study.context, turns.flow, turns.head.iterable, turns.start):
        if not isinstance(one.value, Call):
            continue
        call = one.value
        for word in call.keywords:
            name, _, how = word.name.partition("__")
            none = isinstance(word.value, Constant) and word.value.value is (
                True if how == "isnull" else None
            )
            if within("result", name) and none:
                return _Test(f"{word.name}={getattr(word.value, 'value', '')}", call.span, None)
        if call.arguments and words.last(call.dotted) == "is_" and call.arguments[0] == Constant(None):
            base = call.callee.base if isinstance(call.callee, Attribute) else None
            if isinstance(base, Attribute) and says("result", base.name):
                return _Test(f"{dotted(base)}.is_(None)", call.span, None)
    for call, text in _statements(turns):
        found = _NULL.search(text)
        if found is not None:
            return _Test(found[0], call.span, None, never=_BEGUN.search(text) is not None)
    return None


def _statements(turns: _Turns) -> Iterator[tuple[Call, str]]:
    """The texts of the queries whose rows a loop goes through."""
    study, flow = turns.study, turns.flow
    for one in ingredients(study.context, flow, turns.head.iterable, turns.start):
        if not isinstance(one.value, Call):
            continue
        asked = [(one.flow, one.point, one.value)]
        if words.last(one.value.dotted) in ("fetchall", "fetchmany", "fetchone"):
            receiver = one.value.dotted.rpartition(".")[0]
            asked += [
                (flow, point, call)
                for point, call in study.context.calls(flow)
                if call.dotted == f"{receiver}.execute"
            ]
        for here, point, call in asked:
            for value in call.arguments[:1]:
                yield from ((call, text) for text in rowchanges.texts(study, here, value, point))


def _asked(turns: _Turns, start: Point, point: Point, call: Call) -> bool:
    """Whether something is asked on the way, its effect is looked at, it is told to be fresh, or it has a key."""
    study, flow, loop = turns.study, turns.flow, turns.loop
    if any(words.is_key(word.name) for word in call.keywords):
        return True
    for gate in gates(flow, point, turns.start):
        if gate.point.block not in loop.blocks:
            continue
        for part in walk(gate.test):
            match part:
                case Variable() | Attribute():
                    if _EFFECTS.intersection(split(words.last(dotted(part)))):
                        return True
                case Constant(value=str(text)):
                    if text == "read" or within("never", text):
                        return True
                case _:
                    pass
        if any(
            isinstance(one.value, Call) and _EFFECTS.intersection(split(words.last(one.value.dotted)))
            for one in ingredients(study.context, flow, gate.test, gate.point)
        ):
            return True
    asks = study.places(flow, Deed.CLAIM, Deed.LOCK, Deed.LOOKUP, Deed.ASKS, surely=False)
    asks = frozenset(
        one for one in asks if one.block in loop.blocks and one != point and not _plain(flow, one)
    )
    edges = [Point(edge.target, 0) for edge in flow.blocks[start.block].edges if edge.target in loop.blocks]
    return bool(asks) and point not in begun(flow, edges, asks, no_exception)


def _plain(flow: Flow, point: Point) -> bool:
    """Whether a question is only a look into something in memory: `TOOLS.get(name)`, `json.loads`."""
    call = flow.blocks[point.block].operations[point.position]
    return isinstance(call, Call) and words.last(call.dotted) in _MEMORY


def _text(test: Expression) -> str:
    """A test in words, as far as names go."""
    match test:
        case Compound(kind="compare", text="in" | "not in", parts=(left, right)):
            return f"{_name(left)} not in {_name(right)}"
        case Compound(kind="compare", parts=(left, *_)):
            return f"no {_name(left)}"
        case _:
            return f"no {_name(test)}"


def _name(value: Expression) -> str:
    match value:
        case Variable() | Attribute():
            return dotted(value) or getattr(value, "name", "")
        case Item(base=base, index=Constant(value=str(name))):
            return f"{dotted(base)}[{name!r}]" if dotted(base) else name
        case _:
            return "answer"


def _span(flow: Flow, point: Point) -> Span:
    return flow.blocks[point.block].operations[point.position].span
