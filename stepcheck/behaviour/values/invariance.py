"""Whether a value is another one at each turn of a loop."""

from collections.abc import Collection

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context, at
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    dotted,
)
from stepcheck.code.flow.expression import children

_SAME = key_words("same")
"""Last names of calls that give the same for the same."""


def varies(context: Context, flow: Flow, value: Expression, point: Point, blocks: Collection[int]) -> bool:
    """Whether a value may differ from turn to turn; True too for what cannot be told."""
    return _Varying(context, flow, blocks).of(value, point, 12)


class _Varying:
    def __init__(self, context: Context, flow: Flow, blocks: Collection[int]) -> None:
        self.context = context
        self.flow = flow
        self.blocks = blocks
        self.seen: set[tuple[Expression, Point]] = set()

    def of(self, value: Expression, point: Point, left: int) -> bool:
        if left <= 0:
            return True
        if (value, point) in self.seen:
            return False
        self.seen.add((value, point))
        match value:
            case Variable(name=name):
                return self.variable(name, point, left)
            case Result(number=number):
                return self.answer(number, left)
            case Attribute() | Item():
                return self.changed(value) or any(self.of(one, point, left - 1) for one in children(value))
            case Compound(kind="iterated"):
                return point.block in self.blocks
            case Compound(parts=parts):
                return any(self.of(one, point, left - 1) for one in parts)
            case _:
                return False

    def answer(self, number: int, left: int) -> bool:
        """The answer of a call in the loop: the same for the same, where that is known of the call."""
        found = self.context.operation(self.flow, number)
        if found is None:
            return True
        place, operation = found
        if place.block not in self.blocks:
            return False
        if not isinstance(operation, Call):
            return True
        name = words.last(operation.dotted) or getattr(operation.callee, "name", "")
        given = [*operation.arguments, *(word.value for word in operation.keywords)]
        if isinstance(operation.callee, Attribute):
            given.append(operation.callee.base)
        return name not in _SAME or any(self.of(one, place, left - 1) for one in given)

    def variable(self, name: str, point: Point, left: int) -> bool:
        for one in self.context.definitions(self.flow).of(name, point):
            if one.point is None or one.point.block not in self.blocks:
                continue
            operation = at(self.flow, one.point)
            if getattr(operation, "augmented", False):
                return True
            held = one.value(self.flow)
            if held is None or self.of(held, one.point, left - 1):
                return True
        return any(
            isinstance(call.callee, Attribute)
            and isinstance(call.callee.base, Variable)
            and call.callee.base.name == name
            and call.callee.name in ("append", "update", "add", "extend", "pop", "setdefault", "insert")
            and place.block in self.blocks
            for place, call in self.context.calls(self.flow)
        )

    def changed(self, value: Attribute | Item) -> bool:
        """Whether the loop sets it, or calls a method of what holds it that may."""
        written = dotted(value)
        holder = dotted(value.base)
        for number in self.blocks:
            for operation in self.flow.blocks[number].operations:
                target = operation.target if isinstance(operation, Assign) else None
                if target == value or (written and target is not None and dotted(target) == written):
                    return True
                if (
                    isinstance(operation, Call)
                    and holder
                    and holder not in ("self", "cls")
                    and operation.dotted.rpartition(".")[0] == holder
                ):
                    return True
        return False
