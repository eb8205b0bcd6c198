"""Whether a loop is there to do one thing again: a success ends it, and each turn means the same by the call."""

from stepcheck.analysis.loops import NaturalLoop, origins
from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.catalogue import names
from stepcheck.code.flow import Branch, Call, Flow, Next, Point, Variable, walk


def leaves(flow: Flow, loop: NaturalLoop, point: Point) -> bool:
    """Whether a success of the call ends the loop: by leaving it, or by what its test reads."""
    after = begun(
        flow,
        (completed(point),),
        (),
        lambda block, edge: no_exception(block, edge) and edge.target != loop.head,
    )
    if any(place.block not in loop.blocks for place in after):
        return True
    tested = {
        part.name
        for number in loop.blocks
        for operation in flow.blocks[number].operations
        if isinstance(operation, Branch) and number == loop.head
        for part in walk(operation.test)
        if isinstance(part, Variable)
    }
    return any(
        place in after
        for name in tested
        for place, operation in flow.points()
        if getattr(getattr(operation, "target", None), "name", None) == name
        and not getattr(operation, "augmented", False)
    )


_TAKES = frozenset(
    {
        "get", "pop", "popleft", "receive", "recv", "fetch", "next", "poll", "read", "accept", "input", "dequeue",
        "claim", "take", "lpop", "rpop", "blpop", "brpop", "consume", "popitem", "get_nowait", "readline", "anext",
    }
)  # fmt: skip
"""First words of calls that take something new each time."""
_PERSON = frozenset({"prompt", "getpass", "builtins.input"})
"""Calls that ask the person at the terminal: click, typer, prompt_toolkit, inquirer; the standard library."""
_QUESTIONS = frozenset({"Prompt", "IntPrompt", "FloatPrompt", "Confirm", "questionary", "click", "typer"})
"""What has an `ask` or a `confirm` that does so: rich, questionary, click, typer."""


def same_intent(context: Context, flow: Flow, loop: NaturalLoop, point: Point) -> bool:
    """Whether each turn of the loop means the same by the call: nothing it is given is taken anew each turn."""
    written = loop.written
    counts = written is not None and all(words.attempts(name) or name == "_" for name in written.targets)
    known = context.definitions(flow)
    for place in origins(known, point):
        if place.block not in loop.blocks or place == point:
            continue
        operation = at(flow, place)
        if isinstance(operation, Next) and not (counts and place.block == loop.head):
            if place.block != loop.head and _begins_anew(context, flow, loop, operation, place):
                continue
            return False
        if isinstance(operation, Call) and (_takes(operation) or asks_a_person(operation)):
            return False
        if getattr(operation, "augmented", False):
            return False
    return True


def _takes(call: Call) -> bool:
    return (names.words(words.last(call.dotted)) or ("",))[0] in _TAKES


def asks_a_person(call: Call) -> bool:
    """Whether a call waits for what somebody types at a terminal."""
    name = call.qualified.lstrip("?:") or call.dotted
    receiver, _, last = name.rpartition(".")
    asked = last in ("ask", "confirm") and bool(
        _QUESTIONS.intersection(receiver.replace("()", "").split("."))
    )
    return asked or last in _PERSON or name in _PERSON


_LIVE = frozenset(
    {"consumer", "queue", "stream", "subscription", "listener", "pubsub", "messages", "ws", "websocket"}
)
"""Words of what gives other items each time it is gone over."""


def _begins_anew(context: Context, flow: Flow, loop: NaturalLoop, head: Next, place: Point) -> bool:
    """Whether an inner loop goes over the same items in each turn of the outer one."""
    read = [part for part in walk(head.iterable) if isinstance(part, Variable)]
    if not read or any(_LIVE.intersection(names.words(part.name)) for part in read):
        return False
    known = context.definitions(flow)
    return all(
        one.point is None or one.point.block not in loop.blocks
        for part in read
        for one in known.of(part.name, place)
    )
