"""Functions that task queues, schedulers and engines begin again when they fail, told by their options."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.analysis.retry import Manner, Region
from stepcheck.behaviour.again import refusals, regions
from stepcheck.behaviour.again.regions import Repeated
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.runners import Runner, runners
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Evaluated,
    Expression,
    Flow,
    FlowKind,
    Item,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.code.flow.expression import NONE
from stepcheck.facts import Again, Evidence, Limit, Outcome, Span

_SETTINGS = ("task_acks_late", "CELERY_TASK_ACKS_LATE", "CELERY_ACKS_LATE")


def queued(context: Context) -> Iterator[Repeated]:
    """Every region that something which runs functions begins again after an exception."""
    for flow in context.file.flows:
        if flow.kind is FlowKind.FUNCTION:
            for made in flow.decorators:
                again = _run(made)
                if again is not None:
                    yield Repeated(
                        Region(Manner.UNIT, flow.index, None, made.qualified, made.span, None), again
                    )
                    break
            yield from _asked_again(context, flow)
        yield from _handed(context, flow)


def redelivered(context: Context) -> Iterator[Repeated]:
    """Every function that a broker gives out once more when its worker dies, although nothing says retry."""
    late = _late(context)
    for flow in context.file.flows:
        for made in flow.decorators if flow.kind is FlowKind.FUNCTION else ():
            given = _given(made)
            for runner in runners(made.qualified):
                told = runner.rerun and usual(made.qualified).partition(".")[0] in runner.packages
                if told or _redelivers(runner, given) or (late is not None and runner.name == "Celery"):
                    limit = Limit.NONE if _handed_back(given) else Limit.OPAQUE
                    again = Again(
                        runner.name, made.span, limit, None, Outcome.UNKNOWN, "", Evidence.BODY, pauses=True
                    )
                    yield Repeated(
                        Region(Manner.UNIT, flow.index, None, made.qualified, made.span, None), again
                    )
                    break


def _given(made: Evaluated) -> dict[str, Expression]:
    return {word.name: word.value for word in made.call.keywords} if made.call else {}


def _run(made: Evaluated) -> Again | None:
    """How a function with the decorator of a task queue or a scheduler is begun again."""
    given = _given(made)
    for runner in runners(made.qualified):
        if _retries(runner, given):
            again = _again(runner, made, given)
            return again if again.doubtful and again.attempts != 1 else None
    return None


def _handed_back(given: dict[str, Expression]) -> bool:
    """Whether a message is given back to the broker when its handler fails."""
    texts = {
        str(text).lower() for name in ("on_error", "ack_policy") for text in _texts(given.get(name, NONE))
    }
    return not texts.isdisjoint({"nack", "requeue", "retry", "nack_on_error"})


def _redelivers(runner: Runner, given: dict[str, Expression]) -> bool:
    return any(
        name in given and not {*map(str, _texts(given[name]))}.isdisjoint(wanted)
        for name, wanted in runner.redelivers.items()
    )


def _retries(runner: Runner, given: dict[str, Expression]) -> bool:
    if runner.switches:
        return any(name in given and not _off(given[name]) for name in runner.switches)
    return bool(runner.packages) and not any(name in given and _off(given[name]) for name in runner.number)


def _again(runner: Runner, made: Evaluated, given: dict[str, Expression]) -> Again:
    number = next((_number(given[name], made.calls) for name in runner.number if name in given), None)
    attempts: int | None = runner.attempts
    if number is not None:
        attempts = number + runner.counts_extra
    elif any(name in given for name in runner.number):
        attempts = None
    kinds = [
        dotted(part) for name in runner.only if name in given for part in _listed(given[name]) if dotted(part)
    ]
    limit = Limit.NONE if attempts == -1 else Limit.BOUNDED
    return Again(
        runner.name,
        made.span,
        limit,
        None if attempts == -1 else attempts,
        words.worst(kinds) if kinds else Outcome.UNKNOWN,
        ", ".join(dict.fromkeys(kinds)),
        Evidence.BODY,
        pauses=True,
        default=not runner.switches and not any(name in given for name in runner.number),
    )


def _listed(value: Expression) -> tuple[Expression, ...]:
    return value.parts if isinstance(value, Compound) else (value,)


def _off(value: Expression) -> bool:
    match value:
        case Constant(value=found):
            return not found
        case Compound(kind="tuple" | "list" | "set", parts=parts):
            return not parts
        case _:
            return False


def _number(value: Expression, calls: tuple[Call, ...]) -> int | None:
    """How many: a number, or the first one of a policy: `Retry(max=3)`, `RetryPolicy(max_retries=3)`."""
    match value:
        case Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case Result(number=index) if index < len(calls):
            policy = calls[index]
            values = (*policy.arguments[:1], *(word.value for word in policy.keywords))
            return next(
                (one.value for one in values if isinstance(one, Constant) and type(one.value) is int), None
            )
        case _:
            return None


def _texts(value: Expression) -> Iterator[object]:
    for part in walk(value):
        match part:
            case Constant(value=found):
                yield found
            case Attribute(name=name) | Variable(name=name):
                yield name
            case _:
                pass


def _late(context: Context) -> Span | None:
    """Where the app is told that tasks are acknowledged after they ran, or None."""
    for flow in context.file.flows:
        for _, operation in flow.points():
            target = getattr(operation, "target", None)
            value = getattr(operation, "value", None)
            name = ""
            if isinstance(target, Variable | Attribute):
                name = target.name
            elif isinstance(target, Item) and isinstance(target.index, Constant):
                name = str(target.index.value)
            if name in _SETTINGS and isinstance(value, Constant) and value.value is True:
                return operation.span
            if isinstance(operation, Call):
                for word in operation.keywords:
                    if word.name in _SETTINGS and getattr(word.value, "value", None) is True:
                        return word.span
    return None


def _asked_again(context: Context, flow: Flow) -> Iterator[Repeated]:
    """`raise self.retry(...)` in a task: all of it before that is run once more."""
    if not flow.decorators or not flow.parameters:
        return
    first = flow.parameters[0].name
    number = next(
        (
            word.value.value
            for made in flow.decorators
            if made.call
            for word in made.call.keywords
            if word.name == "max_retries" and isinstance(word.value, Constant)
        ),
        3,
    )
    for point, call in context.calls(flow):
        callee = call.callee
        if not (isinstance(callee, Attribute) and callee.name == "retry"):
            continue
        if not (isinstance(callee.base, Variable) and callee.base.name in (first, flow.name)):
            continue
        catches = [
            (place, catch)
            for place, catch in context.catches(flow)
            if point in begun(flow, regions.caught(flow, place))
        ]
        kinds = [kind for _, catch in catches for kind in regions.types(catch)]
        again = Again(
            "'self.retry'", call.span, Limit.NONE if number is None else Limit.BOUNDED,
            number + 1 if isinstance(number, int) else None,
            refusals.outcome(context, flow, catches, point) if catches else Outcome.UNKNOWN,
            ", ".join(kind.removeprefix("?").removeprefix("builtins.") for kind in kinds), Evidence.BODY,
            pauses=True,
        )  # fmt: skip
        if again.doubtful:
            blocks = _before(flow, point)
            yield Repeated(Region(Manner.UNIT, flow.index, blocks, "", call.span, point), again)


def _before(flow: Flow, point: Point) -> frozenset[int]:
    """The blocks from which control can come to a place."""
    above: list[list[int]] = [[] for _ in flow.blocks]
    for number, block in enumerate(flow.blocks):
        for edge in block.edges:
            above[edge.target].append(number)
    found = {point.block}
    waiting = [point.block]
    while waiting:
        for number in above[waiting.pop()]:
            if number not in found:
                found.add(number)
                waiting.append(number)
    return frozenset(found)


def _handed(context: Context, flow: Flow) -> Iterator[Repeated]:
    """`PythonOperator(python_callable=load, retries=3)`, `queue.enqueue(load, retry=Retry(max=3))`, graph nodes."""
    for _, call in context.calls(flow):
        given = {word.name: word.value for word in call.keywords}
        last = words.last(call.dotted)
        target: Expression | None
        amount: Expression | None
        if "python_callable" in given:
            target, amount = given["python_callable"], given.get("retries")
        elif last in ("enqueue", "enqueue_call", "enqueue_in", "enqueue_at"):
            target, amount = next(iter(call.arguments), given.get("func")), given.get("retry")
        elif last == "add_node":
            target = next(iter(call.arguments[1:2] or call.arguments[:1]), given.get("action"))
            amount = given.get("retry") or given.get("retry_policy")
        else:
            continue
        if target is None or amount is None or _off(amount):
            continue
        again = Again(
            f"{call.dotted!r}",
            call.span,
            Limit.BOUNDED,
            None,
            Outcome.UNKNOWN,
            "",
            Evidence.BODY,
            pauses=True,
        )
        for index in context.callees.named(flow, target):
            yield Repeated(Region(Manner.UNIT, index, None, call.qualified, call.span, None), again)
