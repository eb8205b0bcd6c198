"""Values given as idempotency keys: which parts of them change, and with what they are begun again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from stepcheck.behaviour.again.rerun import Rerun
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.keying.keyplaces import Placed, Use
from stepcheck.behaviour.keying.saltplaces import salted
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.changes import Found, change
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue.volatility import source
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Return,
    Variable,
)
from stepcheck.facts import Again, Change, Evidence, KeyPart, KeyUse

Way: TypeAlias = tuple[Flow, Expression, Point]
"""A value that a key may be, with the function and the place where it is read."""
_ANEW = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT})


def uses(survey: Survey, flow: Flow, every: Sequence[Placed]) -> Iterator[KeyUse]:
    """Every idempotency key that a function gives to something."""
    told: set[tuple[Point, str]] = set()
    for given in every:
        told.add((given.point, given.name))
        yield _use(survey, flow, given)
    for given in salted(survey, flow, frozenset(told)):
        use = _use(survey, flow, given)
        yield replace(use, parts=tuple(part for part in use.parts if part.text == "hash()"))


def _use(survey: Survey, flow: Flow, given: Placed) -> KeyUse:
    parts: dict[tuple[str, Change], KeyPart] = {}
    others = False
    made = list(origins(survey.context, flow, given.value, given.point))
    ways = list(_alternatives(survey.context, flow, given.value, given.point, 6))
    stored, before = _kept(survey, ways)
    for origin in made:
        found = change(survey.context, origin)
        if found is None:
            others = others or _other(survey, origin)
            continue
        kind, text, why, span, evidence = found
        once = origin.once or given.use is Use.KEPT
        rerun = None if once else _rerun(survey.reruns, flow, given, origin, found)
        if kind in _ANEW and (stored or (before and rerun is not None and rerun.blocks is not None)):
            others = True
            continue
        again, evidence = _again(rerun, evidence)
        if once:
            why = "which is made once, when the module is loaded: all calls of the process share it"
        parts.setdefault((text, kind), KeyPart(text, kind, why, span, evidence, again, once))
    return KeyUse(
        given.name,
        given.span,
        flow.qualname,
        tuple(parts.values()),
        whole=not _mixed(survey, ways) if len(ways) > 1 else not others,
        carries=given.use in (Use.SENT, Use.KEPT),
        names_job=given.use is Use.JOB,
        sends=given.sends.span if given.sends is not None else given.span,
    )


def _other(survey: Survey, origin: Origin) -> bool:
    """Whether a part says something that stays the same; an attribute of what is made here is made with it."""
    value = origin.value
    if isinstance(value, Attribute | Item):
        base = value.base
        if isinstance(base, Variable):
            held = [
                one.value(origin.flow)
                for one in survey.context.definitions(origin.flow).of(base.name, origin.point)
            ]
            return not held or not all(isinstance(one, Result | Compound) for one in held)
        return not isinstance(base, Result)
    return not isinstance(value, Constant | Call | Compound)


def _again(rerun: Rerun | None, evidence: Evidence) -> tuple[Again | None, Evidence]:
    if rerun is None:
        return None, evidence
    return rerun.again, evidence if rerun.sure else Evidence.NAME


def _rerun(every: tuple[Rerun, ...], flow: Flow, given: Placed, origin: Origin, found: Found) -> Rerun | None:
    """What begins again both the making of a part and the giving of the key."""
    made_flow, made = origin.outer
    if made_flow != flow.index:
        made_flow, made = origin.flow.index, origin.point
    for rerun in every:
        if rerun.handled and found[0] not in _ANEW:
            continue
        if rerun.holds(flow.index, given.at) and rerun.holds(made_flow, made):
            return rerun
    return None


def _mixed(survey: Survey, ways: Sequence[Way]) -> bool:
    """Whether one of the values that a key may be holds both what changes and what stays."""
    for flow, value, point in ways:
        made = list(origins(survey.context, flow, value, point))
        changes = [change(survey.context, origin) is not None for origin in made]
        stays = [not new and _other(survey, origin) for new, origin in zip(changes, made, strict=True)]
        if any(changes) and any(stays):
            return True
    return False


def _kept(survey: Survey, found: Sequence[Way]) -> tuple[bool, bool]:
    """Whether a key is made only where none is stored, `row.key or new()`, or where none was made before."""
    stored = before = False
    for flow, value, _ in found if len(found) > 1 else ():
        made = survey.context.operation(flow, value.number) if isinstance(value, Result) else None
        if made is not None:
            call = made[1]
            asked = isinstance(call, Call) and bool(call.arguments) and source(call.qualified) is None
            stored = stored or asked or survey.does(flow, made[0], Deed.LOOKUP, Deed.ASKS, Deed.CLAIM)
        stored = stored or isinstance(value, Attribute | Item)
        before = before or value == Constant(None)
    return stored, before


def _alternatives(context: Context, flow: Flow, value: Expression, point: Point, left: int) -> Iterator[Way]:
    """The values of which one is taken, by the way that the function went; "" for what a parameter brings."""
    match value:
        case Variable(name=name) if left:
            found = context.definitions(flow).of(name, point)
            for one in found:
                inner = one.value(flow)
                if inner is not None and one.point is not None:
                    yield from _alternatives(context, flow, inner, one.point, left - 1)
            if not found:
                yield flow, value, point
            elif any(one.point is None for one in found):
                yield flow, Constant(""), point
        case Compound(kind="choice", parts=parts) | Compound(kind="test", parts=(_, *parts)) if left:
            for part in parts:
                yield from _alternatives(context, flow, part, point, left - 1)
        case Result() if left:
            yield from _answers(context, flow, value, point, left)
        case _:
            yield flow, value, point


def _answers(context: Context, flow: Flow, value: Result, point: Point, left: int) -> Iterator[Way]:
    """The same for the answer of a call: of `str()`, or of a function of the file that takes one of several."""
    made = context.operation(flow, value.number)
    call = made[1] if made is not None else None
    if made is None or not isinstance(call, Call):
        yield flow, value, point
        return
    if call.qualified == "builtins.str" and call.arguments:
        yield from _alternatives(context, flow, call.arguments[0], made[0], left - 1)
        return
    inner: list[Way] = []
    for helper in context.called(flow, call)[:2]:
        for place, operation in helper.points():
            if isinstance(operation, Return):
                inner += _alternatives(context, helper, operation.value, place, left - 2)
    if len(inner) > 1:
        yield from inner
    else:
        yield flow, value, point
