"""Whether a key that a function is given comes to what it sends, on every path on which there is a key."""

from collections.abc import Iterable

from stepcheck.analysis.paths import RETURNED, START, begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    Edge,
    EdgeKind,
    Enter,
    Expression,
    Flow,
    Item,
    Operation,
    Point,
    Result,
    Return,
    Variable,
    Yield,
    reads,
    walk,
)

_CHECKS = key_words("checks")
"""First words of calls that look at a key and do nothing with it."""
_TURNS = key_words("passes")


_OURS = frozenset({Deed.LOOKUP, Deed.CLAIM, Deed.LOCK, Deed.RECORD, Deed.DELETE, Deed.ASKS})
"""What a key is used for by the function itself."""


def unsent(survey: Survey, flow: Flow, name: str) -> Call | None:
    """The first call that sends without the key; None where all have it, or where it goes who knows where."""
    found = _Following(survey, flow, name)
    if not found.follow():
        return None
    sends = found.sends()
    without = [(point, call) for point, call in sends if point not in found.reached]
    if not without:
        return None
    with_key = [call for point, call in sends if point in found.reached]
    if not with_key and found.reached:
        return None
    if not with_key:
        return without[0][1]
    for point, call in without:
        if any(_receiver(call) == _receiver(other) for other in with_key) and _alone(
            flow, name, point, found.reached
        ):
            return call
    return None


def _receiver(call: Call) -> str:
    return call.dotted.rpartition(".")[0]


def _alone(flow: Flow, name: str, point: Point, reached: Iterable[Point]) -> bool:
    """Whether a path with a key begins the call, and nothing that is given the key before or after it."""
    stops = set(reached)

    def follow(block: int, edge: Edge) -> bool:
        return edge.kind not in (EdgeKind.EXCEPTION, EdgeKind.RERAISE) and _with_key(flow, name, block, edge)

    if point not in begun(flow, (START,), stops, follow, tried=True):
        return False
    return RETURNED in begun(flow, (completed(point),), stops, follow, tried=True)


def _with_key(flow: Flow, name: str, block: int, edge: Edge) -> bool:
    """Whether the way is one that a function takes when it is given a key."""
    operations = flow.blocks[block].operations
    test = operations[-1].test if operations and isinstance(operations[-1], Branch) else None
    match test:
        case Variable(name=held) if held == name:
            return edge.kind is not EdgeKind.FALSE
        case Compound(
            kind="compare", text="is" | "==", parts=(Variable(name=held), Constant(value=None | ""))
        ):
            return held != name or edge.kind is not EdgeKind.TRUE
        case Compound(
            kind="compare", text="is not" | "!=", parts=(Variable(name=held), Constant(value=None | ""))
        ):
            return held != name or edge.kind is not EdgeKind.FALSE
        case _:
            return True


class _Following:
    """Where a parameter goes in its function."""

    def __init__(self, survey: Survey, flow: Flow, name: str) -> None:
        self.survey = survey
        self.flow = flow
        self.held = {name}
        self.answers: set[int] = set()
        self.reached: set[Point] = set()

    def follow(self) -> bool:
        """Follow it to the end; False where it is handed out, or to what is not known."""
        for _ in range(4):
            before = len(self.held), len(self.answers), len(self.reached)
            for point, operation in self.flow.points():
                if not self.step(point, operation):
                    return False
            if before == (len(self.held), len(self.answers), len(self.reached)):
                break
        return True

    def holds(self, value: Expression) -> bool:
        return any(
            (isinstance(part, Variable) and part.name in self.held)
            or (isinstance(part, Result) and part.number in self.answers)
            for part in walk(value)
        )

    def step(self, point: Point, operation: Operation) -> bool:
        match operation:
            case Call():
                return self.call(point, operation)
            case Assign(target=Variable(name=name), value=value):
                if self.holds(value):
                    self.held.add(name)
            case Assign(target=Attribute() | Item() as target, value=value):
                if self.holds(value):
                    base: Expression = target
                    while isinstance(base, Attribute | Item):
                        base = base.base
                    if not isinstance(base, Variable) or base.name in ("self", "cls"):
                        return False
                    self.held.add(base.name)
            case Return(value=value) | Yield(value=value):
                return not self.holds(value) or isinstance(value, Result)
            case Enter():
                return not any(self.holds(value) for value in reads(operation))
            case _:
                pass
        return True

    def call(self, point: Point, call: Call) -> bool:
        given = [*call.arguments, *(word.value for word in call.keywords)]
        if not any(self.holds(value) for value in (call.callee, *given)) or self.looks(call):
            return True
        name = words.last(call.dotted) or getattr(call.callee, "name", "")
        act = self.survey.act(self.flow, point)
        deed = act.deed if act is not None else None
        if deed in _OURS:
            return False
        helpers = self.survey.context.called(self.flow, call)
        if helpers and not any(self.taken(helper, call) for helper in helpers):
            return True
        kept = isinstance(call.callee, Attribute) and isinstance(call.callee.base, Variable)
        if deed is Deed.OPAQUE and name not in _TURNS and not self.read(call) and not kept:
            self.filled(call, given)
            return (
                any(isinstance(one, Variable) and one.name in self.held for one in given) and len(given) > 1
            )
        self.answers.add(call.number)
        if deed is not Deed.HARMLESS:
            self.reached.add(point)
        if deed is not Deed.WRITE:
            self.filled(call, given)
        return True

    @staticmethod
    def looks(call: Call) -> bool:
        """Whether a call only looks at what it is given: a check, a log."""
        name = words.last(call.dotted) or getattr(call.callee, "name", "")
        first = words.spaced(name).split()[:1]
        receiver = words.last(call.dotted.rpartition(".")[0])
        return bool(first and first[0] in _CHECKS) or receiver.lower() in (
            "log",
            "logger",
            "logging",
            "structlog",
        )

    def filled(self, call: Call, given: list[Expression]) -> None:
        """What a call may have put the key into: what it is called on, and the variables beside it."""
        base = call.callee.base if isinstance(call.callee, Attribute) else None
        if isinstance(base, Variable) and base.name not in ("self", "cls"):
            self.held.add(base.name)
        if words.last(call.dotted) not in _TURNS:
            self.held.update(one.name for one in given if isinstance(one, Variable))

    def read(self, call: Call) -> bool:
        return any(
            part == Result(call.number)
            for _, operation in self.flow.points()
            for expression in reads(operation)
            for part in walk(expression)
        )

    def taken(self, helper: Flow, call: Call) -> bool:
        """Whether a function of the file reads the parameter that the key is given as."""
        method = bool(helper.parameters) and helper.parameters[0].name in ("self", "cls")
        named = [one.name for one in helper.parameters]
        wanted = [word.name for word in call.keywords if self.holds(word.value)]
        for number, value in enumerate(call.arguments):
            place = number + (1 if method else 0)
            if self.holds(value):
                wanted.append(named[place] if place < len(named) else "")
        known = [name for name in wanted if name in named]
        if len(known) < len(wanted) or not known:
            return True
        return any(
            isinstance(part, Variable) and part.name in known
            for flow in self.survey.context.file.flows
            if flow is helper or flow.parent == helper.index
            for _, operation in flow.points()
            for expression in reads(operation)
            for part in walk(expression)
        )

    def sends(self) -> list[tuple[Point, Call]]:
        """The calls of the function that send something, themselves or by a function of the file."""
        found = []
        for point, call in self.survey.context.calls(self.flow):
            act = self.survey.act(self.flow, point)
            if act is None:
                done = self.survey.study.through(self.flow, call)
                found += [(point, call)] if Deed.WRITE in done.may else []
            elif act.deed is Deed.WRITE and not act.weak:
                found.append((point, call))
        return found
