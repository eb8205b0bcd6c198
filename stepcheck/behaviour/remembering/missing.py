"""What says of a recorded call that it has no recorded answer."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import ingredients
from stepcheck.catalogue.memory import says, within
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Expression,
    Flow,
    Function,
    Item,
    Next,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)


def misses(study: Study, flow: Flow, test: Expression, point: Point, when: bool) -> bool:
    """Whether the test, as it turns out, says that there is no answer."""
    match test:
        case Compound(kind="compare", text="in" | "not in" as how, parts=(_, among)):
            return (how == "not in") == when and _answers(study, flow, among, point)
        case Compound(kind="compare", text="is" | "==", parts=(value, Constant(value=None))):
            return when and _answer(study, flow, value, point)
        case Compound(kind="compare", text="==" | "!=" as how, parts=(value, Constant(value=str(state)))):
            return (how == "!=") == when and bool(says("answered", state)) and _state(value)
        case Compound(kind="compare", text="is not" | "!=", parts=(value, Constant(value=None))):
            return not when and _answer(study, flow, value, point)
        case _:
            return not when and _answer(study, flow, test, point)


def _state(value: Expression) -> bool:
    """Whether a value is the state of what was recorded."""
    name = value.name if isinstance(value, Attribute) else ""
    if isinstance(value, Item) and isinstance(value.index, Constant):
        name = str(value.index.value)
    return bool({"status", "state", "phase"}.intersection(split(name)))


def _answers(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value holds what has been answered."""
    name = dotted(value)
    if name and (says("answered", name) or says("result", name)):
        return True
    for one in ingredients(study.context, flow, value, point):
        if isinstance(one.value, Constant) and isinstance(one.value.value, str):
            if within("result", one.value.value):
                return True
        elif isinstance(one.value, Variable) and {"ToolMessage", "FunctionResponse"} & {one.value.name}:
            return True
    return False


def _answer(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value is the recorded answer of a call."""
    match value:
        case Attribute(name=name) | Item(index=Constant(value=str(name))):
            return bool(says("result", name))
        case Item(base=base):
            return bool(says("result", dotted(base)) or says("answered", dotted(base)))
        case Variable(name=name):
            held = [one.value(flow) for one in study.context.definitions(flow).of(name, point)]
            return any(
                one is not None and not isinstance(one, Variable) and _answer(study, flow, one, point)
                for one in held
            )
        case Result(number=number):
            made = study.context.operation(flow, number)
            if made is None or not isinstance(made[1], Call):
                return False
            call = made[1]
            if words.last(call.dotted) == "get" and call.arguments:
                first = call.arguments[0]
                named = isinstance(first, Constant) and bool(within("result", str(first.value)))
                receiver = words.last(call.dotted.rpartition(".")[0])
                return named or bool(says("result", receiver) or says("answered", receiver))
            found = split(words.last(call.dotted))
            return found[:1] in (("has",), ("find",), ("get",)) and bool(
                {"result", "output", "response"} & set(found)
            )
        case _:
            return False


def conditions(study: Study, flow: Flow, head: Next) -> Iterator[tuple[Flow, Point, Expression, bool]]:
    """The conditions of the comprehension that a loop goes through."""
    for one in ingredients(study.context, flow, head.iterable, Point(0, 0)):
        if isinstance(one.value, Function):
            inner = study.context.file.flows[one.value.flow]
            yield from _filters(inner, {number for number, _ in enumerate(inner.blocks)})
    held = _comprehended(study, flow, head.iterable)
    for loop in study.context.loops(flow):
        if (
            loop.written is not None
            and loop.written.kind == "comprehension"
            and held.intersection(loop.written.targets)
        ):
            yield from _filters(flow, set(loop.blocks))


def _comprehended(study: Study, flow: Flow, value: Expression) -> set[str]:
    """The variables of the comprehensions that a value is."""
    values = [value]
    if isinstance(value, Variable):
        values += [
            held for one in study.context.definitions(flow).all
            if one.name == value.name and (held := one.value(flow)) is not None
        ]  # fmt: skip
    return {
        part.name
        for one in values
        if isinstance(one, Compound) and one.text == "for"
        for part in walk(one)
        if isinstance(part, Variable) and "@" in part.name
    }


def _filters(flow: Flow, blocks: set[int]) -> Iterator[tuple[Flow, Point, Expression, bool]]:
    heads = {loop.head for loop in flow.loops}
    for number in sorted(blocks):
        block = flow.blocks[number]
        last = block.operations[-1] if block.operations else None
        if isinstance(last, Branch):
            keeps = [edge.kind is EdgeKind.TRUE for edge in block.edges if edge.target in blocks - heads]
            for when in keeps[:1]:
                yield flow, Point(number, len(block.operations) - 1), last.test, when
