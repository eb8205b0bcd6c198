"""Where values are given as keys: to calls, in headers and bodies, as ids of jobs, to claims."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.catalogue.keys import names_key
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Operation,
    Point,
    Result,
    Variable,
    reads,
    variables,
    walk,
)
from stepcheck.facts import Span


class Use(Enum):
    """What a key is for."""

    SENT = "sent"
    """The other side is given it, to tell a repeat from something new."""
    JOB = "job"
    """It is the id of a job that is handed on."""
    CLAIM = "claim"
    """It is a name of ours that only the first takes."""
    KEPT = "kept"
    """It is kept in a class, for whoever sends it later."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A value that stands where a key belongs."""

    name: str
    value: Expression
    point: Point
    span: Span
    use: Use
    sends: Call | None
    """The call that it goes to, as far as is seen."""
    at: Point
    """The place of that call, or of the value."""


_JOBS = words.JOBS | {"correlation task id", "child task id", "execution name", "workflow id"}
_ENQUEUES = key_words("enqueues")
"""Words of calls that hand a job on."""
_SPOKEN = key_words("spoken")
"""Last words of classes whose objects are sent and not stored."""
_ADDS = key_words("adds")
_FILLS = ("update", "extend", "append", "setdefault")
_WORKFLOWS = ("start_workflow", "execute_workflow", "start_child_workflow", "execute_child_workflow")
"""Calls whose `id` is that of what they start."""
_OWN = frozenset({Deed.RECORD, Deed.LOOKUP, Deed.DELETE, Deed.HARMLESS, Deed.CLAIM, Deed.LOCK})


@lru_cache(8_192)
def is_key(name: str) -> bool:
    """Whether something of that name carries an idempotency key."""
    return words.is_key(name) or (len(name) < 60 and names_key(name))


def placed(survey: Survey, flow: Flow) -> Iterator[Placed]:
    """Every place where something is given as a key, each once."""
    met: set[tuple[Point, str]] = set()
    for point, operation in flow.points():
        for one in _at(survey, flow, point, operation):
            if isinstance(one.value, Constant) and one.value.value in (None, "", True, False):
                continue
            if (one.point, one.name) not in met:
                met.add((one.point, one.name))
                yield one


def _at(survey: Survey, flow: Flow, point: Point, operation: Operation) -> Iterator[Placed]:
    if isinstance(operation, Call):
        yield from _in_call(survey, flow, point, operation)
        yield from _passed(survey, flow, point, operation)
    if isinstance(operation, Assign):
        yield from _assigned(survey, flow, point, operation)
    for expression in reads(operation):
        for part in walk(expression):
            match part:
                case Compound(kind="entry" | "tuple", parts=(Constant(value=str(name)), value)) if (
                    is_key(name) and len(name) > 3
                ):
                    fills = isinstance(operation, Call) and words.last(operation.dotted) in _FILLS
                    if isinstance(operation, Call) and not fills and _own(survey, flow, point, operation):
                        continue
                    made = Placed(name, value, point, operation.span, Use.SENT, None, point)
                    yield from _entry(survey, flow, operation, made)
                case _:
                    pass


def _passed(survey: Survey, flow: Flow, point: Point, call: Call) -> Iterator[Placed]:
    """What a function of the file is given in the place of a parameter that is called like a key."""
    for helper in survey.context.called(flow, call)[:1]:
        method = bool(helper.parameters) and helper.parameters[0].name in ("self", "cls")
        for value, parameter in zip(call.arguments, helper.parameters[1 if method else 0 :], strict=False):
            if isinstance(value, Compound) and value.kind == "star":
                return
            if is_key(parameter.name) and not is_key(getattr(value, "name", "")):
                yield Placed(parameter.name, value, point, call.span, Use.SENT, call, point)


def _in_call(survey: Survey, flow: Flow, point: Point, call: Call) -> Iterator[Placed]:
    """Keywords, arguments that are called like keys, and the first one of a claim."""
    name = words.last(call.dotted) or getattr(call.callee, "name", "")
    first = call.arguments[0] if call.arguments else None
    if first is not None and _claims(call):
        yield Placed("key", first, point, call.span, Use.CLAIM, None, point)
    keys = [word for word in call.keywords if is_key(word.name)]
    hands = bool(_ENQUEUES.intersection(names.words(name)))
    jobs = [word for word in call.keywords if words.spaced(word.name) in _JOBS] if hands else []
    header = len(call.arguments) == 2 and isinstance(first, Constant) and is_key(str(first.value))
    jobs += [word for word in call.keywords if word.name == "id" and name in _WORKFLOWS]
    named = [
        one
        for one in call.arguments
        if isinstance(one, Variable | Attribute) and is_key(getattr(one, "name", "")) and not header
    ]
    if not (keys or jobs or named or header) or not _speaks(name) or _own(survey, flow, point, call):
        return
    carried = _carrier(survey, flow, point, call) if name[:1].isupper() else (call, point)
    for word in keys:
        yield Placed(word.name, word.value, point, word.span, Use.SENT, *carried)
    for word in jobs:
        yield Placed(word.name, word.value, point, word.span, Use.JOB, *carried)
    for one in named:
        text = getattr(one, "name", "")
        if survey.does(flow, point, Deed.WRITE, Deed.SETS) or survey.context.called(flow, call):
            yield Placed(text, one, point, call.span, Use.SENT, *carried)
    if header and isinstance(first, Constant) and name in _ADDS:
        held = _target(call.callee)
        found = _later(survey, flow, point, held) if held else None
        yield Placed(
            str(first.value), call.arguments[1], point, call.span, Use.SENT, *(found or (None, point))
        )


def _speaks(name: str) -> bool:
    """Whether it is not the making of a record: a class is taken for one, unless its name says that it is sent."""
    found = words.spaced(name).split()
    return not name[:1].isupper() or bool(found and found[-1] in _SPOKEN)


def _own(survey: Survey, flow: Flow, point: Point, call: Call) -> bool:
    """Whether a call keeps what it is given here: a row, a cache, a log, a claim."""
    name = words.last(call.dotted)
    if name == "dict" or name[:1].isupper():
        return False
    return name in ("get", "pop") or survey.does(flow, point, *_OWN)


def _assigned(survey: Survey, flow: Flow, point: Point, operation: Assign) -> Iterator[Placed]:
    """`headers["Idempotency-Key"] = x`, `request.client_token = x`, a class that keeps one for all its objects."""
    match operation.target:
        case Item(base=base, index=Constant(value=str(name))) if is_key(name):
            found = _later(survey, flow, point, base.name) if isinstance(base, Variable) else None
            yield Placed(name, operation.value, point, operation.span, Use.SENT, *(found or (None, point)))
        case Attribute(base=Variable(name=held), name=name) if is_key(name) and held not in ("self", "cls"):
            found = _later(survey, flow, point, held)
            if found is not None and not _kept(survey, flow, held, name):
                yield Placed(name, operation.value, point, operation.span, Use.SENT, *found)
        case Variable(name=name) if flow.kind is FlowKind.CLASS and is_key(name):
            yield Placed(name, operation.value, point, operation.span, Use.KEPT, None, point)
        case _:
            pass


def _entry(survey: Survey, flow: Flow, operation: Operation, made: Placed) -> Iterator[Placed]:
    """An entry of a dict, or a pair: given to the call it stands in, or to that which the variable goes to."""
    point = made.point
    match operation:
        case Call():
            held = _target(operation.callee) if words.last(operation.dotted) in _FILLS else ""
            found = _later(survey, flow, point, held) if held else (operation, point)
            yield replace(made, sends=found[0], at=found[1]) if found else made
        case Assign(target=Variable(name=held)):
            found = _later(survey, flow, point, held)
            yield replace(made, sends=found[0], at=found[1]) if found else made
        case _:
            yield made


def _target(callee: Expression) -> str:
    """The variable that a method is called on: `headers` of `session.headers.update` is `session`."""
    while isinstance(callee, Attribute):
        callee = callee.base
    return callee.name if isinstance(callee, Variable) else ""


def _later(survey: Survey, flow: Flow, point: Point, name: str) -> tuple[Call, Point] | None:
    """The first call that is given the variable after it: one that sends, where there is one."""
    names = {name}
    found: list[tuple[Call, Point]] = []
    for place, operation in flow.points():
        if place == point:
            continue
        read = {one.name for expression in reads(operation) for one in variables(expression)}
        if not names & read:
            continue
        if isinstance(operation, Assign) and isinstance(operation.target, Variable):
            names.add(operation.target.name)
        if isinstance(operation, Call) and not _own(survey, flow, place, operation):
            found.append((operation, place))
    acting = [one for one in found if survey.does(flow, one[1], Deed.WRITE, Deed.SETS)]
    return next(iter([*acting, *found]), None)


def _carrier(survey: Survey, flow: Flow, point: Point, call: Call) -> tuple[Call | None, Point]:
    """The call that an object made here is given to."""
    for place, operation in flow.points():
        read = [part for expression in reads(operation) for part in walk(expression)]
        if Result(call.number) not in read:
            continue
        if isinstance(operation, Call):
            return operation, place
        if isinstance(operation, Assign) and isinstance(operation.target, Variable):
            return _later(survey, flow, place, operation.target.name) or (None, point)
    return None, point


def _kept(survey: Survey, flow: Flow, held: str, name: str) -> bool:
    """Whether an object is looked at before its key is set, or saved after: then it is a record with a key."""
    for point, operation in flow.points():
        if isinstance(operation, Call):
            callee = operation.callee
            on = isinstance(callee, Attribute) and _target(callee) == held
            given = any(isinstance(one, Variable) and one.name == held for one in operation.arguments)
            if (on or given) and survey.does(flow, point, Deed.RECORD):
                return True
            if on and words.last(operation.dotted) in ("save", "asave", "refresh_from_db"):
                return True
        for expression in reads(operation):
            for part in walk(expression):
                if (
                    isinstance(part, Attribute)
                    and part.name == name
                    and isinstance(part.base, Variable)
                    and part.base.name == held
                    and not isinstance(operation, Call)
                ):
                    return True
    return False


def _claims(call: Call) -> bool:
    """`redis.set(key, 1, nx=True)`, `redis.setnx(key, 1)`."""
    name = words.last(call.dotted)
    nx = call.keyword("nx")
    if name == "add" and "cache" in words.spaced(call.dotted.rpartition(".")[0]).split():
        return True
    return name == "setnx" or (
        name == "set" and nx is not None and isinstance(nx.value, Constant) and nx.value.value is True
    )
