"""One key for more than one intent: over the turns of a loop, for two writes, for all calls, for all of a run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.again.intents import leaves
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.keying.keyplaces import Placed, Use, is_key
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.invariance import varies
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue.key_words import key_words
from stepcheck.catalogue.names import names_run
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Point,
    Result,
    Variable,
    dotted,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.keying import SharedKey, Sharing

_BESIDE = key_words("beside")
"""Keywords that are no part of what a write is about."""


def shared(survey: Survey, flow: Flow, given: Sequence[Placed]) -> Iterator[SharedKey]:
    """Every key of a function that more than one intent has; each is told once, by what shares it most plainly."""
    sent = [
        one for one in given if one.use in (Use.SENT, Use.JOB) and one.sends is not None and not _vague(one)
    ]
    told: set[Span] = set()
    for one in sent:
        call = one.sends
        if call is None or call.span in told or not _writes(survey, flow, one, call):
            continue
        found = _looped(survey, flow, one, call) or _alike(survey, flow, one, call)
        if found is not None:
            told.add(call.span)
            yield _believed(one, found)
    for fact in _twice(survey, flow, [one for one in sent if one.use is Use.SENT]):
        if fact.sends not in told:
            told.add(fact.sends)
            yield fact


def _own(one: Placed) -> bool:
    """Whether the key is a parameter of a function of this program, as far as is seen: `send_mail(..., key=key)`."""
    call = one.sends
    if call is None or "." in call.dotted.removeprefix("self.") or call.dotted[:1].isupper():
        return False
    return call.keyword(one.name) is not None


def _vague(one: Placed) -> bool:
    """Whether nothing but such a parameter's name says that repeats are refused, and that not plainly."""
    return _own(one) and not one.name.startswith("idempot")


def _believed(one: Placed, found: SharedKey) -> SharedKey:
    """That a function of our own refuses repeats by a parameter rests on the parameter's name."""
    return replace(found, evidence=Evidence.NAME) if _own(one) else found


def _writes(survey: Survey, flow: Flow, one: Placed, call: Call) -> bool:
    act = survey.act(flow, one.at)
    if act is None:
        return bool(survey.context.called(flow, call))
    return act.deed is Deed.WRITE


def _fact(flow: Flow, one: Placed, call: Call, sharing: Sharing, text: str) -> SharedKey:
    name = words.last(call.dotted) or getattr(call.callee, "name", "the call")
    return SharedKey(
        one.name, one.span, call.span, flow.qualname, sharing, text, call.dotted or name, None, Evidence.BODY
    )


def _about(one: Placed, call: Call) -> list[Expression]:
    """What a write is about: its arguments but for the key and what is beside it."""
    values = [
        word.value
        for word in call.keywords
        if word.name not in _BESIDE and not is_key(word.name) and word.name
    ]
    return [value for value in (*call.arguments, *values) if value != one.value]


def _looped(survey: Survey, flow: Flow, one: Placed, call: Call) -> SharedKey | None:
    """One key for all items of a loop, each of which is a write of its own."""
    for loop in survey.context.loops(flow):
        if one.at.block not in loop.blocks or not _over_items(survey, flow, loop, one.at):
            continue
        if varies(survey.context, flow, one.value, one.point, loop.blocks):
            return None
        if one.point.block not in loop.blocks and not isinstance(one.value, Constant):
            pass
        if any(varies(survey.context, flow, value, one.at, loop.blocks) for value in _about(one, call)):
            written = loop.written
            made = _fact(flow, one, call, Sharing.LOOP, _shown(one.value))
            span = written.span if written is not None else call.span
            return SharedKey(
                made.name, made.span, made.sends, made.function, made.sharing, made.text, made.write, span,
                Evidence.BODY,
            )  # fmt: skip
    return None


def _over_items(survey: Survey, flow: Flow, loop: NaturalLoop, point: Point) -> bool:
    """Whether the turns of a loop mean different things: not one that is there to try again."""
    written = loop.written
    if written is None or written.kind == "while":
        return False
    if any(words.attempts(name) for name in written.targets):
        return False
    if any(one.blocks == loop.blocks for one in survey.reruns if one.flow == flow.index):
        return False
    return written.kind == "comprehension" or not leaves(flow, loop, point)


def _alike(survey: Survey, flow: Flow, one: Placed, call: Call) -> SharedKey | None:
    """A key of constants, or of names of the run and the step, for a write that is about something else."""
    if one.use is not Use.SENT or flow.kind is not FlowKind.FUNCTION or flow.name.startswith("test"):
        return None
    made = [origin for origin in origins(survey.context, flow, one.value, one.point) if _tells(origin)]
    about = [
        origin
        for value in _about(one, call)
        for origin in origins(survey.context, flow, value, one.at)
        if isinstance(origin.value, Variable | Attribute | Item) and not origin.once
    ]
    if not about or any(origin.value in [other.value for other in made] for origin in about):
        return None
    if not made:
        plain = [origin.value for origin in origins(survey.context, flow, one.value, one.point)]
        if plain and all(isinstance(value, Constant) for value in plain):
            return _fact(flow, one, call, Sharing.CONSTANT, _shown(one.value))
        return None
    texts = [_run(origin) for origin in made]
    if all(texts):
        fact = _fact(flow, one, call, Sharing.RUN, " and ".join(dict.fromkeys(repr(text) for text in texts)))
        return SharedKey(
            fact.name,
            fact.span,
            fact.sends,
            fact.function,
            fact.sharing,
            fact.text,
            fact.write,
            None,
            Evidence.NAME,
        )
    return None


def _tells(origin: Origin) -> bool:
    """Whether a part of a key says anything that is not the same everywhere."""
    value = origin.value
    if isinstance(value, Constant):
        return False
    if isinstance(value, Call):
        name = words.last(value.dotted) or getattr(value.callee, "name", "")
        return name not in _KNEADS
    return not (isinstance(value, Compound) and value.kind == "dict")


_KNEADS = frozenset(
    {"str", "encode", "sha256", "sha1", "md5", "hexdigest", "digest", "join", "format", "lower", "upper", "dumps",
     "uuid5", "uuid3", "sha512", "blake2b", "decode", "UUID", "hex", "strip"}
)  # fmt: skip


def _run(origin: Origin) -> str:
    """The name of the run or the step that a part of a key is, or nothing."""
    value = origin.value
    match value:
        case Variable(name=name) if names_run(name):
            return name
        case Attribute(name=name) if names_run(name):
            return dotted(value) or name
        case Item(index=Constant(value=str(name))) if names_run(name):
            return name
        case _:
            return ""


def _shown(value: Expression) -> str:
    match value:
        case Constant(value=held):
            return str(held)
        case Variable(name=name):
            return name
        case _:
            return dotted(value)


def _twice(survey: Survey, flow: Flow, sent: Sequence[Placed]) -> Iterator[SharedKey]:
    """Two writes to one service that are given the same key on one way through the function."""
    for number, second in enumerate(sent):
        for first in sent[:number] if second.sends is not None else ():
            one, two = first.sends, second.sends
            if one is None or two is None or one.span == two.span or not _same(survey, flow, first, second):
                continue
            if not (_outside(survey, flow, first) and _outside(survey, flow, second)) or not _other(one, two):
                continue
            if second.at in begun(flow, (completed(first.at),), (), no_exception):
                fact = _fact(flow, second, two, Sharing.TWO, _shown(second.value))
                yield SharedKey(
                    fact.name, fact.span, fact.sends, fact.function, fact.sharing, fact.text, fact.write, one.span,
                    Evidence.BODY,
                )  # fmt: skip
                break


def _outside(survey: Survey, flow: Flow, one: Placed) -> bool:
    return survey.does(flow, one.at, Deed.WRITE)


def _same(survey: Survey, flow: Flow, first: Placed, second: Placed) -> bool:
    """Whether the two keys are one value: a variable that nothing binds anew in between, or one attribute."""
    if first.value != second.value or isinstance(first.value, Result | Compound):
        return False
    if isinstance(first.value, Constant):
        return True
    base: Expression = first.value
    while isinstance(base, Attribute | Item):
        base = base.base
    if not isinstance(base, Variable):
        return False
    known = survey.context.definitions(flow)
    return known.of(base.name, first.point) == known.of(base.name, second.point)


def _other(one: Call, two: Call) -> bool:
    """Whether two calls of one client do different things."""
    if not one.dotted or not two.dotted or one.dotted.partition(".")[0] != two.dotted.partition(".")[0]:
        return False
    if one.dotted != two.dotted:
        return True
    first = [value for value in one.arguments[:1] if isinstance(value, Constant)]
    second = [value for value in two.arguments[:1] if isinstance(value, Constant)]
    return bool(first and second) and first != second
