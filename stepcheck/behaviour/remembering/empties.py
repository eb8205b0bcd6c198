"""Calls that are made again only because their first answer was empty."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import RETURNED, begun, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed, written
from stepcheck.behaviour.remembering.gates import Gate, gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, numbers
from stepcheck.catalogue.memory import says, within
from stepcheck.catalogue.names import words as split
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    Item,
    Next,
    Point,
    Result,
    Variable,
)
from stepcheck.facts import Effect, Evidence, Span
from stepcheck.facts.remembering import EmptyRerun

_TAKES = frozenset(
    {"pop", "get", "recv", "receive", "poll", "acquire", "claim", "lock", "read", "next", "popleft", "dequeue",
     "blpop", "brpop", "lpop", "rpop", "accept", "input", "fetch", "lease", "reserve", "reserve_job", "spawn"}
)  # fmt: skip
"""What is asked over and over until there is something: its empty answer says that nothing was done."""
_RUNS = frozenset(
    {"run", "invoke", "kickoff", "execute", "arun", "ainvoke", "call", "step", "chat", "ask", "perform"}
)
_EMPTY = ("", 0, None, False)
_TRIMS = frozenset({"strip", "get", "len", "str", "bool", "json", "decode", "lower", "rstrip", "lstrip"})


def empties(study: Study) -> Iterator[EmptyRerun]:
    """Every such call that does something."""
    for flow in study.flows:
        calls = [
            (point, call, how)
            for point, call in study.context.calls(flow)
            if (how := _does(study, flow, call))
        ]
        told: set[Span] = set()
        asked: dict[int, bool] = {}
        for point, call, (model, evidence) in calls:
            answers = _alike(study, flow, call, [one for _, one, _ in calls])
            for one in answers:
                if one.number not in asked:
                    asked[one.number] = one.looked_at()
            looked_at = any(asked[one.number] for one in answers)
            test = _again(study, flow, point, call, answers if looked_at else [])
            if test is not None and call.span not in told:
                told.add(call.span)
                yield EmptyRerun(call.span, written(study.context, flow, call), test, model, evidence)


def _does(study: Study, flow: Flow, call: Call) -> tuple[bool, Evidence] | None:
    """Whether a call only asks a model, with what tells that it does something; None for one that does nothing."""
    name = written(study.context, flow, call)
    last = words.last(name)
    if not name or _TAKES.intersection(split(last)[:1]):
        return None
    fact = study.context.fact(call, call.qualified or name)
    if fact is not None and fact.kind == "llm":
        return True, fact.evidence
    if study.context.called(flow, call):
        told = verb(name)
        if told is not None and told.effect is Effect.READ:
            return None
        return (False, Evidence.BODY) if Deed.WRITE in study.through(flow, call).may else None
    act = study.act(flow, call)
    if act is None:
        return None
    if act.deed is Deed.WRITE:
        word = verb(name)
        if not act.weak or (word is not None and word.grave):
            return False, act.evidence
    receiver = name.rpartition(".")[0]
    agent = says("agent", receiver) or within("agent", last)
    runs = _RUNS.intersection(split(last))
    if agent and runs and act.deed in (Deed.WRITE, Deed.OPAQUE, Deed.HARMLESS, Deed.ASKS):
        return bool(says("model", receiver)), Evidence.NAME
    return None


def _alike(study: Study, flow: Flow, call: Call, others: list[Call]) -> list["_Answer"]:
    """The answers of the other calls that are just like this one."""
    name = written(study.context, flow, call)
    return [
        _Answer(study, flow, one.number)
        for one in others
        if one is not call and written(study.context, flow, one) == name and not _differ(one, call)
    ]


def _again(study: Study, flow: Flow, point: Point, call: Call, answers: list["_Answer"]) -> Span | None:
    """The test by which a call is made again after its own empty answer, or one of the answers."""
    context = study.context
    for gate in gates(flow, point) if answers else ():
        empty = any(one.empty(gate.test, gate.point, gate.when) for one in answers)
        if empty and _returns(flow, gate):
            return flow.blocks[gate.point.block].operations[gate.point.position].span
    for loop in context.loops(flow):
        if point.block not in loop.blocks or _another(study, flow, loop, point, call):
            continue
        for number in sorted(loop.blocks):
            block = flow.blocks[number]
            last = block.operations[-1] if block.operations else None
            if not isinstance(last, Branch):
                continue
            place = Point(number, len(block.operations) - 1)
            for edge in block.edges:
                if edge.kind not in (EdgeKind.TRUE, EdgeKind.FALSE):
                    continue
                when = edge.kind is EdgeKind.TRUE
                if not _Answer(study, flow, call.number).empty(last.test, place, when):
                    continue
                leaves = [Point(one.target, 0) for one in block.edges if one.kind is not edge.kind]
                back = point in begun(flow, [Point(edge.target, 0)], (place,), no_exception)
                if back and point not in begun(flow, leaves, (place,), no_exception):
                    return last.span
        break
    return None


def _differ(one: Call, other: Call) -> bool:
    """Whether two calls are given different literals."""
    pairs = zip(one.arguments, other.arguments, strict=False)
    return any(
        isinstance(left, Constant) and isinstance(right, Constant) and left != right for left, right in pairs
    )


def _returns(flow: Flow, gate: Gate) -> bool:
    """Whether the function goes on after an answer that is not empty, and does not raise, as a test would."""
    other = EdgeKind.FALSE if gate.when else EdgeKind.TRUE
    starts = [Point(edge.target, 0) for edge in flow.blocks[gate.point.block].edges if edge.kind is other]
    return RETURNED in begun(flow, starts, (), no_exception)


def _another(study: Study, flow: Flow, loop: NaturalLoop, point: Point, call: Call) -> bool:
    """Whether each turn of the loop makes another call: of the next item, or of what was asked for meanwhile."""
    others = {
        one.number
        for number in loop.blocks
        for one in flow.blocks[number].operations
        if isinstance(one, Next) or (isinstance(one, Call) and one is not call)
    }
    return any(others & numbers(study.context, flow, value, point) for value in given(call))


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of one call of a function."""

    study: Study
    flow: Flow
    number: int

    def looked_at(self) -> bool:
        """Whether some branch asks whether it is empty."""
        return any(
            isinstance(one, Branch) and any(self.empty(one.test, point, when) for when in (True, False))
            for point, one in self.flow.points()
        )

    def empty(self, test: Expression, point: Point, when: bool) -> bool:
        """Whether the test, as it turns out, says that the answer is empty."""
        match test:
            case Compound(kind="compare", text="is" | "==", parts=(left, right)) if self.nothing(left, right):
                return when and self.is_in(left, point)
            case Compound(kind="compare", text="is not" | "!=" | ">", parts=(left, right)) if self.nothing(
                left, right
            ):
                return not when and self.is_in(left, point)
            case Compound(kind="compare"):
                return False
            case _:
                return not when and self.is_in(test, point)

    def nothing(self, value: Expression, right: Expression) -> bool:
        """Whether a comparison with the right side asks for emptiness; 0 does for lengths only."""
        if right != Constant(0) or isinstance(getattr(right, "value", None), bool):
            return _nothing(right)
        made = self.study.context.operation(self.flow, getattr(value, "number", -1))
        return (
            made is not None and isinstance(made[1], Call) and words.last(made[1].dotted) in ("len", "count")
        )

    def is_in(self, value: Expression, point: Point, left: int = 8) -> bool:
        """Whether a value is the answer, or the part of it where something would be."""
        if left <= 0:
            return False
        match value:
            case Result(number=found):
                made = self.study.context.operation(self.flow, found)
                trims = (
                    made is not None and isinstance(made[1], Call) and self._trimmed(made[1], made[0], left)
                )
                return found == self.number or trims
            case Attribute(base=base, name=name) | Item(base=base, index=Constant(value=str(name))):
                return bool(says("payload", name)) and self.is_in(base, point, left - 1)
            case Variable(name=name):
                known = self.study.context.definitions(self.flow).of(name, point)
                held = [(one.value(self.flow), one.point) for one in known]
                return any(
                    part is not None
                    and place is not None
                    and part != value
                    and self.is_in(part, place, left - 1)
                    for part, place in held
                )
            case _:
                return False

    def _trimmed(self, call: Call, point: Point, left: int) -> bool:
        """Whether a call gives the answer less its blanks, its length, or a field of it."""
        last = words.last(call.dotted) or getattr(call.callee, "name", "")
        if last not in _TRIMS:
            return False
        first = call.arguments[0] if call.arguments else None
        if last == "get" and not (isinstance(first, Constant) and says("payload", str(first.value))):
            return False
        parts = [call.callee.base] if isinstance(call.callee, Attribute) else list(call.arguments[:1])
        return any(self.is_in(part, point, left - 1) for part in parts)


def _nothing(value: Expression) -> bool:
    if isinstance(value, Compound) and value.kind in ("list", "dict", "tuple"):
        return not value.parts
    return isinstance(value, Constant) and not isinstance(value.value, bool) and value.value in _EMPTY
