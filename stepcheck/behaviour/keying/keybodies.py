"""What is sent under a key that stays the same, and is itself made anew each time."""

from collections.abc import Iterator, Sequence

from stepcheck.behaviour.again.rerun import Rerun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.keying.keyplaces import Placed, Use, is_key
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.changes import change
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue import names
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    walk,
)
from stepcheck.facts import Change, Evidence, KeyUse, Span
from stepcheck.facts.keying import ChangingBody

_BESIDE = key_words("not_compared")
"""Keywords that are no part of what is compared with the first request."""
_TRANSPORT = key_words("transport")
"""Words of fields that a signed or traced request has anew each time, and that are not compared."""
_MOVING = key_words("moving")
_OF_NOW = key_words("of_now")
_ANEW = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT})


def bodies(
    survey: Survey, flow: Flow, given: Sequence[Placed], uses: Sequence[KeyUse]
) -> Iterator[ChangingBody]:
    """Every write of a function whose key stays and whose body does not."""
    told: set[Span] = set()
    for one, use in zip(given, uses, strict=False):
        call = one.sends
        if one.use is not Use.SENT or call is None or call.span in told:
            continue
        if not survey.does(flow, one.at, Deed.WRITE, Deed.SETS) or any(
            part.change not in _ANEW for part in use.parts
        ):
            continue
        around = _around(survey, flow, one, use)
        if around is False:
            continue
        for field, value, point in _fields(survey, flow, call, one):
            found = _anew(survey, flow, value, point, around)
            if found is None or (found[3] is Evidence.NAME and _tells(survey, flow, one, found[2])):
                continue
            text, why, span, evidence = found
            told.add(call.span)
            name = call.dotted or getattr(call.callee, "name", "the call")
            yield ChangingBody(one.name, span, call.span, name, field, text, why, one.span, evidence)
            break


def _around(survey: Survey, flow: Flow, one: Placed, use: KeyUse) -> Rerun | bool | None:
    """What is begun again with the same key: the whole function (None), a loop inside it; False where none is."""
    if any(part.again is not None for part in use.parts):
        return False
    if not use.parts:
        plain = all(
            isinstance(origin.value, Constant)
            for origin in origins(survey.context, flow, one.value, one.point)
        )
        return False if plain else None
    for rerun in survey.reruns:
        if rerun.flow == flow.index and rerun.blocks is not None and rerun.holds(flow.index, one.at):
            return rerun
    return False


def _fields(survey: Survey, flow: Flow, call: Call, one: Placed) -> Iterator[tuple[str, Expression, Point]]:
    """The parts of what a call sends, each with its name, one level deep."""
    for word in call.keywords:
        if word.name and word.name not in _BESIDE and not is_key(word.name) and not _transport(word.name):
            yield from _inside(survey, flow, word.name, word.value, one.at)
    for value in call.arguments:
        if value != one.value:
            yield from _inside(survey, flow, "", value, one.at)


def _inside(
    survey: Survey, flow: Flow, name: str, value: Expression, point: Point
) -> Iterator[tuple[str, Expression, Point]]:
    waiting = [(name, value, point)]
    for _ in range(60):
        if not waiting:
            return
        field, held, place = waiting.pop()
        if field and (_transport(field) or is_key(field)):
            continue
        match held:
            case Compound(kind="dict", parts=parts):
                waiting += [(*_entry(field, part), place) for part in parts]
            case Compound(kind="list" | "tuple", parts=parts):
                waiting += [(field, part, place) for part in parts]
            case Variable(name=variable):
                found = [
                    (one.value(flow), one.point)
                    for one in survey.context.definitions(flow).of(variable, place)
                ]
                dicts = [inner for inner, _ in found if isinstance(inner, Compound) and inner.kind == "dict"]
                if dicts:
                    waiting += [
                        (field, inner, at) for inner, at in found if inner is not None and at is not None
                    ]
                else:
                    yield field, held, place
                yield from _put(flow, variable)
            case _:
                yield field, held, place


def _entry(field: str, part: Expression) -> tuple[str, Expression]:
    """One entry of a dict with its name; what is spread into it has the name of the whole."""
    match part:
        case Compound(kind="entry", parts=(Constant(value=text), inner)):
            return str(text), inner
        case Compound(kind="spread", parts=(inner,)):
            return field, inner
        case _:
            return field, part


def _put(flow: Flow, variable: str) -> Iterator[tuple[str, Expression, Point]]:
    """`body["sent_at"] = ...`."""
    for point, operation in flow.points():
        match operation:
            case Assign(target=Item(base=Variable(name=name), index=Constant(value=str(field)))):
                if name == variable and not _transport(field) and not is_key(field):
                    yield field, operation.value, point
            case _:
                pass


def _transport(name: str) -> bool:
    return bool(_TRANSPORT.intersection(names.words(name)))


def _anew(
    survey: Survey, flow: Flow, value: Expression, point: Point, around: Rerun | bool | None
) -> tuple[str, str, Span, Evidence] | None:
    """What of a value is made anew each time, with why."""
    made = list(origins(survey.context, flow, value, point))
    if _fallback(made):
        return None
    for origin in made:
        if origin.once or (isinstance(around, Rerun) and not around.holds(*_where(origin))):
            continue
        found = change(survey.context, origin)
        if found is not None and found[0] in _ANEW and found[4] is not Evidence.NAME:
            return found[1], found[2], found[3], found[4]
        if isinstance(origin.value, Call) and _answers(origin.value):
            why = "which a model writes in other words each time"
            return origin.value.dotted, why, origin.value.span, Evidence.KNOWN
    return _asked(survey, flow, value, point) if around is None else None


def _asked(
    survey: Survey, flow: Flow, value: Expression, point: Point
) -> tuple[str, str, Span, Evidence] | None:
    """What of a value was asked for just now and moves by itself: `pricing.current_quote(sku)`, `fx.rate(pair)`."""
    for _ in range(6):
        match value:
            case Attribute(base=base) | Item(base=base):
                value = base
            case Variable(name=name):
                found = survey.context.definitions(flow).of(name, point)
                held = found[0].value(flow) if len(found) == 1 else None
                if held is None or found[0].point is None:
                    return None
                value, point = held, found[0].point
            case Compound(kind="binary", parts=parts):
                told = (_asked(survey, flow, part, point) for part in parts)
                return next((one for one in told if one is not None), None)
            case Result(number=number):
                made = survey.context.operation(flow, number)
                call = made[1] if made is not None else None
                if isinstance(call, Call):
                    return _of_now(survey, flow, call)
                value = getattr(call, "value", None) or value
            case _:
                return None
    return None


def _of_now(survey: Survey, flow: Flow, call: Call) -> tuple[str, str, Span, Evidence] | None:
    if survey.context.called(flow, call) or not call.dotted:
        return None
    last = names.words(words.last(call.dotted))
    near = names.words(words.last(call.dotted.rpartition(".")[0]))
    if last and last[-1] in _MOVING and _OF_NOW.intersection((*last, *near)):
        return call.dotted, "which by its name is as it is now", call.span, Evidence.NAME
    return None


def _tells(survey: Survey, flow: Flow, one: Placed, span: Span) -> bool:
    """Whether the key is made of the answer of the call there, too."""
    made = origins(survey.context, flow, one.value, one.point)
    numbers = [call.number for _, call in survey.context.calls(flow) if call.span == span]
    held = {
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and any(isinstance(part, Result) and part.number in numbers for part in walk(operation.value))
    }
    return any(
        (isinstance(origin.value, Call) and origin.value.span == span)
        or (
            not isinstance(origin.value, Call)
            and any(isinstance(part, Variable) and part.name in held for part in walk(origin.value))
        )
        for origin in made
    )


def _where(origin: Origin) -> tuple[int, Point]:
    return origin.flow.index, origin.point


def _fallback(made: Sequence[Origin]) -> bool:
    """Whether a value is made only where none is given: `at or now()`."""
    return any(isinstance(origin.value, Item) for origin in made) or any(
        isinstance(origin.value, Variable) and origin.value.name in {p.name for p in origin.flow.parameters}
        and not origin.through
        for origin in made
    )  # fmt: skip


def _answers(call: Call) -> bool:
    """Whether a call asks a model for text."""
    fact = known(call.qualified) if call.qualified else None
    if fact is not None:
        return fact.kind == "llm" and words.last(call.dotted) in (
            "create",
            "invoke",
            "generate",
            "complete",
            "run",
        )
    return False
