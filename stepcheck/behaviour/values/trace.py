"""Where a value comes from: the calls, variables and literals that it is made of, through helpers of the file."""

from collections.abc import Iterator
from dataclasses import replace

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.texts import DAYS, by_day, fixes_order
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.origin import Origin, Way
from stepcheck.catalogue.key_words import key_words
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
    FlowKind,
    Imported,
    Item,
    Point,
    Reach,
    Result,
    Return,
    Variable,
    Yield,
)
from stepcheck.code.flow import Function as Made

_CARRIES = key_words("carries")
"""Last names of calls whose answer is made of nothing but what they are given."""
_HASHERS = key_words("hashers")


def origins(context: Context, flow: Flow, value: Expression, point: Point) -> Iterator[Origin]:
    """Everything that a value read at a place is made of."""
    yield from _Trace(context).of(flow, value, point, Way())


class _Trace:
    """One tracing, and what it has been through."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seen: set[tuple[int, Point, Expression, bool]] = set()

    def of(  # noqa: PLR0912 - one arm a kind of value
        self, flow: Flow, value: Expression, point: Point, way: Way
    ) -> Iterator[Origin]:
        """Where `way.outer` is given, the tracing came through a helper called there."""
        key = (flow.index, point, value, way.ordered)
        if way.left <= 0 or key in self.seen or len(self.seen) > 400:
            return
        self.seen.add(key)
        match value:
            case Variable():
                yield from self.variable(flow, value, point, way)
            case Result(number=number):
                found = self.context.operation(flow, number)
                if found is None:
                    return
                place, operation = found
                if isinstance(operation, Call):
                    yield from self.call(flow, operation, place, way)
                else:
                    for read in _inside(operation):
                        yield from self.of(flow, read, place, way.into())
            case Attribute() | Item():
                yield self.origin(value, flow, point, way)
                yield from self.part(flow, value, point, way)
            case Compound(kind="test", parts=(_, *parts)):
                for part in parts:
                    yield from self.of(flow, part, point, way.into())
            case Compound(kind="iterated" | "unpack" | "exception" | "compare" | "dict"):
                yield self.origin(value, flow, point, way)
                for part in value.parts if value.kind == "dict" else ():
                    yield from self.of(flow, part, point, way.into())
            case Compound(kind="entry", parts=(_, held)):
                yield from self.of(flow, held, point, way.into())
            case Compound(kind="format", parts=(held, *spec)):
                if not by_day(spec):
                    yield from self.of(flow, held, point, way.into("spec" if spec else "format"))
            case Compound(kind="binary", text="//", parts=(_, Constant(value=int(unit)))) if (
                unit % 86400 == 0
            ):
                return
            case Compound(kind="set"):
                yield self.origin(value, flow, point, way)
                for part in value.parts:
                    yield from self.of(flow, part, point, way.into())
            case Compound(parts=parts):
                for part in parts:
                    yield from self.of(flow, part, point, way.into())
            case Made() if self.context.file.flows[value.flow].kind is FlowKind.GENERATOR:
                for part in value.parts:
                    yield from self.of(flow, part, point, way.into("join"))
                inner = self.context.file.flows[value.flow]
                for place, operation in inner.points():
                    if isinstance(operation, Yield):
                        there = replace(way.into(), outer=way.outer or (flow.index, point))
                        yield from self.of(inner, operation.value, place, there)
            case Constant() | Imported() | Made():
                yield self.origin(value, flow, point, way)

    @staticmethod
    def origin(value: Expression | Call, flow: Flow, point: Point, way: Way) -> Origin:
        return Origin(value, flow, point, way.outer or (flow.index, point), way.through, way.ordered)

    def part(self, flow: Flow, value: Attribute | Item, point: Point, way: Way) -> Iterator[Origin]:
        """An attribute or item of what is made here: of a dict written out, of a class called, of a clock."""
        base = value.base
        name = value.name if isinstance(value, Attribute) else ""
        index = value.index if isinstance(value, Item) else None
        if name in DAYS:
            return
        if isinstance(base, Result):
            yield from self.of(flow, base, point, way.into())
            return
        if not isinstance(base, Variable):
            if isinstance(index, Compound):
                yield from self.of(flow, base, point, way.into())
            elif isinstance(base, Attribute | Item):
                yield from self.part(flow, base, point, way.into())
            return
        if isinstance(index, Compound) and index.kind == "slice":
            yield from self.of(flow, base, point, way.into())
            return
        wanted = name or (str(index.value) if isinstance(index, Constant) else "")
        for held, place in self.bound(flow, base, point):
            yield from self.field(flow, held, wanted, place, way)

    def field(self, flow: Flow, held: Expression, wanted: str, place: Point, way: Way) -> Iterator[Origin]:
        """One entry of a dict written out, one argument of a class called; else the call that made the whole."""
        if isinstance(held, Compound) and held.kind == "dict":
            for entry in held.parts:
                match entry:
                    case Compound(kind="entry", parts=(Constant(value=text), inner)) if str(text) == wanted:
                        yield from self.of(flow, inner, place, way.into())
                    case _:
                        pass
        made = self.context.operation(flow, held.number) if isinstance(held, Result) else None
        if made is not None and isinstance(made[1], Call):
            call = made[1]
            given = call.keyword(wanted) if wanted else None
            if given is not None and words.last(call.dotted)[:1].isupper():
                yield from self.of(flow, given.value, made[0], way.into())
            else:
                yield self.origin(call, flow, made[0], way)

    def bound(self, flow: Flow, base: Variable, point: Point) -> Iterator[tuple[Expression, Point]]:
        """What a variable may hold there, as assigned in the function."""
        for one in self.context.definitions(flow).of(base.name, point):
            held = one.value(flow)
            if held is not None and one.point is not None:
                yield held, one.point

    def variable(self, flow: Flow, value: Variable, point: Point, way: Way) -> Iterator[Origin]:
        found = self.context.definitions(flow).of(value.name, point)
        if value.reach is Reach.FREE and not any(one.point for one in found):
            yield from self.enclosing(flow, value, point, way)
            return
        if value.reach is Reach.GLOBAL and not any(one.point for one in found) and flow.parent is not None:
            yield from self.loaded(value, flow, point, way)
            return
        if not found or any(one.point is None for one in found):
            yield self.origin(value, flow, point, way)
            yield from self.default(flow, value, point, way)
        for one in found:
            held = one.value(flow)
            if one.point is None or held is None:
                continue
            place = one.point if way.outer is None else way.outer[1]
            outer = None if way.outer is None else (way.outer[0], place)
            yield from self.of(flow, held, one.point, replace(way.into(), outer=outer))
            yield from self.fed(flow, value, held, one.point, way)

    def fed(self, flow: Flow, value: Variable, held: Expression, place: Point, way: Way) -> Iterator[Origin]:
        """What a hash object is given after it was made: `h.update(x)`; what is appended to a list."""
        made = self.context.operation(flow, held.number) if isinstance(held, Result) else None
        hashes = made is not None and isinstance(made[1], Call) and words.last(made[1].dotted) in _HASHERS
        grows = isinstance(held, Compound) and held.kind == "list"
        if not hashes and not grows:
            return
        for point, call in self.context.calls(flow):
            callee = call.callee
            if (
                isinstance(callee, Attribute)
                and callee.name in ("update", "append")
                and isinstance(callee.base, Variable)
                and callee.base.name == value.name
                and point != place
            ):
                for given in call.arguments:
                    yield from self.of(flow, given, point, way.into("update"))

    def default(self, flow: Flow, value: Variable, point: Point, way: Way) -> Iterator[Origin]:
        """What is made when the function is defined, for a parameter that nobody gives."""
        for parameter in flow.parameters:
            if parameter.name == value.name and parameter.default is not None:
                for call in parameter.default.calls:
                    yield replace(self.origin(call, flow, point, way), once=True)

    def loaded(self, value: Variable, flow: Flow, point: Point, way: Way) -> Iterator[Origin]:
        """A variable of the module: what is assigned to it at its top."""
        module = self.context.file.flows[0]
        held = [
            (place, operation.value)
            for place, operation in module.points()
            if isinstance(operation, Assign)
            and isinstance(operation.target, Variable)
            and operation.target.name == value.name
        ]
        if len(held) != 1:
            yield self.origin(value, flow, point, way)
            return
        for place, given in held:
            for one in self.of(module, given, place, replace(way.into(), outer=None)):
                yield replace(one, once=True)

    def enclosing(self, flow: Flow, value: Variable, point: Point, way: Way) -> Iterator[Origin]:
        """A variable of an enclosing function: what that assigns to it anywhere."""
        above = flow.parent
        while above is not None:
            around = self.context.file.flows[above]
            if any(parameter.name == value.name for parameter in around.parameters):
                yield Origin(value, around, Point(0, 0), (flow.index, point), way.through, way.ordered)
                return
            held = [
                (place, operation.value)
                for place, operation in around.points()
                if isinstance(operation, Assign)
                and isinstance(operation.target, Variable)
                and operation.target.name == value.name
            ]
            for place, given in held:
                yield from self.of(around, given, place, replace(way.into(), outer=None))
            if held:
                return
            above = around.parent

    def call(self, flow: Flow, call: Call, point: Point, way: Way) -> Iterator[Origin]:
        here = way.outer or (flow.index, point)
        yield self.origin(call, flow, point, way)
        if _by_date(call):
            return
        name = words.last(call.dotted) or (call.callee.name if isinstance(call.callee, Attribute) else "")
        helpers = self.context.called(flow, call)
        for helper in helpers[:3]:
            if helper.name == "__init__" or helper.generator or _cached(helper):
                continue
            for place, operation in helper.points():
                if isinstance(operation, Return):
                    inner = replace(way.into(steps=2), outer=here)
                    yield from self.of(helper, operation.value, place, inner)
        if helpers or name in _CARRIES:
            inner = way.into("" if helpers else name, ordered=not helpers and fixes_order(call, name))
            if (isinstance(call.callee, Attribute) and not isinstance(call.callee.base, Variable)) or (
                isinstance(call.callee, Attribute) and name in _CARRIES
            ):
                yield from self.of(flow, call.callee.base, point, inner)
            for given in (*call.arguments, *(word.value for word in call.keywords)):
                yield from self.of(flow, given, point, inner)


def _cached(helper: Flow) -> bool:
    """Whether a function is run once for the same arguments: what it makes stays."""
    return any("cache" in made.dotted.rpartition(".")[2] for made in helper.decorators)


def _by_date(call: Call) -> bool:
    """Whether no more than the date of a moment is left."""
    callee = call.callee
    name = callee.name if isinstance(callee, Attribute) else ""
    if name in ("date", "isocalendar", "toordinal", "weekday") and not call.arguments:
        return True
    if name == "strftime":
        return by_day(call.arguments)
    return name == "replace" and any(word.name == "hour" for word in call.keywords)


def _inside(operation: object) -> tuple[Expression, ...]:
    return (operation.value,) if isinstance(operation, Await | Evaluate) else ()
