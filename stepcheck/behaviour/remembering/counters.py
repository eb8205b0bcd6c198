"""Counters that begin with a literal: of an object, of a module, of a loop."""

from stepcheck.analysis.loops import NaturalLoop
from stepcheck.analysis.paths import begun, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import ingredients
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Next,
    Point,
    Reach,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts.remembering import Numbering

_UNORDERED = frozenset(
    {"set", "frozenset", "listdir", "glob", "rglob", "iglob", "iterdir", "scandir", "walk"}
)
_ENDING = frozenset({"as_completed", "imap_unordered", "wait", "iter_completed"})


def counter(study: Study, flow: Flow, value: Expression) -> tuple[str, Numbering] | None:
    """A counter of the object or of the module that begins with a literal, and that nothing else sets."""
    for part in walk(value):
        text = dotted(part)
        if isinstance(part, Attribute) and text.count(".") == 1 and text.startswith("self."):
            sets = _sets(study, part, flow.qualname.rpartition(".")[0] + ".")
            if any(
                not isinstance(one.value, Constant) and not one.augmented for one in _sets(study, part, "")
            ):
                continue
        elif isinstance(part, Variable) and part.reach is Reach.GLOBAL:
            sets = _sets(study, part, "")
        else:
            continue
        begins = [one for one in sets if isinstance(one.value, Constant) and isinstance(one.value.value, int)]
        counts = [one for one in sets if one.augmented]
        if begins and counts and len(begins) + len(counts) == len(sets):
            return text, Numbering.COUNTER
    return None


def _sets(study: Study, target: Variable | Attribute, prefix: str) -> list[Assign]:
    """Every assignment of an attribute in a class, or of a global in the file."""
    name = target.name
    found: list[Assign] = []
    for flow in study.context.file.flows:
        if not f"{flow.qualname}.".startswith(prefix):
            continue
        for _, one in flow.points():
            if not isinstance(one, Assign):
                continue
            default = flow.kind is FlowKind.CLASS and isinstance(target, Attribute) and prefix
            if default and isinstance(one.target, Variable) and one.target.name == name:
                found.append(one)
            if type(one.target) is not type(target):
                continue
            same = one.target == target or (
                isinstance(one.target, Variable)
                and one.target.name == name
                and (flow.index == 0 or one.target.reach is Reach.GLOBAL)
            )
            if same:
                found.append(one)
    return found


def counts(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value is an `itertools.count()` that begins with a literal."""
    target = value if isinstance(value, Attribute | Variable) else None
    if target is None:
        return False
    if isinstance(target, Attribute) or target.reach is Reach.GLOBAL:
        prefix = "" if isinstance(target, Variable) else flow.qualname.rpartition(".")[0] + "."
        for other in study.context.file.flows:
            for place, one in other.points():
                if not isinstance(one, Assign) or not other.qualname.startswith(prefix):
                    continue
                named = (
                    isinstance(one.target, type(target)) and getattr(one.target, "name", "") == target.name
                )
                if named and _is_count(study, other, one.value, place):
                    return True
        return False
    return any(
        held is not None and one.point is not None and _is_count(study, flow, held, one.point)
        for one in study.context.definitions(flow).of(target.name, point)
        for held in [one.value(flow)]
    )


def _is_count(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    del point
    made = study.context.operation(flow, value.number) if isinstance(value, Result) else None
    if made is None or not isinstance(made[1], Call) or words.last(made[1].dotted) != "count":
        return False
    call = made[1]
    return "itertools" in call.qualified and all(isinstance(one, Constant) for one in call.arguments)


def skipping(study: Study, flow: Flow, value: Expression) -> tuple[str, Numbering] | None:
    """A variable counted up in a loop some turns of which leave it as it is, or that goes by what ends first."""
    if not isinstance(value, Variable):
        return None
    sets = [
        (point, one)
        for point, one in flow.points()
        if isinstance(one, Assign) and isinstance(one.target, Variable) and one.target.name == value.name
    ]
    counts = [point for point, one in sets if one.augmented]
    begins = [one for _, one in sets if isinstance(one.value, Constant)]
    if not counts or not begins or len(counts) + len(begins) != len(sets):
        return None
    for loop in study.context.loops(flow):
        if not all(point.block in loop.blocks for point in counts):
            continue
        heads = [one for one in flow.blocks[loop.head].operations if isinstance(one, Next)]
        if not heads:
            return None if _asks(study, flow, value) else (value.name, Numbering.COUNTER)
        order = ordered(study, flow, heads[0].iterable, Point(loop.head, 0))
        if order is not None:
            return value.name, order[1]
        if _turns_without(flow, loop, counts):
            return value.name, Numbering.SKIPPING
    return None


def _asks(study: Study, flow: Flow, value: Variable) -> bool:
    """Whether a counter is also used to ask, or to look something up: then it may come to where it was."""
    asked = 0
    for _, call in study.context.calls(flow):
        given_ = (*call.arguments, *(word.value for word in call.keywords))
        asked += any(
            isinstance(part, Variable) and part.name == value.name for one in given_ for part in walk(one)
        )
    return asked > 1


def _turns_without(flow: Flow, loop: NaturalLoop, counts: list[Point]) -> bool:
    """Whether a turn of a loop can end without the variable being counted up."""
    head = flow.blocks[loop.head]
    starts = [Point(edge.target, 0) for edge in head.edges if edge.target in loop.blocks]
    return Point(loop.head, 0) in begun(flow, starts, counts, no_exception)


def ordered(study: Study, flow: Flow, value: Expression, point: Point) -> tuple[str, Numbering] | None:
    """What is wrong with counting through a value."""
    for one in ingredients(study.context, flow, value, point):
        match one.value:
            case Call() as call:
                last = words.last(written(study.context, one.flow, call))
                if last == "sorted":
                    return None
                if last in _ENDING:
                    return f"enumerate({last}(...))", Numbering.COMPLETION
                if last in _UNORDERED:
                    return f"enumerate({last}(...))", Numbering.UNORDERED
            case Compound(kind="set"):
                return "enumerate({...})", Numbering.UNORDERED
            case _:
                pass
    return None
