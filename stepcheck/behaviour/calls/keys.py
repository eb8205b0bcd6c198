"""Whether a call has an idempotency key, as far as its function tells."""

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.literals import literals
from stepcheck.behaviour.calls.own import own_fact
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.trace import origins
from stepcheck.code.flow import Call, Compound, Constant, Expression, Flow, Point, Variable, reads, walk
from stepcheck.facts import KeyState


def state(context: Context, flow: Flow, call: Call, point: Point) -> KeyState:
    """What is known of the key of a call: one that is there, or one that may be in what it is given."""
    values = [*call.arguments, *(word.value for word in call.keywords)]
    said = own_fact(context, call, call.dotted)
    own = said.key.name if said is not None and said.key is not None else ""
    for word in call.keywords:
        if word.name and (word.name == own or words.is_key(word.name)):
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
