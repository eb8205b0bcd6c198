"""Whether a handler goes on to the next try only where the exception itself tells of a refusal."""

from collections.abc import Callable, Iterable

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import conclusions, exceptions, names
from stepcheck.code.flow import (
    Branch,
    Call,
    Catch,
    Compound,
    Constant,
    Edge,
    EdgeKind,
    Expression,
    Flow,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Outcome

_HOLDS = frozenset({"==", "in", "is"})
_HOLDS_NOT = frozenset({"!=", "not in", "is not"})
_DEFINITE = frozenset({Outcome.REFUSED, Outcome.NOT_SENT})


def outcome(
    context: Context, flow: Flow, catches: Iterable[tuple[Point, Catch]], target: Point | None
) -> Outcome:
    """What is known of the try before where the handlers lead back to the target, at the worst."""
    kinds: list[str] = []
    refused = False
    for point, catch in catches:
        if target is not None and _only_refused(context, flow, point, catch, target):
            refused = True
        else:
            kinds += catch.types or ("builtins.BaseException",)
    return Outcome.REFUSED if refused and not kinds else words.worst(kinds)


def _only_refused(context: Context, flow: Flow, point: Point, catch: Catch, target: Point) -> bool:
    """Whether each way from the handler to the target goes through a test that found a refusal."""
    if not catch.name:
        return False
    starts = [
        Point(edge.target, 0) for edge in flow.blocks[point.block].edges if edge.kind is EdgeKind.CAUGHT
    ]

    def follow(block: int, edge: Edge) -> bool:
        operations = flow.blocks[block].operations
        last = operations[-1] if operations else None
        return not isinstance(last, Branch) or edge.kind is not _refused_on(
            context, flow, last.test, catch.name
        )

    return target not in begun(flow, starts, (), follow)


def _refused_on(context: Context, flow: Flow, test: Expression, name: str) -> EdgeKind | None:
    """The way that is taken only where the test has found a refusal in the exception of that name."""
    if isinstance(test, Compound) and test.kind == "unary" and test.text == "not":
        way = _refused_on(context, flow, test.parts[0], name)
        return {EdgeKind.TRUE: EdgeKind.FALSE, EdgeKind.FALSE: EdgeKind.TRUE}.get(way) if way else None
    if isinstance(test, Result):
        return EdgeKind.TRUE if _of_refusals(context, flow, test, name) else None
    if not isinstance(test, Compound) or test.kind != "compare" or test.text not in _HOLDS | _HOLDS_NOT:
        return None
    given = [part for part in test.parts if not _depends(context, flow, part, lambda one: _is(one, name))]
    if len(given) == len(test.parts) or not all(_definite(part) for part in given):
        return None
    return EdgeKind.TRUE if test.text in _HOLDS else EdgeKind.FALSE


def _definite(given: Expression) -> bool:
    """Whether a status, a code or a piece of text is written down, and tells that nothing was done."""
    match given:
        case Constant(value=int(status)) if not isinstance(status, bool):
            return status == _TOO_MANY or exceptions.of_status(status) is Outcome.REFUSED
        case Constant(value=str(text)):
            spoken = {*names.words(text), "".join(names.words(text))}
            return bool(spoken) and not spoken & (conclusions.listed("lost_words") | _VAGUE)
        case Compound(kind="tuple" | "list" | "set", parts=parts):
            return bool(parts) and all(_definite(part) for part in parts)
        case _:
            return False


_TOO_MANY = 429
"""RFC 6585 section 4: asked too often; a server that counts before it works has done nothing."""
_VAGUE = frozenset(
    {"timed", "connection", "broken", "pipe", "eof", "server", "gateway", "error", "failed", "failure", "temporary",
     "temporarily", "transient", "retry", "500", "502", "503", "504"}
)  # fmt: skip
"""Further words of texts after which it may have been done."""


def _of_refusals(context: Context, flow: Flow, test: Result, name: str) -> bool:
    """`isinstance(error, RateLimited)`."""
    made = context.operation(flow, test.number)
    call = made[1] if made is not None else None
    if not isinstance(call, Call) or call.dotted != "isinstance" or len(call.arguments) != 2:
        return False
    subject, kinds = call.arguments
    if not (isinstance(subject, Variable) and subject.name == name):
        return False
    parts = kinds.parts if isinstance(kinds, Compound) and kinds.kind == "tuple" else (kinds,)
    return bool(parts) and all(words.outcome(f"?{dotted(part)}") in _DEFINITE for part in parts)


def looks_at(context: Context, flow: Flow, test: Expression, name: str) -> bool:
    """Whether a value depends on the exception of that name, or on the status of an answer."""
    codes = conclusions.listed("codes")
    return _depends(context, flow, test, lambda part: _is(part, name) or getattr(part, "name", "") in codes)


def _is(part: Expression, name: str) -> bool:
    return bool(name) and isinstance(part, Variable) and part.name == name


def _depends(
    context: Context, flow: Flow, value: Expression, on: Callable[[Expression], bool], left: int = 3
) -> bool:
    """Whether a part of a value is one of those, or of what is given to the calls that make it."""
    for part in walk(value):
        if on(part):
            return True
        made = context.operation(flow, part.number) if isinstance(part, Result) and left > 0 else None
        if made is not None and isinstance(made[1], Call):
            call = made[1]
            values = (call.callee, *call.arguments, *(word.value for word in call.keywords))
            if any(_depends(context, flow, one, on, left - 1) for one in values):
                return True
    return False
