"""Whether the answer of a call decides anything: only then does a claim tell who was first."""

from collections.abc import Iterable, Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.behaviour.context import Context, at
from stepcheck.catalogue.names import words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Catch,
    Compound,
    Evaluate,
    Expression,
    Flow,
    Item,
    Point,
    Return,
    Variable,
    dotted,
    reads,
    walk,
)

_ROWS = frozenset(
    {"rowcount", "fetchone", "fetchall", "fetchrow", "first", "scalar", "scalar_one_or_none", "lastrowid"}
)
_DUPLICATE = frozenset(
    {"integrity", "unique", "duplicate", "conflict", "conditional", "precondition", "exists", "already"}
)


def looked_at(flow: Flow, call: Call, position: int | None = None) -> bool:
    """Whether something depends on the answer, or on that of its parts which stands at the position."""
    names: set[str] = set()
    for operation in (operation for block in flow.blocks for operation in block.operations):
        for value in reads(operation):
            if not _holds(value, call.number, position):
                continue
            if isinstance(operation, Assign | Evaluate):
                if isinstance(operation, Assign) and isinstance(operation.target, Variable):
                    names.add(operation.target.name)
                elif isinstance(operation, Evaluate) and position is not None:
                    return looked_at(flow, _numbered(call, operation.number), position)
            else:
                return True
            if any(isinstance(part, Compound) and part.kind in ("test", "compare") for part in walk(value)):
                return True
    names.discard("_")
    return any(_decides(flow, name) for name in names)


def rows_looked_at(flow: Flow, call: Call) -> bool:
    """Whether the number of rows that a statement changed, or the row it gave back, is looked at."""
    if looked_at(flow, call):
        return True
    receiver = call.callee.base if isinstance(call.callee, Attribute) else None
    named = dotted(receiver) if receiver is not None else ""
    return bool(named) and any(
        isinstance(part, Attribute) and part.name in _ROWS and dotted(part.base) == named
        for block in flow.blocks
        for operation in block.operations
        for value in reads(operation)
        for part in walk(value)
    )


def refused_once_done(context: Context, flow: Flow, point: Point) -> bool:
    """Whether a handler around the operation takes the exception that a duplicate raises."""
    found = fate(flow, point, "", context.exceptions).handlers
    return any(_duplicates(at(flow, reached.catch)) for reached in found)


def _duplicates(operation: object) -> bool:
    if not isinstance(operation, Catch):
        return False
    return any(_DUPLICATE.intersection(words(name.rpartition(".")[2])) for name in operation.types)


def _numbered(call: Call, number: int) -> Call:
    return Call(number, call.callee, call.dotted, call.qualified, (), (), call.awaited, call.span)


def _holds(value: Expression, number: int, position: int | None) -> bool:
    """Whether a value is made of the answer, or of the part asked about."""
    for part in walk(value):
        if getattr(part, "number", None) == number:
            return position is None or not _another(value, number, position)
    return False


def _another(value: Expression, number: int, position: int) -> bool:
    """Whether it is only another part of the answer."""
    for part in walk(value):
        match part:
            case Compound(kind="unpack", text=text, parts=(inner,)) if (
                getattr(inner, "number", None) == number
            ):
                return text != str(position)
            case Item(base=base, index=index) if getattr(base, "number", None) == number:
                return getattr(index, "value", position) != position
            case _:
                pass
    return False


def _decides(flow: Flow, name: str) -> bool:
    """Whether a variable is read by a branch, a comparison or an answer."""
    for operation in (operation for block in flow.blocks for operation in block.operations):
        if isinstance(operation, Branch | Return):
            values: Iterable[Expression] = reads(operation)
        else:
            values = _tested(reads(operation))
        if any(isinstance(part, Variable) and part.name == name for value in values for part in walk(value)):
            return True
    return False


def _tested(values: Iterable[Expression]) -> Iterator[Expression]:
    for value in values:
        for part in walk(value):
            if isinstance(part, Compound) and part.kind in ("test", "compare"):
                yield part
