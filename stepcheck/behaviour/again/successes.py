"""Calls in loops that are there to try again, and that go round after a success as well."""

from collections.abc import Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.loops import NaturalLoop, per_item
from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.again import limits
from stepcheck.behaviour.again.regions import caught, through
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.catalogue import names
from stepcheck.code.flow import Branch, Call, Catch, Flow, Point, Variable, walk
from stepcheck.facts import Again, Evidence, RepeatedSuccess


def successes(context: Context) -> Iterator[RepeatedSuccess]:
    """Every retry loop of the file whose success does not leave it."""
    for flow in context.file.flows:
        if not flow.loops or not context.catches(flow) or context.large(flow):
            continue
        for loop in context.loops(flow):
            written = loop.written
            if written is None or written.kind != "for" or _ends_itself(flow, loop):
                continue
            found = _in_loop(context, flow, loop)
            if found is not None:
                yield found


def _in_loop(context: Context, flow: Flow, loop: NaturalLoop) -> RepeatedSuccess | None:
    written = loop.written
    assert written is not None
    known = context.definitions(flow)
    for point, call in context.calls(flow):
        if point.block not in loop.blocks or per_item(known, loop, point) or _only_looks(call):
            continue
        inner = [one for one in context.loops(flow) if point.block in one.blocks]
        if inner and inner[0] is not loop:
            continue
        catches = [
            (reached.catch, operation)
            for reached in fate(flow, point, "", context.exceptions).handlers
            if reached.catch.block in loop.blocks
            for operation in (at(flow, reached.catch),)
            if isinstance(operation, Catch)
        ]
        for place, catch in catches:
            starts = caught(flow, place)
            if not _retries(flow, loop, starts) or point not in begun(flow, starts):
                continue
            after = begun(
                flow,
                (completed(point),),
                (),
                lambda block, edge: no_exception(block, edge) and edge.target != loop.head,
            )
            if any(one.block not in loop.blocks for one in after):
                continue
            limit, attempts = limits.of_loop(context, flow, loop, starts)
            again = Again(
                "the loop", written.span, limit, attempts, words.worst(catch.types), through([catch]), Evidence.BODY,
                pauses=True,
            )  # fmt: skip
            name = call.dotted or getattr(call.callee, "name", "") or "the call"
            return RepeatedSuccess(name, call.span, flow.qualname, again, Evidence.BODY)
    return None


def _ends_itself(flow: Flow, loop: NaturalLoop) -> bool:
    """Whether some way out of the loop is taken without an exception, other than the end of its items."""
    for number in loop.blocks:
        if number == loop.head:
            continue
        for edge in flow.blocks[number].edges:
            if edge.target in loop.blocks or not no_exception(number, edge):
                continue
            if not _handler(flow, loop, number):
                return True
    return False


def _handler(flow: Flow, loop: NaturalLoop, number: int) -> bool:
    """Whether a block is run only after something failed in the loop."""
    unfailed = begun(flow, (Point(loop.head, 0),), (), no_exception)
    return all(place.block != number for place in unfailed)


def _retries(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]) -> bool:
    """Whether a handler shows that the loop's turns are attempts: it waits, or looks for the last one."""
    written = loop.written
    assert written is not None
    reached = begun(flow, starts, (), lambda _, edge: edge.target != loop.head)
    waits = looks = False
    for place in reached:
        operations = flow.blocks[place.block].operations
        operation = operations[place.position] if place.position < len(operations) else None
        match operation:
            case Call():
                waits = waits or words.pauses(operation.dotted)
            case Branch(test=test):
                looks = looks or any(
                    isinstance(part, Variable) and part.name in written.targets for part in walk(test)
                )
            case _:
                pass
    counts = all(words.attempts(name) or name == "_" for name in written.targets)
    numbered = written.qualified.removesuffix("()") in ("builtins.range", "builtins.enumerate")
    return (
        (waits and (counts or numbered) and (looks or counts))
        or (looks and numbered and waits)
        or (looks and counts)
    )


_LOCAL = frozenset(
    {"print", "len", "str", "int", "sleep", "append", "log", "debug", "info", "warning", "error", "format"}
)


def _only_looks(call: Call) -> bool:
    """Whether a call does nothing, by its name: then that it is repeated harms nobody."""
    name = words.last(call.dotted) or getattr(call.callee, "name", "")
    found = names.words(name)
    return (
        not found
        or name in _LOCAL
        or call.qualified.startswith("builtins.")
        or words.pauses(name)
        or found[0] in ("get", "log", "is", "has", "read", "ping", "time", "check", "assert", "test")
    )
