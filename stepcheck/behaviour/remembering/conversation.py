"""Writes that depend on whether a conversation says that they were made."""

from collections.abc import Iterator

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import always_before
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.remembering.gates import Gate, gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import ingredients, numbers
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Function,
    Item,
    Next,
    Point,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts.remembering import ConversationCheck

_TELLING = 2
"""Comparisons that tell what was done, where one of them only tells who spoke."""
_PLAIN = frozenset({"get", "format", "join", "lower", "upper", "strip", "values", "items", "dumps", "append"})
_SEARCHES = frozenset({"any", "next", "filter", "count", "index", "find", "search", "findall", "sum"})
_FILLS = frozenset({"append", "add", "extend", "insert", "pop"})
_PARTIES = frozenset({"system", "user", "human", "assistant", "ai", "developer"})
"""Roles: a look for one of them alone says who spoke, not what was done."""


def checks(study: Study) -> Iterator[ConversationCheck]:
    """Every write that a look into a conversation decides about."""
    talks: dict[int, bool] = {}
    for flow in study.flows:
        writes = [act for act in study.acts(flow) if _writes(act)]
        if not writes:
            continue
        near = {one.index: one for one in _near(study, flow)}
        talks |= {index: _talks(one) for index, one in near.items() if index not in talks}
        if not any(talks[index] for index in near):
            continue
        asked = study.places(flow, Deed.CLAIM, Deed.LOCK, Deed.LOOKUP)
        for act in writes:
            for gate in gates(flow, act.point):
                found = _found(study, flow, gate, act)
                if found:
                    look = flow.blocks[gate.point.block].operations[gate.point.position].span
                    stored = bool(asked) and always_before(flow, asked, act.point)
                    yield ConversationCheck(act.span, act.name, found, look, stored, act.evidence)
                    break


def _writes(act: Act) -> bool:
    return act.deed is Deed.WRITE and act.call is not None and words.last(act.name) not in _FILLS


def _near(study: Study, flow: Flow) -> Iterator[Flow]:
    """A function, and those of the file that it calls."""
    yield flow
    for _, call in study.context.calls(flow):
        yield from study.context.called(flow, call)


def _talks(flow: Flow) -> bool:
    """Whether a conversation is read at all."""
    return any(
        _conversation(part) for _, one in flow.points() for value in reads(one) for part in walk(value)
    )


def _conversation(value: Expression) -> str:
    """The conversation as written, where a value is one."""
    match value:
        case Variable(name=name):
            return name if says("conversation", name) else ""
        case Attribute(name=name):
            return (dotted(value) or name) if says("conversation", name) else ""
        case Item(index=Constant(value=str(name)), base=base):
            return f"{dotted(base)}[{name!r}]" if says("conversation", name) else ""
        case _:
            return ""


def _found(study: Study, flow: Flow, gate: Gate, act: Act) -> str:
    """The conversation that a branch looks into, where the write is left when something is found there."""
    test, when = gate.test, gate.when
    for _ in range(3):
        match test:
            case Compound(kind="compare", text="not in" | "is" | "==" as how, parts=(left, right)):
                if how != "not in" and right != Constant(None) and right != Constant(False):
                    break
                test, when = (Compound("compare", "in", (left, right)) if how == "not in" else left), not when
            case Compound(kind="compare", text="is not" | "!=", parts=(left, Constant(value=None))):
                test = left
            case Compound(kind="compare", text=">" | ">=" | "!=", parts=(left, Constant(value=0 | 1))):
                test = left
            case _:
                break
    looped = _in_loop(study, flow, gate, act) or _flagged(study, flow, test, when)
    if looped or when or _item_by_item(study, flow, gate, act):
        return looped
    return _looked_into(study, flow, test, gate.point)


def _looked_into(study: Study, flow: Flow, test: Expression, point: Point) -> str:
    """The conversation that a value is searched out of."""
    conversation, searches, compared, parties = "", False, 0, False
    for value, here, _ in ingredients(study.context, flow, test, point):
        match value:
            case Call():
                name = words.last(value.dotted) or getattr(value.callee, "name", "")
                searches = searches or name in _SEARCHES or words.asks(name) or "already" in split(name)
                if _from_elsewhere(study, here, value):
                    return ""
                helped = _helped(study, here, value)
                searches, conversation = searches or bool(helped), conversation or helped
            case Compound(kind="compare", text=how, parts=(left, *others)):
                compared += 1
                parties = parties or any(
                    isinstance(part, Constant) and part.value in _PARTIES for part in walk(value)
                )
                bare = isinstance(left, Constant) and any(map(_conversation, others))
                searches = searches or (how == "in" and not bare)
            case Compound(kind="iterated") | Function():
                searches = True
            case _:
                pass
        if not isinstance(value, Call):
            conversation = conversation or _conversation(value)
    return conversation if searches and not (parties and compared < _TELLING) else ""


def _helped(study: Study, flow: Flow, call: Call) -> str:
    """The conversation that a method of the file searches by itself."""
    for helper in study.context.called(flow, call):
        looks = bool(helper.loops) or any(isinstance(part, Function) for part in _values(helper))
        if looks and not study.done(helper).may & {Deed.LOOKUP, Deed.CLAIM, Deed.WRITE}:
            return next((found for part in _values(helper) if (found := _conversation(part))), "")
    return ""


def _values(flow: Flow) -> Iterator[Expression]:
    return (part for _, one in flow.points() for value in reads(one) for part in walk(value))


def _in_loop(study: Study, flow: Flow, gate: Gate, act: Act) -> str:
    """The conversation, where the branch stands in a loop over it and leaves before the write is reached."""
    for loop, head in _loops(study, flow):
        if gate.point.block not in loop.blocks or act.point.block in loop.blocks:
            continue
        if head.number in numbers(study.context, flow, gate.test, gate.point):
            return _over(study, flow, head, gate.point)
    return ""


def _item_by_item(study: Study, flow: Flow, gate: Gate, act: Act) -> bool:
    """Whether the branch asks about an item of a loop in which the write stands too: then it is what to do."""
    return any(
        {gate.point.block, act.point.block} <= loop.blocks
        and _over(study, flow, head, gate.point)
        and head.number in numbers(study.context, flow, gate.test, gate.point)
        for loop, head in _loops(study, flow)
    )


def _flagged(study: Study, flow: Flow, test: Expression, when: bool) -> str:
    """The conversation, where the test is a variable that is set to true in a loop over it."""
    if when or not isinstance(test, Variable):
        return ""
    for point, one in flow.points():
        if not isinstance(one, Assign) or one.target != test or one.value != Constant(True):
            continue
        for loop, head in _loops(study, flow):
            if point.block in loop.blocks:
                return _over(study, flow, head, point)
    return ""


def _loops(study: Study, flow: Flow) -> Iterator[tuple[NaturalLoop, Next]]:
    for loop in study.context.loops(flow):
        for one in flow.blocks[loop.head].operations:
            if isinstance(one, Next):
                yield loop, one


def _over(study: Study, flow: Flow, head: Next, point: Point) -> str:
    """The conversation that a loop goes through."""
    found = ""
    for value, here, _ in ingredients(study.context, flow, head.iterable, point):
        if isinstance(value, Call):
            if _from_elsewhere(study, here, value):
                return ""
        else:
            found = found or _conversation(value)
    return found


def _from_elsewhere(study: Study, flow: Flow, call: Call) -> bool:
    """Whether a call fetches what it gives: from the other side, from rows of our own, from who knows where."""
    name = words.last(call.dotted) or getattr(call.callee, "name", "")
    if (
        call.qualified.startswith("builtins.")
        or name in _SEARCHES | _PLAIN
        or study.context.called(flow, call)
    ):
        return False
    if any(_conversation(part) for value in reads(call) for part in walk(value)):
        return False
    receiver = call.dotted.rpartition(".")[0]
    remembers = {"memory", "conversation", "chat", "state"}.intersection(split(receiver))
    return not remembers or words.client(receiver)
