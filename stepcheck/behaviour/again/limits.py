"""Whether retries end, after how many attempts, and through which exceptions: read from what configures them."""

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, completed, failed, no_exception
from stepcheck.analysis.retry import Region
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Assign,
    Branch,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Next,
    Point,
    Raise,
    Reach,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Again, Evidence, Limit, Outcome

_TENACITY = frozenset({"retry", "Retrying", "AsyncRetrying"})
_BOUNDS = frozenset(
    {
        "stop",
        "attempts",
        "tries",
        "max_tries",
        "max_attempts",
        "max_retries",
        "retries",
        "timeout",
        "max_time",
        "times",
    }
    | {
        "stop_max_attempt_number",
        "stop_max_delay",
        "stop_func",
        "deadline",
        "max_retry",
        "retry_count",
        "num_retries",
    }
    | {"max_attempt", "attempt", "total", "max_tries", "n", "count"}
)
_FILTERS = frozenset(
    {
        "retry",
        "retry_on_exception",
        "retry_on_result",
        "giveup",
        "predicate",
        "should_retry",
        "condition",
        "on_status",
    }
    | {"retry_if", "retry_on", "is_retryable", "retryable"}
)
_EXCEPTIONS = (
    "error",
    "exception",
    "timeout",
    "failure",
    "unavailable",
    "disconnected",
    "limited",
    "busy",
    "exc",
)
_CLOCKS = frozenset({"monotonic", "perf_counter", "time"})
_ENDLESS = frozenset({"itertools.count", "itertools.cycle", "itertools.repeat"})


def written(region: Region, call: Call | None, calls: tuple[Call, ...]) -> Again:
    """What the arguments of a retrier say; nothing is given for one that is put there without a call."""
    name = region.by.removeprefix("?").removeprefix(":").removesuffix("()")
    limit, attempts = _limit(name, call, calls)
    outcome, caught = _outcome(call, calls)
    own = region.by.startswith(":")
    return Again(
        f"{name!r}",
        region.span,
        limit,
        attempts,
        outcome,
        caught,
        Evidence.NAME if own else Evidence.BODY,
        pauses=True,
    )


def _limit(name: str, call: Call | None, calls: tuple[Call, ...]) -> tuple[Limit, int | None]:
    attempts = next((_number(one) for one in calls if words.last(one.dotted) == "stop_after_attempt"), None)
    package, last = name.partition(".")[0], words.last(name)
    if call is not None and any(word.name == "" for word in call.keywords):
        return Limit.OPAQUE, None
    given = {word.name: word.value for word in call.keywords} if call else {}
    bound = sorted(_BOUNDS.intersection(given))
    for key in bound:
        value = given[key]
        if isinstance(value, Constant) and isinstance(value.value, int) and not isinstance(value.value, bool):
            if key in ("timeout", "max_time", "stop_max_delay", "deadline"):
                continue
            attempts = value.value
    never = any(words.last(one.dotted) == "stop_never" for one in calls) or any(
        words.last(dotted(value)) == "stop_never" for value in given.values()
    )
    named_none = [key for key in bound if isinstance(given[key], Constant) and given[key].value is None]  # type: ignore[union-attr]
    if package == "tenacity" and last in _TENACITY:
        if never or (call is None or not (call.arguments or bound)):
            return Limit.NONE, None
        return Limit.BOUNDED, attempts
    if package == "backoff":
        return (Limit.BOUNDED, attempts) if bound and len(named_none) < len(bound) else (Limit.NONE, None)
    if package == "retrying" and last == "retry":
        return (Limit.BOUNDED, attempts) if bound else (Limit.NONE, None)
    if never:
        return Limit.NONE, None
    if package == "stamina":
        if {"attempts", "timeout"} <= set(named_none):
            return Limit.NONE, None
        return Limit.BOUNDED, attempts if "attempts" in given else 10
    return (Limit.BOUNDED if attempts else Limit.OPAQUE), attempts


def _number(call: Call) -> int | None:
    value = call.arguments[0] if call.arguments else next((word.value for word in call.keywords), None)
    return value.value if isinstance(value, Constant) and type(value.value) is int else None


def _outcome(call: Call | None, calls: tuple[Call, ...]) -> tuple[Outcome, str]:
    """What the try before may have done: the worst of the exceptions that are named, unknown where none is."""
    if call is None:
        return Outcome.UNKNOWN, ""
    named: list[str] = []
    filtered = False
    for one in calls:
        last = words.last(one.dotted)
        if last in (
            "retry_if_exception",
            "retry_if_result",
            "retry_unless_exception_type",
            "retry_if_not_result",
        ):
            filtered = True
        if last.startswith(("retry_if_not_exception", "retry_any", "retry_all")):
            filtered = True
        values = (
            *one.arguments,
            *(word.value for word in one.keywords if word.name not in ("reraise", "before_sleep")),
        )
        for value in values:
            named += _exceptions(value)
    filters = [word for word in call.keywords if word.name in _FILTERS]
    if named and not filtered:
        return words.worst(named), ", ".join(dict.fromkeys(named))
    if filtered or any(not isinstance(word.value, Constant) for word in filters):
        return Outcome.OPAQUE, ""
    if any(word.name in ("on", "exceptions", "exception", "") for word in call.keywords):
        return Outcome.OPAQUE, ""
    return Outcome.UNKNOWN, ""


def _exceptions(value: Expression) -> list[str]:
    found = []
    for part in walk(value):
        written_as = dotted(part)
        last = words.last(written_as)
        if last[:1].isupper() and names.words(last) and names.words(last)[-1] in _EXCEPTIONS:
            found.append(written_as)
    return found


def of_loop(
    context: Context, flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]
) -> tuple[Limit, int | None]:
    """Whether a loop ends although every try fails, and after how many turns."""
    made = loop.written
    if made is not None and made.kind == "for":
        if made.qualified.removesuffix("()") in _ENDLESS and not _counted(context, flow, made.iterable):
            return _exits(flow, loop, starts, endless=True), None
        return Limit.BOUNDED, turns(context, flow, made.iterable)
    return _exits(flow, loop, starts), None


def _counted(context: Context, flow: Flow, iterable: Expression | None) -> bool:
    """`repeat(None, 5)`: what would go on for ever is told how often."""
    made = context.operation(flow, iterable.number) if isinstance(iterable, Result) else None
    call = made[1] if made is not None else None
    if not isinstance(call, Call) or words.last(call.qualified) != "repeat":
        return False
    return len(call.arguments) > 1 or bool(call.keywords)


def _exits(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...], *, endless: bool = False) -> Limit:
    """Whether a handler can leave, or the loop's test can end it after one; the items of an `endless` one cannot."""
    reached = begun(
        flow, starts, (), lambda block, edge: no_exception(block, edge) and edge.target != loop.head
    )
    if any(point.block not in loop.blocks for point in reached):
        return Limit.BOUNDED
    for point in reached:
        operations = flow.blocks[point.block].operations
        if point.position < len(operations) and isinstance(operations[point.position], Raise):
            return Limit.BOUNDED
    head = flow.blocks[loop.head]
    tests = bool(head.operations) and isinstance(head.operations[-1], Branch | Next)
    if endless or (tests and _set_by_successes(flow, loop, starts)):
        return Limit.BOUNDED if _given_up(flow, loop, starts) else Limit.NONE
    if tests and any(edge.target not in loop.blocks and no_exception(0, edge) for edge in head.edges):
        return Limit.BOUNDED
    for number in loop.blocks:
        for operation in flow.blocks[number].operations:
            if isinstance(operation, Call) and words.last(operation.dotted) in _CLOCKS:
                return Limit.BOUNDED
    return Limit.NONE


def _given_up(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]) -> bool:
    """Whether the loop is left before the next try: `if tries > 5: break`, or a clock is looked at."""
    tried = set()
    for point, operation in flow.points():
        if point.block in loop.blocks and isinstance(operation, Call):
            if words.last(operation.dotted) in _CLOCKS:
                return True
            fails = begun(flow, failed(flow, point), (), lambda _, edge: edge.target != loop.head)
            if not fails.isdisjoint(starts):
                tried.add(point)
    inside = tuple(
        Point(edge.target, 0)
        for edge in flow.blocks[loop.head].edges
        if edge.target in loop.blocks and no_exception(loop.head, edge)
    )
    before = begun(
        flow, inside, tried, lambda block, edge: no_exception(block, edge) and edge.target != loop.head
    )
    return any(
        point.block not in loop.blocks
        or (
            point.position < len(flow.blocks[point.block].operations)
            and isinstance(flow.blocks[point.block].operations[point.position], Raise)
        )
        for point in before
    )


def _set_by_successes(flow: Flow, loop: NaturalLoop, starts: tuple[Point, ...]) -> bool:
    """Whether the test reads one variable of the function, set in the loop only behind what can fail: `not done`."""
    head = flow.blocks[loop.head].operations
    if len(head) != 1 or not isinstance(head[0], Branch):
        return False
    test = head[0].test
    if isinstance(test, Compound) and test.kind == "unary" and test.text == "not":
        test = test.parts[0]
    if not isinstance(test, Variable) or test.reach is not Reach.LOCAL:
        return False
    sets = {
        point: operation
        for point, operation in flow.points()
        if point.block in loop.blocks
        and isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and operation.target.name == test.name
    }
    if not sets or not all(isinstance(operation.value, Constant) for operation in sets.values()):
        return False
    failed = begun(flow, starts, (), lambda _, edge: edge.target != loop.head)
    return not any(
        point in failed
        or not begun(flow, (completed(point),), (), lambda _, edge: edge.target != loop.head).isdisjoint(
            starts
        )
        for point in sets
    )


def turns(context: Context, flow: Flow, iterable: Expression | None) -> int | None:
    """How many turns a loop over `range(3)` or a written list has."""
    match iterable:
        case Compound(kind="tuple" | "list", parts=parts):
            return len(parts)
        case Result(number=number):
            made = context.operation(flow, number)
            if made and isinstance(made[1], Call) and made[1].qualified == "builtins.range":
                numbers = [one.value for one in made[1].arguments if isinstance(one, Constant)]
                if len(numbers) == len(made[1].arguments) and all(type(one) is int for one in numbers):
                    return len(range(*numbers))  # type: ignore[arg-type]
    return None
