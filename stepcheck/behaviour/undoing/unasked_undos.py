"""Something that may or may not have happened is undone, and nobody asks which."""

from collections.abc import Iterator

from stepcheck.behaviour.again.regions import through, types
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.undoing.failing import Handler, handlers, taken, without_question
from stepcheck.catalogue import names, undo
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    EdgeKind,
    Flow,
    Point,
    Result,
    Variable,
    variables,
    walk,
)
from stepcheck.facts import Evidence, Outcome
from stepcheck.facts.undoing import UnaskedUndo

_ASKS = frozenset({Deed.ASKS, Deed.LOOKUP, Deed.CLAIM})
_DOUBT = frozenset(
    {"uncertain", "unknown", "timeout", "timedout", "indeterminate", "ambiguous", "unclear", "unconfirmed"}
)
_BROAD = frozenset({"Exception", "BaseException", "builtins.Exception", "builtins.BaseException"})


def unasked_undos(study: Study, flow: Flow) -> Iterator[UnaskedUndo]:
    """Every undo in a function that a lost answer, or a state of doubt, leads to without a question."""
    undos = [
        (point, call)
        for point, call in study.context.calls(flow)
        if _harms(call) and not _asks_itself(study, flow, point, call)
    ]
    if not undos:
        return
    asks = {act.point for act in study.acts(flow) if act.deed in _ASKS}
    asks |= {point for point, call in study.context.calls(flow) if words.asks(call.dotted)}
    for handler in handlers(study, flow):
        if words.worst(types(handler.catch)) is not Outcome.UNKNOWN and handler.catch.types:
            continue
        surely = without_question(flow, handler.starts, asks)
        for point, call in undos:
            if point in surely and point in handler.own:
                made = _done(study, flow, handler, call)
                if made is not None:
                    yield UnaskedUndo(
                        call.span, flow.qualname, call.dotted, made.name, made.span, through([handler.catch]),
                        Evidence.BODY,
                    )  # fmt: skip
                    break
    yield from _doubted(flow, undos, asks)


def _harms(call: Call) -> bool:
    """Whether an undo does harm where there is nothing to undo."""
    if not call.dotted or undo.conditional(call.dotted) or call.dotted.startswith("super"):
        return False
    return undo.additive(call.dotted) or undo.generic(call.dotted)


def _asks_itself(study: Study, flow: Flow, point: Point, call: Call) -> bool:
    """Whether it is a transaction's own rollback, or a function of the file that asks."""
    if study.through(flow, call).may & _ASKS:
        return True
    if words.last(call.dotted) in ("rollback", "arollback", "roll_back"):
        return True
    deeds = {act.deed for act in study.acts(flow) if act.point == point}
    if Deed.HARMLESS in deeds and not call.arguments:
        return True  # `items.reverse()`
    return not deeds.isdisjoint({Deed.ROLLBACK, Deed.RECORD})


def _done(study: Study, flow: Flow, handler: Handler, call: Call) -> Act | None:
    """What may have been done: what failed may have come to the handler, and is what the undo undoes."""
    generic = undo.generic(call.dotted)
    broad = not handler.catch.types or bool(_BROAD.intersection(handler.catch.types))
    if generic and broad:
        return None  # what it undoes may well be what went before
    for act in study.acts(flow):
        if act.call is None or act.point in handler.own or not taken(study, flow, act.point, handler):
            continue
        if _reads_answer(flow, act.call, call) or _same_key(act.call, call):
            continue
        if generic and act.deed is Deed.WRITE and not act.weak:
            return act
        if not generic and undo.pair(act.name, call.dotted) and _alike(act.name, call.dotted):
            return act
    return None


def _alike(done: str, undone: str) -> bool:
    """Whether they are asked of the same object, or of nothing."""
    return done.rpartition(".")[0] == undone.rpartition(".")[0]


def _reads_answer(flow: Flow, done: Call, undone: Call) -> bool:
    """Whether the undo needs the answer: then it cannot run where that was lost."""
    given = (undone.callee, *undone.arguments, *(word.value for word in undone.keywords))
    read = {one.name for value in given for one in variables(value)}
    return any(
        isinstance(operation, Assign)
        and isinstance(operation.target, Variable)
        and operation.target.name in read
        and any(isinstance(part, Result) and part.number == done.number for part in walk(operation.value))
        for _, operation in flow.points()
    )


def _same_key(done: Call, undone: Call) -> bool:
    """Whether both name the same key: the undo of what is not there does nothing then."""
    keys = {
        word.value for word in done.keywords if words.mentions_key(word.name) or word.name.endswith("ref")
    }
    given = {*undone.arguments, *(word.value for word in undone.keywords)}
    return bool(keys & given)


def _doubted(flow: Flow, undos: list[tuple[Point, Call]], asks: set[Point]) -> Iterator[UnaskedUndo]:
    """`if step.status == "uncertain": compensate(step)`."""
    for number, block in enumerate(flow.blocks):
        test = block.operations[-1] if block.operations else None
        if not isinstance(test, Branch) or not (doubt := _doubt(test)):
            continue
        ways = {edge.kind: Point(edge.target, 0) for edge in flow.blocks[number].edges}
        yes, no = ways.get(EdgeKind.TRUE), ways.get(EdgeKind.FALSE)
        if yes is None or no is None:
            continue
        surely = without_question(flow, (yes,), asks) - without_question(flow, (no,), frozenset())
        for point, call in undos:
            if point in surely:
                yield UnaskedUndo(call.span, flow.qualname, call.dotted, doubt, test.span, "", Evidence.BODY)
                break


def _doubt(branch: Branch) -> str:
    """The state of doubt that a branch asks about, as written."""
    for part in walk(branch.test):
        if not isinstance(part, Compound):
            continue
        if part.kind == "match" and _DOUBT.intersection(names.words(part.text)):
            return part.text
        if part.kind != "compare" or part.text not in ("==", "is", "in"):
            continue
        for one in part.parts[1:]:
            for inner in walk(one):
                text = (
                    inner.value
                    if isinstance(inner, Constant)
                    else inner.name
                    if isinstance(inner, Attribute)
                    else ""
                )
                if isinstance(text, str) and _DOUBT.intersection(names.words(text)):
                    return text
    return ""
