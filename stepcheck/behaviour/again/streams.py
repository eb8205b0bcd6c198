"""Generators that are begun again although they may have handed something out."""

from collections.abc import Iterable, Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, completed, failed
from stepcheck.analysis.retry import Manner
from stepcheck.behaviour.again import limits
from stepcheck.behaviour.again.intents import leaves
from stepcheck.behaviour.again.regions import Repeated, caught, through, types
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.code.flow import (
    Assign,
    Branch,
    Call,
    Catch,
    Edge,
    Flow,
    FlowKind,
    Next,
    Point,
    Result,
    Variable,
    Yield,
    reads,
    variables,
    walk,
)
from stepcheck.facts import Again, Evidence, Outcome, RetriedStream


def streams(context: Context, repeated: Iterable[Repeated]) -> Iterator[RetriedStream]:
    """Every generator function of the file that retries after a `yield`."""
    for region in repeated:
        flow = context.file.flows[region.region.flow]
        if (
            region.region.manner is not Manner.DECORATOR
            or not flow.generator
            or flow.kind is not FlowKind.FUNCTION
        ):
            continue
        below = [made.span for made in flow.decorators]
        first = next((operation.span for _, operation in flow.points() if isinstance(operation, Yield)), None)
        # Decorators below make something else of the generator, which is what is retried then.
        if below and below[-1] == region.region.span and first is not None:
            yield RetriedStream(flow.qualname, region.region.span, region.again, late=True)
    for flow in context.file.flows:
        if (
            flow.generator
            and flow.kind is FlowKind.FUNCTION
            and context.catches(flow)
            and not _decorated(flow)
        ):
            yield from _in_loops(context, flow)


def _decorated(flow: Flow) -> bool:
    return any("contextmanager" in made.qualified or "fixture" in made.qualified for made in flow.decorators)


def _in_loops(context: Context, flow: Flow) -> Iterator[RetriedStream]:
    """A handler around a `yield` that leads back to its beginning."""
    for point, operation in flow.points():
        if not isinstance(operation, Yield) or not (operation.delegates or _hands_out(context, flow, point)):
            continue
        found = _again(context, flow, point)
        if found is not None:
            yield RetriedStream(flow.qualname, operation.span, found, late=False)
            return


def _hands_out(context: Context, flow: Flow, point: Point) -> bool:
    """Whether a `yield` stands in a loop over something that is made there: `for chunk in stream(): yield chunk`."""
    inner = next((loop for loop in context.loops(flow) if point.block in loop.blocks), None)
    if (
        inner is None
        or inner.written is None
        or inner.written.kind != "for"
        or inner.written.iterable is None
    ):
        return False
    return any(isinstance(part, Result) for part in walk(inner.written.iterable)) or any(
        isinstance(part, Variable)
        and all(
            one.point is not None and any(one.point.block in loop.blocks for loop in context.loops(flow))
            for one in context.definitions(flow).of(part.name, Point(inner.head, 0))
        )
        for part in walk(inner.written.iterable)
    )


def _again(context: Context, flow: Flow, point: Point) -> Again | None:
    for loop in context.loops(flow):
        if point.block not in loop.blocks or _is_inner(context, flow, loop):
            continue
        if not leaves(flow, loop, point):  # a subscription, which goes on whatever came of the line
            continue

        def within(_: int, edge: Edge, head: int = loop.head) -> bool:
            return edge.target != head

        operation = at(flow, point)
        midway = failed(flow, point) if isinstance(operation, Yield) and operation.delegates else ()
        later = begun(flow, (completed(point), *midway), (), within)
        catches = [
            place
            for place in later
            if place.block in loop.blocks
            and place.position < len(flow.blocks[place.block].operations)
            and isinstance(at(flow, place), Catch)
        ]
        for place in sorted(catches):
            starts = caught(flow, place)
            back = begun(flow, starts)
            if point not in back or not _goes_round(flow, loop, starts):
                continue
            if _guarded(flow, loop, starts) or _resumes(context, flow, loop):
                continue
            catch = at(flow, place)
            assert isinstance(catch, Catch)
            if words.worst(types(catch)) in (Outcome.REFUSED, Outcome.NOT_SENT):
                continue
            goes = {reached.catch for reached in fate(flow, point, "", context.exceptions).handlers}
            if place not in goes:
                continue
            limit, attempts = limits.of_loop(context, flow, loop, starts)
            return Again(
                "the loop",
                loop.written.span if loop.written else catch.span,
                limit,
                attempts,
                words.worst(types(catch)),
                through([catch]),
                Evidence.BODY,
            )
    return None


def _is_inner(context: Context, flow: Flow, loop: NaturalLoop) -> bool:
    """Whether the loop hands out the items of what it runs over: its turns are no attempts."""
    written = loop.written
    if written is None or written.kind != "for":
        return False
    names = {name.partition("@")[0] for name in written.targets}
    if all(words.attempts(name) or name == "_" for name in names):
        return False
    from stepcheck.behaviour.again.limits import turns  # noqa: PLC0415

    known = written.qualified.removesuffix("()") in ("builtins.range", "itertools.count")
    return not known and turns(context, flow, written.iterable) is None


def _goes_round(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]) -> bool:
    reached = begun(flow, starts)
    return any(place.block == loop.head for place in reached)


def _guarded(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]) -> bool:
    """Whether the handler looks at something that was noted where things are handed out."""
    before_head = begun(flow, starts, (), lambda _, edge: edge.target != loop.head)
    handled = {place.block for place in before_head}
    noted = {
        name
        for place, operation in flow.points()
        if place.block in loop.blocks and place.block not in handled
        for name in _stored(operation)
    }
    for place in before_head:
        operations = flow.blocks[place.block].operations
        if place.position >= len(operations):
            continue
        operation = operations[place.position]
        if isinstance(operation, Branch) and any(one.name in noted for one in variables(operation.test)):
            counted = loop.written.targets if loop.written else ()
            if any(one.name in noted and one.name not in counted for one in variables(operation.test)):
                return True
    return False


def _stored(operation: object) -> Iterator[str]:
    match operation:
        case Assign(target=Variable(name=name)):
            yield name
        case Call(callee=callee):
            for one in variables(callee):
                yield one.name
        case _:
            pass


def _resumes(context: Context, flow: Flow, loop: NaturalLoop) -> bool:
    """Whether what is begun again is told how far it had come: by something that is noted in the loop."""
    counted = set(loop.written.targets) if loop.written else set()
    noted = {
        name
        for place, operation in flow.points()
        if place.block in loop.blocks and isinstance(operation, Assign)
        for name in _stored(operation)
    } - counted
    stored_elsewhere = any(
        isinstance(operation, Assign) and not isinstance(operation.target, Variable)
        for place, operation in flow.points()
        if place.block in loop.blocks
    )
    if stored_elsewhere:
        return True
    for place, operation in flow.points():
        if place.block not in loop.blocks or not isinstance(operation, Call | Next):
            continue
        for expression in reads(operation):
            for part in walk(expression):
                if isinstance(part, Variable) and part.name in noted:
                    definitions = context.definitions(flow).of(part.name, place)
                    # A definition from an earlier turn: what was reached then is used now.
                    if len(definitions) > 1:
                        return True
    return False
