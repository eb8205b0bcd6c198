"""Where a value comes from: the calls, variables and literals that it is made of, through helpers of the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from stepcheck.behaviour import words
from stepcheck.behaviour.context import Context
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Await,
    Call,
    Compound,
    Constant,
    Evaluate,
    Expression,
    Flow,
    Imported,
    Item,
    Point,
    Reach,
    Result,
    Return,
    Variable,
    walk,
)
from stepcheck.code.flow import Function as Made

DEPTH = 12
"""Steps from a value to what it is made of; longer ways are left."""
_CARRIES = frozenset(
    {
        "str", "repr", "int", "float", "bytes", "format", "join", "encode", "decode", "hexdigest", "digest",
        "hex", "sha256", "sha1", "sha512", "sha224", "sha384", "md5", "blake2b", "blake2s", "new", "uuid5",
        "uuid3", "UUID", "b64encode", "urlsafe_b64encode", "b32encode", "hexlify", "dumps", "tuple", "list",
        "sorted", "dict", "frozenset", "set", "lower", "upper", "strip", "rstrip", "lstrip", "replace", "isoformat",
        "strftime", "timestamp", "round", "abs", "ljust", "zfill", "quote", "copy", "getvalue", "xxh64", "crc32",
        "sign", "adler32", "title", "items", "values", "ceil", "floor", "model_dump_json",
    }
)  # fmt: skip
"""Last names of calls whose answer is made of nothing but what they are given."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Something that a value is made of, with its place."""

    value: Expression | Call
    """A call that makes something; a variable that nothing in reach defines; a literal; an attribute, an item."""
    flow: Flow
    point: Point
    """Where it is made, or read."""
    outer: tuple[int, Point]
    """The flow where the tracing began and the place there: of the helper's call, for what a helper makes."""


def origins(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Origin]:
    """Everything that a value read at a place is made of."""
    yield from _Trace(context).of(flow, value, point, None, DEPTH)


class _Trace:
    """One tracing, and what it has been through."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seen: set[tuple[int, Point, Expression]] = set()

    def of(  # noqa: PLR0912 - one arm a kind of value
        self, flow: Flow, value: Expression, point: Point, outer: tuple[int, Point] | None, left: int
    ) -> Iterator[Origin]:
        """Where `outer` is given, the tracing came through a helper called there."""
        key = (flow.index, point, value)
        if left <= 0 or key in self.seen or len(self.seen) > 400:
            return
        self.seen.add(key)
        here = outer or (flow.index, point)
        match value:
            case Variable():
                yield from self.variable(flow, value, point, outer, left)
            case Result(number=number):
                found = self.context.operation(flow, number)
                if found is None:
                    return
                place, operation = found
                if isinstance(operation, Call):
                    yield from self.call(flow, operation, place, outer, left)
                else:
                    for read in _inside(operation):
                        yield from self.of(flow, read, place, outer, left - 1)
            case Attribute(base=base) | Item(base=base):
                yield Origin(value, flow, point, here)
                if isinstance(base, Result):
                    yield from self.of(flow, base, point, outer, left - 1)
            case Compound(kind="test", parts=(_, *parts)):
                for part in parts:
                    yield from self.of(flow, part, point, outer, left - 1)
            case Compound(kind="iterated" | "unpack" | "exception" | "compare"):
                yield Origin(value, flow, point, here)
            case Compound(kind="entry", parts=(_, held)):
                yield from self.of(flow, held, point, outer, left - 1)
            case Compound(kind="set"):
                yield Origin(value, flow, point, here)
                for part in value.parts:
                    yield from self.of(flow, part, point, outer, left - 1)
            case Compound(parts=parts):
                for part in parts:
                    yield from self.of(flow, part, point, outer, left - 1)
            case Constant() | Imported() | Made():
                yield Origin(value, flow, point, here)

    def variable(
        self, flow: Flow, value: Variable, point: Point, outer: tuple[int, Point] | None, left: int
    ) -> Iterator[Origin]:
        here = outer or (flow.index, point)
        found = self.context.definitions(flow).of(value.name, point)
        if value.reach is Reach.FREE and not any(one.point for one in found):
            yield from self.enclosing(flow, value, point, left)
            return
        if not found or any(one.point is None for one in found):
            yield Origin(value, flow, point, here)
        for one in found:
            held = one.value(flow)
            if one.point is None or held is None:
                continue
            place = one.point if outer is None else outer[1]
            yield from self.of(flow, held, one.point, None if outer is None else (outer[0], place), left - 1)

    def enclosing(self, flow: Flow, value: Variable, point: Point, left: int) -> Iterator[Origin]:
        """A variable of an enclosing function: what that assigns to it anywhere."""
        above = flow.parent
        while above is not None:
            around = self.context.file.flows[above]
            if any(parameter.name == value.name for parameter in around.parameters):
                yield Origin(value, flow, point, (flow.index, point))
                return
            held = [
                (place, operation.value)
                for place, operation in around.points()
                if isinstance(operation, Assign)
                and isinstance(operation.target, Variable)
                and operation.target.name == value.name
            ]
            for place, given in held:
                yield from self.of(around, given, place, None, left - 1)
            if held:
                return
            above = around.parent

    def call(
        self, flow: Flow, call: Call, point: Point, outer: tuple[int, Point] | None, left: int
    ) -> Iterator[Origin]:
        here = outer or (flow.index, point)
        yield Origin(call, flow, point, here)
        name = words.last(call.dotted) or (call.callee.name if isinstance(call.callee, Attribute) else "")
        helpers = self.context.called(flow, call)
        for helper in helpers[:3]:
            if helper.name == "__init__" or helper.generator:
                continue
            for place, operation in helper.points():
                if isinstance(operation, Return):
                    yield from self.of(helper, operation.value, place, here, left - 2)
        if helpers or name in _CARRIES:
            if (isinstance(call.callee, Attribute) and not isinstance(call.callee.base, Variable)) or (
                isinstance(call.callee, Attribute) and name in _CARRIES
            ):
                yield from self.of(flow, call.callee.base, point, outer, left - 1)
            for given in (*call.arguments, *(word.value for word in call.keywords)):
                yield from self.of(flow, given, point, outer, left - 1)


def _inside(operation: object) -> tuple[Expression, ...]:
    return (operation.value,) if isinstance(operation, Await | Evaluate) else ()


def literals(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Compound]:
    """The dict literals that a value is, or holds, through variables, `{**other}`, lists and helpers."""
    seen: set[Place] = set()
    waiting: list[Place] = [(flow.index, value, point)]
    while waiting and len(seen) < 200:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        for part in walk(place[1]):
            if isinstance(part, Compound) and part.kind == "dict":
                yield part
            elif isinstance(part, Variable | Result):
                waiting += _behind(context, context.file.flows[place[0]], part, place[2])


Place: TypeAlias = tuple[int, Expression, Point]
"""A value with the flow and the point where it is read."""


def _behind(context: Context, flow: Flow, part: Variable | Result, point: Point) -> Iterator[Place]:
    """The values that a variable, or the answer of a call, is made of."""
    if isinstance(part, Variable):
        for one in context.definitions(flow).of(part.name, point):
            held = one.value(flow)
            if held is not None and one.point is not None:
                yield flow.index, held, one.point
        return
    made = context.operation(flow, part.number)
    call = None if made is None else made[1]
    if made is None or not isinstance(call, Call):
        return
    place = made[0]
    for given in (*call.arguments, *(word.value for word in call.keywords)):
        yield flow.index, given, place
    helpers = [helper.index for helper in context.called(flow, call)]
    helpers += [index for given in call.arguments for index in context.callees.named(flow, given)]
    for index in helpers[:4]:
        for where, back in context.file.flows[index].points():
            if isinstance(back, Return):
                yield index, back.value, where
