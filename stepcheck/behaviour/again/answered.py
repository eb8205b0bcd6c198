"""Loops that send again because of the answer's status, without an exception: `if answer.status >= 500: continue`."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.again import limits
from stepcheck.behaviour.again.intents import same_intent
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    Edge,
    EdgeKind,
    Enter,
    Expression,
    Flow,
    Point,
    Raise,
    Result,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Again, Evidence, Limit, Outcome

_LOST = (503, 500, 502, 504)
"""Answers after which the work may have been done. RFC 9110 section 15.6."""
_DONE = (200, 201, 202, 204)
_STATUS = frozenset({"status_code", "status", "code", "http_status"})
_FLAGS: Mapping[str, Callable[[int], bool]] = {
    "ok": lambda status: status < 400,
    "is_success": lambda status: 200 <= status < 300,
    "is_error": lambda status: status >= 400,
    "is_client_error": lambda status: 400 <= status < 500,
    "is_server_error": lambda status: status >= 500,
}
"""What answers of requests, httpx and aiohttp say of themselves."""
_COMPARES: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda one, many: one in many,
    "not in": lambda one, many: one not in many,
}


def sent_again(context: Context, flow: Flow, point: Point) -> tuple[Again, tuple[Point, ...]] | None:
    """How a loop begins a request again after an answer of 5xx that a 2xx would have ended, and from where."""
    call = at(flow, point)
    loop = next((one for one in context.loops(flow) if point.block in one.blocks), None)
    if loop is None or not isinstance(call, Call) or not _reads_status(flow, loop):
        return None
    after = {status: _after(context, flow, point, call, status) for status in (*_LOST, *_DONE)}
    status = next((one for one in _LOST if point in after[one]), None)
    if status is None or all(point in after[one] for one in _DONE):
        return None
    if not same_intent(context, flow, loop, point):
        return None
    made = loop.written
    bounded = made is not None and made.kind == "for" and made.qualified.startswith("builtins.range")
    attempts = limits.turns(context, flow, made.iterable) if made is not None and bounded else None
    ends = bounded or _leaves(flow, loop, after[status])
    again = Again(
        "the loop", made.span if made is not None else call.span, Limit.BOUNDED if ends else Limit.NONE, attempts,
        Outcome.UNKNOWN, "", Evidence.BODY, answer=status,
        pauses=any(words.pauses(other.dotted) for place, other in context.calls(flow) if place in after[status]),
    )  # fmt: skip
    return again, (completed(point),)


def _reads_status(flow: Flow, loop: NaturalLoop) -> bool:
    """Whether the loop looks at the status of anything: cheap, and asked first."""
    return any(
        isinstance(part, Attribute) and (part.name in _STATUS or part.name in _FLAGS)
        for number in loop.blocks
        for operation in flow.blocks[number].operations
        for value in reads(operation)
        for part in walk(value)
    )


def _after(context: Context, flow: Flow, point: Point, call: Call, status: int) -> frozenset[Point]:
    """What may be begun after the call when it is answered with that status, up to the call itself."""

    def follow(block: int, edge: Edge) -> bool:
        if not no_exception(block, edge):
            return False
        operations = flow.blocks[block].operations
        last = operations[-1] if operations else None
        if not isinstance(last, Branch):
            return True
        told = _Answer(context, flow, call, status).holds(last.test, Point(block, len(operations) - 1))
        return told is None or edge.kind is (EdgeKind.TRUE if told else EdgeKind.FALSE)

    raises = {place for place, other in context.calls(flow) if words.last(other.dotted) == "raise_for_status"}
    return begun(flow, (completed(point),), {point} | (raises if status >= 400 else set()), follow)


def _leaves(flow: Flow, loop: NaturalLoop, after: frozenset[Point]) -> bool:
    """Whether the loop may be left, or something raised, before the call is begun again."""
    for place in after:
        operations = flow.blocks[place.block].operations
        if place.block not in loop.blocks:
            return True
        if place.position < len(operations) and isinstance(operations[place.position], Raise):
            return True
    return False


_UNKNOWN = object()
"""A value that only a run could tell."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What tests say when a call is answered with a certain status."""

    context: Context
    flow: Flow
    call: Call
    status: int

    def holds(self, test: Expression, point: Point) -> bool | None:
        """Whether a test holds; None where the status does not tell."""
        if isinstance(test, Compound) and test.kind == "unary" and test.text == "not":
            told = self.holds(test.parts[0], point)
            return None if told is None else not told
        if isinstance(test, Compound) and test.kind == "compare":
            return self._compared(test, point)
        flag = self._value(test, point)
        return flag if isinstance(flag, bool) else None

    def _compared(self, test: Compound, point: Point) -> bool | None:
        texts = [test.text] if len(test.parts) == 2 else test.text.split(" ")
        values = [self._value(part, point) for part in test.parts]
        if len(texts) != len(values) - 1 or any(text not in _COMPARES for text in texts):
            return None
        if any(value is _UNKNOWN for value in values):
            return None
        try:
            return all(
                _COMPARES[text](one, other)
                for text, one, other in zip(texts, values, values[1:], strict=False)
            )
        except TypeError:
            return None

    def _value(self, value: Expression, point: Point) -> object:
        match value:
            case Constant(value=constant):
                return constant
            case Attribute(base=base, name=name) if name in _STATUS and self._answers(base, point):
                return self.status
            case Attribute(base=base, name=name) if name in _FLAGS and self._answers(base, point):
                return _FLAGS[name](self.status)
            case Compound(kind="tuple" | "list" | "set", parts=parts):
                values = tuple(self._value(part, point) for part in parts)
                return _UNKNOWN if any(one is _UNKNOWN for one in values) else values
            case Compound(kind="binary", text="//", parts=(left, right)):
                one, other = self._value(left, point), self._value(right, point)
                return one // other if isinstance(one, int) and isinstance(other, int) and other else _UNKNOWN
            case Variable(name=name):
                held = [one.value(self.flow) for one in self.context.definitions(self.flow).of(name, point)]
                told = [self._value(one, point) for one in held if isinstance(one, Attribute)]
                return told[0] if len(told) == len(held) == 1 else _UNKNOWN
            case _:
                return _UNKNOWN

    def _answers(self, value: Expression, point: Point) -> bool:
        """Whether a value is the answer of the call, or what a context manager makes of it."""
        if isinstance(value, Variable):
            found = self.context.definitions(self.flow).of(value.name, point)
            return any(
                isinstance(held := one.value(self.flow), Result) and self._answers(held, point)
                for one in found
            )
        if not isinstance(value, Result):
            return False
        if value.number == self.call.number:
            return True
        made = self.context.operation(self.flow, value.number)
        return made is not None and isinstance(made[1], Enter) and self._answers(made[1].context, point)
