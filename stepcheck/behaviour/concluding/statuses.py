"""Writes that are taken for failed because their answer's status is one that does not tell."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.concluding.endings import said, settles
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.study import Study
from stepcheck.catalogue.conclusions import Ended
from stepcheck.catalogue.exceptions import of_status
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Compound,
    Constant,
    EdgeKind,
    Enter,
    Expression,
    Flow,
    Point,
    Result,
    Variable,
)
from stepcheck.facts import Outcome, Span
from stepcheck.facts.concluding import ConcludedWrite, Conclusion

_STATUS = frozenset({"status_code", "status", "code"})


def spoken(flow: Flow) -> bool:
    """Whether a function has a branch for such a status."""
    lasts = (block.operations[-1] for block in flow.blocks if block.operations)
    return any(
        isinstance(one, Branch) and isinstance(one.test, Compound) and _tested(one.test) is not None
        for one in lasts
    )


def statuses(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[ConcludedWrite]:
    """Every branch for a 5xx, or one of the 4xx that do not tell, that says that the write failed."""
    by_number = {write.call.number: write for write in made if not write.enqueues}
    if not by_number:
        return
    told: set[Span] = set()
    for number, block in enumerate(flow.blocks):
        last = block.operations[-1] if block.operations else None
        if not isinstance(last, Branch) or not isinstance(last.test, Compound):
            continue
        held = _tested(last.test)
        if held is None:
            continue
        place = Point(number, len(block.operations) - 1)
        write = _whose(study.context, flow, held, place, by_number)
        edges = {edge.kind: edge.target for edge in block.edges}
        if write is None or EdgeKind.TRUE not in edges or last.span in told:
            continue
        other = begun(flow, (Point(edges[EdgeKind.FALSE], 0),)) if EdgeKind.FALSE in edges else frozenset()
        within = begun(flow, (Point(edges[EdgeKind.TRUE], 0),)) - other
        if settles(study, flow, within):
            continue
        found = next((one for one in said(study, flow, within) if one.ended is Ended.FAILED), None)
        if found is not None:
            told.add(last.span)
            yield ConcludedWrite(
                found.span, write.name, write.span, flow.qualname, write.evidence, Conclusion.FAILED,
                found.how, "a status that does not tell", last.span,
            )  # fmt: skip


def _tested(test: Compound) -> Expression | None:
    """The answer whose status is compared with nothing but statuses after which the work may have been done."""
    if test.kind != "compare" or len(test.parts) < 2:
        return None
    operator, (first, second, *_) = test.text.partition(" ")[0], test.parts
    if isinstance(first, Constant) and operator in ("<=", "<", "=="):
        operator, first, second = {"<=": ">=", "<": ">"}.get(operator, operator), second, first
    if not (isinstance(first, Attribute) and first.name in _STATUS):
        return None
    values = (
        second.parts
        if isinstance(second, Compound) and second.kind in ("tuple", "list", "set")
        else (second,)
    )
    numbers = [one.value for one in values if isinstance(one, Constant) and type(one.value) is int]
    if not numbers or len(numbers) != len(values):
        return None
    open_ended = operator in (">=", ">") and min(numbers) >= 499
    listed = operator in ("==", "in") and all(
        of_status(one) is Outcome.UNKNOWN and one >= 400 and one != 429
        for one in numbers
        if isinstance(one, int)
    )
    return first.base if open_ended or listed else None


def _whose(
    context: Context, flow: Flow, answer: Expression, point: Point, writes: dict[int, Write]
) -> Write | None:
    """The write whose answer a value is, through variables and `async with`."""
    waiting = [(answer, point)]
    for _ in range(8):
        if not waiting:
            break
        value, place = waiting.pop()
        if isinstance(value, Result) and value.number in writes:
            return writes[value.number]
        if isinstance(value, Result):
            made = context.operation(flow, value.number)
            if made is not None and isinstance(made[1], Enter):
                waiting.append((made[1].context, made[0]))
        elif isinstance(value, Variable):
            for one in context.definitions(flow).of(value.name, place):
                held = one.value(flow)
                if held is not None and one.point is not None:
                    waiting.append((held, one.point))
    return None
