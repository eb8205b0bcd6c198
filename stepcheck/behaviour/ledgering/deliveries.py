"""Functions, and loops of functions, that somebody else's queue or webhook runs more than once for one event."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.consumers import consumes
from stepcheck.behaviour.calls.roles import Role, Runs
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Evaluated,
    Flow,
    FlowKind,
    Item,
    Next,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Evidence, Span


@dataclass(frozen=True, slots=True)
class Delivery:
    """A function, or a loop of it, that is run again for the same event."""

    who: str
    """Who delivers: `the queue`."""
    told: Span
    evidence: Evidence
    blocks: frozenset[int] | None
    """None for the whole function."""
    event: frozenset[str]
    """The variables that hold the event."""
    late: bool = False
    """A task, which is run again when its worker is lost."""


_ASKED = frozenset({"request", "req", "event", "evt"})
_LATE = frozenset({"acks_late", "task_acks_late", "CELERY_TASK_ACKS_LATE", "CELERY_ACKS_LATE"})


def deliveries(study: Study, flow: Flow, late: bool) -> Iterator[Delivery]:
    """Every way in which a function is delivered to more than once; `late` tells that tasks are acknowledged late."""
    given = frozenset(one.name for one in flow.parameters) - {"self", "cls", "context", "ctx"}
    if flow.kind is FlowKind.MODULE:
        found = consumes(study.context, flow)
        if found is not None and queued(study, flow):
            yield Delivery(found[0], found[1], found[2], _around(study, flow, found[1]), frozenset())
        return
    for runs in study.runs(flow):
        fed = runs.role in (Role.WEBHOOK, Role.CONSUMER) and queued(study, flow)
        if runs.role is Role.WEBHOOK and not fed and _posted(study, flow, runs):
            yield Delivery(runs.who, runs.span, runs.evidence, None, given | _read(flow))
            return
        if fed or (runs.role is Role.CONSUMER and runs.evidence is not Evidence.NAME):
            who = "the queue" if runs.role is Role.WEBHOOK else runs.who
            yield Delivery(who, runs.span, runs.evidence, _around(study, flow, runs.span), given)
            return
        if runs.role is Role.TASK and runs.made is not None and _late(runs.made, late):
            yield Delivery(runs.who, runs.span, Evidence.BODY, None, frozenset(), late=True)
            return


def _around(study: Study, flow: Flow, span: Span) -> frozenset[int] | None:
    """The blocks of the loop whose header, or a call in which, stands there: what comes before is done once."""
    for loop in study.context.loops(flow):
        for head in _heads(flow, loop):
            if head.span == span or (loop.written is not None and loop.written.span == span):
                return loop.blocks
    called = next((point for point, call in study.context.calls(flow) if call.span == span), None)
    if called is None:
        return None
    return next((loop.blocks for loop in study.context.loops(flow) if called.block in loop.blocks), None)


def _posted(study: Study, flow: Flow, runs: Runs) -> bool:
    """Whether it answers somebody's calls: a function that is only named so may send to webhooks of others."""
    if runs.evidence is not Evidence.NAME:
        spoken = {word for text in (flow.name, *_texts(flow)) for word in names.words(text)}
        return not spoken & ledgers.known().vague_hooks or bool(
            spoken & (ledgers.known().hooks | ledgers.known().received)
        )
    above = study.context.file.flows[flow.parent or 0]
    if above.kind is FlowKind.FUNCTION:
        return False
    told = verb(flow.name)
    first = next((one.name for one in flow.parameters if one.name not in ("self", "cls")), "")
    return first in _ASKED and (told is None or not told.effect.writes)


def _texts(flow: Flow) -> Iterator[str]:
    """The texts among the arguments of decorators: the address."""
    for made in flow.decorators:
        for value in made.call.arguments if made.call is not None else ():
            if isinstance(value, Constant) and isinstance(value.value, str):
                yield value.value


def queued(study: Study, flow: Flow) -> bool:
    """Whether the body deals with a queue: it acknowledges, or reads what only queues give."""
    if any(act.deed is Deed.ACK for act in study.acts(flow)):
        return True
    for _, operation in flow.points():
        for expression in reads(operation):
            for part in walk(expression):
                if (
                    isinstance(part, Item)
                    and isinstance(part.index, Constant)
                    and part.index.value in ledgers.known().queued
                ):
                    return True
                if isinstance(part, Attribute) and part.name in ledgers.known().queued:
                    return True
        if isinstance(operation, Call) and operation.dotted.endswith(".get") and operation.arguments:
            first = operation.arguments[0]
            if isinstance(first, Constant) and first.value in ledgers.known().queued:
                return True
    return False


def _read(flow: Flow) -> frozenset[str]:
    """The variables that a webhook reads its event into."""
    return frozenset(
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and ledgers.known().carries.intersection(names.words(operation.target.name))
    )


def _late(made: Evaluated, late: bool) -> bool:
    call = made.call
    word = None if call is None else call.keyword("acks_late")
    if word is None:
        return late
    return isinstance(word.value, Constant) and word.value.value is True


def acknowledged_late(study: Study) -> bool:
    """Whether the file's settings say that tasks are acknowledged when they are over."""
    for flow in study.context.file.flows:
        for _, operation in flow.points():
            match operation:
                case Assign(
                    target=Attribute(name=name) | Variable(name=name), value=Constant(value=True)
                ) if name in _LATE:
                    return True
                case Call(keywords=given) if any(
                    word.name in _LATE - {"acks_late"} and word.value == Constant(True) for word in given
                ):
                    return True
                case _:
                    pass
    return False


def _heads(flow: Flow, loop: NaturalLoop) -> Iterator[Next]:
    for operation in flow.blocks[loop.head].operations:
        if isinstance(operation, Next):
            yield operation
