"""Functions that are given messages which come again until they are acknowledged, told by their bodies and names."""

from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.catalogue import roles as known
from stepcheck.code.flow import (
    Attribute,
    Constant,
    Flow,
    FlowKind,
    Item,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Evidence, Span


def consumes(context: Context, flow: Flow) -> tuple[str, Span, Evidence] | None:
    """Whose messages a function works off, where, and how that is known; None for one that works off none."""
    return _loops(context, flow) or _records(flow) or _by_name(flow)


def _loops(context: Context, flow: Flow) -> tuple[str, Span, Evidence] | None:
    """`for message in consumer`, `while True: consumer.poll()`."""
    if not flow.loops:
        return None
    words = known.words
    for loop in flow.loops:
        if loop.iterable is None or loop.kind == "comprehension":
            continue
        name = dotted(loop.iterable) or loop.qualified.lstrip("?:").removesuffix("()")
        pieces = name.split(".")
        told = set(names.words(pieces[-1]))
        if words("queue", "iterables") & (told | {pieces[-1]}) or "KafkaConsumer" in loop.qualified:
            return ("Kafka" if "Kafka" in loop.qualified else "the queue"), loop.span, Evidence.BODY
        if len(pieces) > 1 and pieces[-1] in words("queue", "iterated"):
            before = {word for piece in pieces[:-1] for word in names.words(piece)}
            if before & (words("queue", "iterables") | {"pubsub", "queue", "receiver", "nc", "js"}):
                return "the queue", loop.span, Evidence.BODY
    inside = {number for loop in context.loops(flow) for number in loop.blocks}
    for point, call in context.calls(flow):
        written = call.dotted or getattr(call.callee, "name", "")
        receiver, _, last = written.rpartition(".")
        who = known.polled(last)
        if not who or point.block not in inside:
            continue
        reader = {"consumer", "subscriber", "subscription", "receiver", "client"} & set(names.words(receiver))
        if last in words("queue", "sure") or (reader and reader != {"client"}):
            return who, call.span, Evidence.BODY
    return None


def _records(flow: Flow) -> tuple[str, Span, Evidence] | None:
    """`handler(event, context)` that reads `event["Records"]`: AWS Lambda with a queue or a stream before it."""
    given = [parameter.name for parameter in flow.parameters if parameter.name not in ("self", "cls")]
    if not given or len(given) > 2 or not _is_event(given[0]):
        return None
    for block in flow.blocks:
        for operation in block.operations:
            for value in reads(operation):
                for part in walk(value):
                    match part:
                        case Item(base=Variable(name=name), index=Constant(value="Records")) if (
                            name == given[0]
                        ):
                            return "the queue", flow.span, Evidence.BODY
                        case Constant(value="Records"):
                            return "the queue", flow.span, Evidence.BODY
                        case _:
                            pass
    return None


def _is_event(name: str) -> bool:
    return bool({"event", "events", "evt", "batch"} & set(names.words(name)))


def _by_name(flow: Flow) -> tuple[str, Span, Evidence] | None:
    """`on_message(msg)`, `callback(ch, method, properties, body)`."""
    words = known.words
    if flow.decorators or flow.kind is not FlowKind.FUNCTION:
        return None
    given = [parameter.name for parameter in flow.parameters if parameter.name not in ("self", "cls")]
    if {"ch", "channel"} & set(given) and {"method", "body"} <= set(given):
        return "the queue", flow.span, Evidence.BODY
    told = names.words(flow.name)[:1]
    message = next((name for name in given if name in words("queue", "parameters")), "")
    if not told or told[0] not in words("queue", "names") or not message or len(given) > 2:
        return None
    if _reads(flow, message, words("queue", "gateway")) or not _reads(flow, message, words("queue", "reads")):
        return None
    return "the queue", flow.span, Evidence.NAME


def _reads(flow: Flow, name: str, parts: frozenset[str]) -> bool:
    """Whether one of these is read of a variable, as an attribute or an item."""
    for block in flow.blocks:
        for operation in block.operations:
            for value in reads(operation):
                for part in walk(value):
                    match part:
                        case Attribute(base=Variable(name=held), name=read) if held == name and read in parts:
                            return True
                        case Item(base=Variable(name=held), index=Constant(value=str(read))) if (
                            held == name and read in parts
                        ):
                            return True
                        case _:
                            pass
    return False
