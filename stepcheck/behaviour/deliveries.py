"""Functions, and loops of functions, that somebody else's queue or webhook runs more than once for one event."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.loops import NaturalLoop, origins, results
from stepcheck.behaviour import words
from stepcheck.behaviour.acts import Deed
from stepcheck.behaviour.roles import Role, Runs
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Evaluated,
    Flow,
    Item,
    Next,
    Variable,
    dotted,
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


_QUEUES = frozenset(
    {"Records", "MessageId", "messageId", "message_id", "delivery_tag", "receipt_handle", "ReceiptHandle",
     "receiptHandle", "ack_id", "delivery_attempt"}
)  # fmt: skip
_EVENTS = frozenset(
    {"event", "payload", "body", "request", "req", "message", "msg", "notification", "data", "evt"}
)
_RECEIVES = frozenset(
    {"receive_message", "receive_messages", "poll", "consume", "getmany", "xreadgroup", "pull", "fetch_messages",
     "get_messages", "iter_messages", "basic_get", "getone", "reserve"}
)  # fmt: skip
_CONSUMERS = frozenset({"consumer", "subscriber", "subscription"})
_LATE = frozenset({"acks_late", "task_acks_late", "CELERY_TASK_ACKS_LATE", "CELERY_ACKS_LATE"})
_AGENTS = frozenset(
    {"agent", "subscriber", "consumer", "event_source", "queue_trigger", "service_bus_queue_trigger"}
)


def deliveries(study: Study, flow: Flow, late: bool) -> Iterator[Delivery]:
    """Every way in which a function is delivered to more than once; `late` tells that tasks are acknowledged late."""
    given = frozenset(one.name for one in flow.parameters) - {"self", "cls", "context", "ctx"}
    for runs in study.runs(flow):
        if runs.role is Role.WEBHOOK and _posted(flow, runs, given):
            yield Delivery(runs.who, runs.span, runs.evidence, None, given | _read(flow))
            return
        if runs.role is Role.CONSUMER and (runs.evidence is not Evidence.NAME or queued(study, flow)):
            yield Delivery(runs.who, runs.span, runs.evidence, None, given)
            return
        if runs.role is Role.TASK and runs.made is not None and _late(runs.made, late):
            yield Delivery(runs.who, runs.span, Evidence.BODY, None, frozenset(), late=True)
            return
    for made in flow.decorators:
        if (
            words.last(made.dotted) in _AGENTS
            and (flow.asynchronous or made.call is not None)
            and _topic(made)
        ):
            yield Delivery("the stream", made.span, Evidence.BODY, None, given)
            return
    yield from _loops(study, flow)


def _topic(made: Evaluated) -> bool:
    """Whether a decorator names what it is fed from: `@app.agent(topic)`."""
    call = made.call
    return call is not None and bool(call.arguments or call.keywords) and "." in made.dotted


def _posted(flow: Flow, runs: Runs, given: frozenset[str]) -> bool:
    return runs.evidence is not Evidence.NAME or bool(_EVENTS & given) or flow.decorators != ()


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
                    and part.index.value in _QUEUES
                ):
                    return True
                if isinstance(part, Attribute) and part.name in _QUEUES:
                    return True
        if isinstance(operation, Call) and operation.dotted.endswith(".get") and operation.arguments:
            first = operation.arguments[0]
            if isinstance(first, Constant) and first.value in _QUEUES:
                return True
    return False


def _read(flow: Flow) -> frozenset[str]:
    """The variables that a webhook reads its event into."""
    return frozenset(
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and _EVENTS.intersection(names.words(operation.target.name))
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


def _loops(study: Study, flow: Flow) -> Iterator[Delivery]:
    """`for message in consumer`, `for message in queue.receive_messages()`."""
    for loop in study.context.loops(flow):
        for operation in _heads(flow, loop):
            who = _source(study, flow, operation)
            if who and (queued(study, flow) or _commits(study, flow)):
                targets = frozenset(loop.written.targets) if loop.written is not None else frozenset()
                yield Delivery(who, operation.span, Evidence.BODY, loop.blocks, targets)
                return


def _heads(flow: Flow, loop: NaturalLoop) -> Iterator[Next]:
    for operation in flow.blocks[loop.head].operations:
        if isinstance(operation, Next):
            yield operation


def _source(study: Study, flow: Flow, head: Next) -> str:
    for part in walk(head.iterable):
        name = dotted(part) if isinstance(part, Variable | Attribute) else ""
        if name and _CONSUMERS.intersection(names.words(words.last(name))):
            return f"the queue of {name!r}"
    numbers = _numbers(study, flow, head)
    for _, call in study.context.calls(flow):
        last = words.last(call.dotted) or getattr(call.callee, "name", "")
        if last in _RECEIVES and call.number in numbers:
            return f"the queue of {call.dotted or last!r}"
    return ""


def _numbers(study: Study, flow: Flow, head: Next) -> frozenset[int]:
    """The numbers of the calls that the items of a loop come from."""
    places = {place: number for number, place in results(flow).items()}
    start = results(flow).get(head.number)
    if start is None:
        return frozenset()
    found = origins(study.context.definitions(flow), start)
    return frozenset(places[place] for place in found if place in places)


def _commits(study: Study, flow: Flow) -> bool:
    """Whether offsets are kept by hand."""
    return any(act.deed is Deed.ACK for act in study.acts(flow)) or any(
        words.last(call.dotted) in ("commit", "store_offsets", "delete_message", "task_done", "xack")
        for _, call in study.context.calls(flow)
    )
