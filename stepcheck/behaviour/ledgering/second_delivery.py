"""Whether something on the way to a write tells a second delivery from a first."""

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.ledgering.claiming import Scene
from stepcheck.behaviour.ledgering.deliveries import Delivery
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Expression,
    Item,
    Point,
    Result,
    Variable,
    walk,
)


def knows_event(call: Call, delivery: Delivery) -> bool:
    """Whether a call is handed the event's own id, by which it may tell a repeat."""
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            match part:
                case (
                    Attribute(base=Variable(name=root), name=name)
                    | Item(base=Variable(name=root), index=Constant(value=str(name)))
                ):
                    found = names.words(name)
                    own = root in delivery.event and found in (("id",), ("uuid",), ("key",), ("pk",))
                    if own or (
                        {"id", "tag", "handle"} & set(found)
                        and {"message", "event", "delivery", "receipt"} & set(found)
                    ):
                        return True
                case Variable(name=name):
                    found = names.words(name)
                    if {"id", "key"} & set(found) and {
                        "message",
                        "event",
                        "delivery",
                        "msg",
                        "dedup",
                        "idempotency",
                    } & set(found):
                        return True
                case _:
                    pass
    return False


def turns_away(scene: Scene, look: Point, then: Point) -> bool:
    """Whether a test of what was looked up turns a second delivery away, and not only one for nobody."""
    for point, operation in scene.flow.points():
        if not isinstance(operation, Branch) or look not in scene.made_of(point):
            continue
        sides = {
            edge.kind
            for edge in scene.flow.blocks[point.block].edges
            if then in begun(scene.flow, (Point(edge.target, 0),), (), scene.onward)
        }
        if len(sides) == 1 and not _finds(operation.test, next(iter(sides))):
            return True
    return False


def _finds(test: Expression, side: EdgeKind) -> bool:
    """Whether the way is the one of those for whom a row was found."""
    match test:
        case Variable() | Result():
            return side is EdgeKind.TRUE
        case Compound(kind="compare", text=text, parts=(_, Constant(value=None))):
            return (text in ("is", "==")) == (side is EdgeKind.FALSE)
        case _:
            return not any(isinstance(part, Attribute | Item) for read in (test,) for part in walk(read))
