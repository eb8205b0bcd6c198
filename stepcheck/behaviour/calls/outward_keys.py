"""By what the other side may tell a repeat of a call."""

from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.literals import literals
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.changes import change
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Attribute, Call, Compound, Constant, Expression, Flow, Point, Variable, dotted
from stepcheck.facts import Change, KeyState


def key_of(study: Study, flow: Flow, call: Call, point: Point) -> KeyState:
    """What is known of the key of a call; what may be one by its name counts, unless it is made anew each time."""
    state = keys.state(study.context, flow, call, point)
    given = [
        (word.name, word.value)
        for word in call.keywords
        if words.spaced(word.name) not in words.JOBS or not _fresh(study, flow, word.value, point)
    ]
    given += [(dotted(value), value) for value in call.arguments if isinstance(value, Variable | Attribute)]
    for name, value in given:
        found = (
            ledgers.known().references.intersection(names.words(words.last(name)))
            or words.spaced(name) in words.JOBS
        )
        if found and not {"api", "secret", "public", "private", "access"}.intersection(names.words(name)):
            return KeyState.FRESH if _fresh(study, flow, value, point) else KeyState.STABLE
    return KeyState.STABLE if _identified(study, flow, call, point) else state


def _identified(study: Study, flow: Flow, call: Call, point: Point) -> bool:
    """Whether the headers say which event it is: `{"webhook-id": str(event.id)}`."""
    headers = call.keyword("headers")
    for literal in literals(study.context, flow, headers.value, point) if headers is not None else ():
        for entry in literal.parts:
            match entry:
                case Compound(kind="entry", parts=(Constant(value=str(name)), held)):
                    found = set(names.words(name))
                    told = {"id", "key"} & found and {
                        "webhook",
                        "event",
                        "message",
                        "delivery",
                        "request",
                    } & found
                    if told and not _fresh(study, flow, held, point):
                        return True
                case _:
                    pass
    return False


def _fresh(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value is another one each time it is made."""
    for origin in origins(study.context, flow, value, point):
        found = change(study.context, origin)
        if found is not None and found[0] in (Change.RANDOM, Change.CLOCK):
            return True
    return False
