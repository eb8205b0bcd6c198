"""Ids of records that are drawn in what is begun again, and that a write is then given."""

from collections.abc import Iterator
from dataclasses import replace

from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.changes import change
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    variables,
    walk,
)
from stepcheck.facts import Change, Evidence, KeyPart, KeyUse, Span

_IDS = key_words("ids")
_RANDOM = key_words("draws")
_GUARDS = (Deed.LOOKUP, Deed.CLAIM, Deed.LOCK)


def drawn(survey: Survey, flow: Flow, told: frozenset[Span]) -> Iterator[KeyUse]:
    """Every record whose id is drawn inside what is begun again, is stored, and is then handed to a write.

    `told`: the writes of whose keys something was said already.
    """
    ids = [(point, call) for point, call in survey.context.calls(flow) if words.last(call.dotted) in _RANDOM]
    if not ids:
        return
    held = [one for one in survey.reruns if one.again.doubtful and one.sure and one.blocks is None]
    around = [one for one in held if any(one.holds(flow.index, point) for point, _ in ids)]
    if not around:
        return
    for point, call in survey.context.calls(flow):
        for name, value, span in _named(call):
            made = _random(survey, flow, value, point)
            if made is None or not _stored(survey, flow, point, call) or _guarded(survey, flow, point):
                continue
            rerun = next((one for one in around if one.holds(flow.index, point)), None)
            sent = _sent(survey, flow, point, call, value)
            if rerun is None or sent is None or sent.span in told:
                continue
            part = replace(made, again=rerun.again)
            yield KeyUse(name, span, flow.qualname, (part,), whole=True, carries=True, sends=sent.span)
            return


def _named(call: Call) -> Iterator[tuple[str, Expression, Span]]:
    """The arguments by which a record gets its id."""
    for word in call.keywords:
        found = names.words(word.name)
        if found and found[-1] in _IDS:
            yield word.name, word.value, word.span
    if words.last(call.dotted).startswith(("execute", "insert", "put_item", "create", "fetch")):
        for given in call.arguments[-2:]:
            for part in walk(given):
                match part:
                    case Compound(kind="entry", parts=(Constant(value=str(name)), value)):
                        if (names.words(name) or ("",))[-1] in _IDS:
                            yield name, value, call.span
                    case Compound(kind="tuple" | "list", parts=parts) if "execute" in call.dotted:
                        yield from (("id", one, call.span) for one in parts)
                    case _:
                        pass


def _random(survey: Survey, flow: Flow, value: Expression, point: Point) -> KeyPart | None:
    """The random source that is all of a value, made in the function itself."""
    found: KeyPart | None = None
    for origin in origins(survey.context, flow, value, point):
        told = change(survey.context, origin)
        if told is None:
            if isinstance(origin.value, Variable | Item) or (
                isinstance(origin.value, Constant) and not found
            ):
                return None
            continue
        kind, text, why, span, evidence = told
        if kind is not Change.RANDOM or origin.once or evidence is Evidence.NAME:
            return None
        found = KeyPart(text, kind, why, span, evidence, None)
    return found


def _stored(survey: Survey, flow: Flow, point: Point, call: Call) -> bool:
    """Whether the call makes a row, or an object that is then added."""
    act = survey.act(flow, point)
    if act is not None and act.deed is Deed.RECORD:
        return True
    if not words.last(call.dotted)[:1].isupper():
        return False
    bound = _bound(flow, call)
    for place, other in survey.context.calls(flow):
        given = any(
            part == Result(call.number) or (isinstance(part, Variable) and part.name in bound)
            for one in (*other.arguments, other.callee)
            for part in walk(one)
        )
        if given and (
            survey.does(flow, place, Deed.RECORD) or words.last(other.dotted) in ("add", "save", "insert")
        ):
            return True
    return False


def _bound(flow: Flow, call: Call) -> set[str]:
    return {
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and operation.value == Result(call.number)
    }


def _guarded(survey: Survey, flow: Flow, point: Point) -> bool:
    """Whether something that may say "already there" comes before on every path."""
    guards = {place for place, _ in survey.context.calls(flow) if survey.does(flow, place, *_GUARDS)} - {
        point
    }
    return bool(guards) and point not in begun(flow, (Point(0, 0),), guards)


def _sent(survey: Survey, flow: Flow, point: Point, call: Call, value: Expression) -> Act | None:
    """The first write after it that is given the record, or its id."""
    carried = _bound(flow, call) | {one.name for one in variables(value)}
    for _ in range(3):
        for _, operation in flow.points():
            if not isinstance(operation, Assign) or not isinstance(operation.target, Variable):
                continue
            if carried & {one.name for one in variables(operation.value)}:
                carried.add(operation.target.name)
    after = begun(flow, (completed(point),))
    for place, other in survey.context.calls(flow):
        act = survey.act(flow, place)
        if place == point or place not in after or act is None or act.deed is not Deed.WRITE:
            continue
        given = (*other.arguments, *(word.value for word in other.keywords))
        if any(_carries(survey, flow, one, carried) for one in given):
            return act
    return None


def _carries(survey: Survey, flow: Flow, value: Expression, carried: set[str], left: int = 3) -> bool:
    """Whether a value is made of one of the variables, through calls like `str()`."""
    for part in walk(value):
        if isinstance(part, Variable) and part.name in carried:
            return True
        made = survey.context.operation(flow, part.number) if isinstance(part, Result) and left else None
        if made is not None and isinstance(made[1], Call):
            inner = made[1]
            if any(
                _carries(survey, flow, one, carried, left - 1) for one in (inner.callee, *inner.arguments)
            ):
                return True
    return False
