"""Values given as idempotency keys: where they are given, and which parts of them change."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stepcheck.behaviour import words
from stepcheck.behaviour.changes import change
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.regions import Repeated
from stepcheck.behaviour.trace import Origin, literals, origins
from stepcheck.code.flow import (
    Assign,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Operation,
    Point,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Again, Change, KeyPart, KeyState, KeyUse, Span


@dataclass(frozen=True, slots=True)
class Given:
    """A value that stands where a key belongs."""

    name: str
    value: Expression
    point: Point
    span: Span


def uses(context: Context, flow: Flow, repeated: Iterable[Repeated]) -> Iterator[KeyUse]:
    """Every idempotency key that a function gives to something."""
    regions = tuple(repeated)
    for given in _given(flow):
        parts: dict[tuple[str, Change], KeyPart] = {}
        others = False
        for origin in origins(context, flow, given.value, given.point):
            found = change(context, origin)
            if found is None:
                others = others or not isinstance(origin.value, Constant | Call)
                continue
            kind, text, why, span, evidence = found
            again = _again(regions, flow, given.point, origin)
            parts.setdefault((text, kind), KeyPart(text, kind, why, span, evidence, again))
        yield KeyUse(
            given.name,
            given.span,
            flow.qualname,
            tuple(parts.values()),
            whole=not others,
            carries=words.is_key(given.name),
        )


def _again(regions: Iterable[Repeated], flow: Flow, point: Point, origin: Origin) -> Again | None:
    """The way in which both the making of a part and the giving of the key are begun again."""
    made_flow, made = origin.outer
    if made_flow != flow.index:
        made_flow, made = origin.flow.index, origin.point
    for region in regions:
        if region.holds(flow.index, point) and region.holds(made_flow, made):
            return region.again
    return None


def _given(flow: Flow) -> Iterator[Given]:
    """Every place where something is given as a key, each once."""
    met: set[Span | tuple[Point, str]] = set()
    for point, operation in flow.points():
        for given in _at(point, operation):
            if isinstance(given.value, Constant) and given.value.value in (None, ""):
                continue
            if (given.point, given.name) not in met:
                met.add((given.point, given.name))
                yield given


def _at(point: Point, operation: Operation) -> Iterator[Given]:
    span = operation.span
    if isinstance(operation, Call):
        for word in operation.keywords if not words.last(operation.dotted)[:1].isupper() else ():
            if words.is_key(word.name) or words.spaced(word.name) in words.JOBS:
                yield Given(word.name, word.value, point, word.span)
        first = operation.arguments[0] if operation.arguments else None
        if first is not None and _claims(operation):
            yield Given("key", first, point, span)
    if isinstance(operation, Assign) and isinstance(operation.target, Item):
        index = operation.target.index
        if isinstance(index, Constant) and words.is_key(str(index.value)):
            yield Given(str(index.value), operation.value, point, span)
    for expression in reads(operation):
        for part in walk(expression):
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(name)), value)) if words.is_key(name):
                    yield Given(name, value, point, span)
                case _:
                    pass


def _claims(call: Call) -> bool:
    """`redis.set(key, 1, nx=True)`, `redis.setnx(key, 1)`."""
    name = words.last(call.dotted)
    nx = call.keyword("nx")
    return name == "setnx" or (
        name == "set" and nx is not None and isinstance(nx.value, Constant) and nx.value.value is True
    )


def state(context: Context, flow: Flow, call: Call, point: Point) -> KeyState:
    """What is known of the key of a call: one that is there, or one that may be in what it is given."""
    values = [*call.arguments, *(word.value for word in call.keywords)]
    for word in call.keywords:
        if words.is_key(word.name):
            return _is(context, flow, word.value, point)
    found: KeyState | None = None
    for value in values:
        for part in walk(value):
            if isinstance(part, Variable) and words.mentions_key(part.name):
                return KeyState.STABLE
        for literal in literals(context, flow, value, point):
            for entry in literal.parts:
                match entry:
                    case Compound(kind="entry", parts=(Constant(value=str(name)), held)) if (
                        words.mentions_key(name)
                    ):
                        found = found or _is(context, flow, held, point)
                    case _:
                        pass
    if found:
        return found
    return KeyState.OPAQUE if _speaks(context, flow) else KeyState.ABSENT


def _is(context: Context, flow: Flow, value: Expression, point: Point) -> KeyState:
    """Whether a value given as a key is one; a list of nothing but None is none."""
    made = list(origins(context, flow, value, point))
    if any(isinstance(one.value, Constant) and one.value.value is None for one in made) and all(
        isinstance(one.value, Constant)
        or (isinstance(one.value, Call) and one.value.dotted == "len")
        or _counts(one.value)
        for one in made
    ):
        return KeyState.ABSENT
    return KeyState.STABLE


def _counts(value: object) -> bool:
    return isinstance(value, Compound) and value.kind == "iterated"


def _speaks(context: Context, flow: Flow) -> bool:
    if flow.index not in context.mentions:
        context.mentions[flow.index] = _mentioned(flow)
    return context.mentions[flow.index]


def _mentioned(flow: Flow) -> bool:
    """Whether the function has to do with keys at all: then one may be in what it hands over."""
    if any(words.mentions_key(parameter.name) for parameter in flow.parameters):
        return True
    for _, operation in flow.points():
        if isinstance(operation, Call) and any(words.mentions_key(word.name) for word in operation.keywords):
            return True
        if isinstance(operation, Call) and words.mentions_key(words.last(operation.dotted)):
            return True
        for expression in reads(operation):
            for part in walk(expression):
                match part:
                    case Constant(value=str(text)) if (
                        len(text) < 40 and " " not in text and words.mentions_key(text)
                    ):
                        return True
                    case Variable(name=name) if words.mentions_key(name):
                        return True
                    case _:
                        pass
    return False
