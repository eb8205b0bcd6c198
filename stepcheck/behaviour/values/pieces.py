"""What a key is built by: every value and call on the way from its parts to it."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.definitions import Definition
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Return,
    Variable,
)
from stepcheck.facts import Span

_DEPTH = 12
_PASSES = key_words("passes")
_TEXTUAL = key_words("textual")


@dataclass(frozen=True, slots=True)
class Piece:
    """A value, or a call, that a key is built by."""

    flow: Flow
    value: Expression | Call
    point: Point
    textual: bool
    """What it gives is taken for text, or is the key itself."""

    @property
    def span(self) -> Span:
        """Of the call, or of the operation that it stands in."""
        return self.value.span if isinstance(self.value, Call) else at(self.flow, self.point).span


def pieces(context: Context, flow: Flow, value: Expression, point: Point) -> list[Piece]:
    """Every piece of a key, the outer ones first, through variables, hashes and helpers of the file."""
    return list(_Building(context).of(flow, value, point, textual=True, left=_DEPTH))


class _Building:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.seen: set[tuple[int, Point, Expression]] = set()

    def of(self, flow: Flow, value: Expression, point: Point, *, textual: bool, left: int) -> Iterator[Piece]:
        key = (flow.index, point, value)
        if left <= 0 or key in self.seen or len(self.seen) > 200:
            return
        self.seen.add(key)
        match value:
            case Variable(name=name):
                for one in self.context.definitions(flow).of(name, point):
                    yield from self.held(flow, one, textual=textual, left=left - 1)
            case Result(number=number):
                made = self.context.operation(flow, number)
                if made is not None and isinstance(made[1], Call):
                    yield from self.call(flow, made[1], made[0], textual=textual, left=left)
            case Item(base=base) | Attribute(base=Result() as base):
                yield Piece(flow, value, point, textual)
                yield from self.of(flow, base, point, textual=textual, left=left - 1)
            case Compound(kind="text" | "binary"):
                yield Piece(flow, value, point, textual)
                inner = value.kind != "text" and textual
                for part in value.parts:
                    yield from self.of(flow, part, point, textual=inner, left=left - 1)
            case Compound(kind=kind, parts=parts) if kind not in ("compare", "dict", "iterated", "unpack"):
                for part in parts[1:] if kind == "test" else parts:
                    yield from self.of(flow, part, point, textual=textual, left=left - 1)
            case _:
                return

    def held(self, flow: Flow, one: Definition, *, textual: bool, left: int) -> Iterator[Piece]:
        value = one.value(flow)
        if value is not None and one.point is not None:
            yield from self.of(flow, value, one.point, textual=textual, left=left)

    def call(self, flow: Flow, call: Call, point: Point, *, textual: bool, left: int) -> Iterator[Piece]:
        yield Piece(flow, call, point, textual)
        for helper in self.context.called(flow, call)[:3]:
            for place, operation in helper.points():
                if isinstance(operation, Return) and helper.name != "__init__":
                    yield from self.of(helper, operation.value, place, textual=textual, left=left - 2)
        name = words.last(call.dotted) or getattr(call.callee, "name", "")
        if name not in _PASSES:
            return
        inner = name in _TEXTUAL
        if isinstance(call.callee, Attribute):
            yield from self.of(flow, call.callee.base, point, textual=inner, left=left - 1)
        for given in call.arguments:
            yield from self.of(flow, given, point, textual=inner, left=left - 1)
