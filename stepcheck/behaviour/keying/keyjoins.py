"""Keys put together with nothing between their parts, and keys of which a digest leaves little."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.keying.digests import cut
from stepcheck.behaviour.keying.keyplaces import Placed, Use
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.pieces import Piece, pieces
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    dotted,
)
from stepcheck.facts.keying import JoinedKey

_ADJACENT = re.compile(r"%(?:\(\w+\))?[sdr]%(?:\(\w+\))?[sdr]|\{\w*\}\{\w*\}")
_FIXED = key_words("fixed")
"""Last names of calls whose answers have all the same length."""
_WIDE = key_words("one_length")
"""Words of names of what has one length, or comes from a fixed list."""


def joins(survey: Survey, flow: Flow, given: Sequence[Placed]) -> Iterator[JoinedKey]:
    """Every key of a function that is put together without separators, or cut short."""
    for one in given:
        if one.use is Use.KEPT:
            continue
        found = pieces(survey.context, flow, one.value, one.point)
        sends = one.sends.span if one.sends is not None else one.span
        for piece in found:
            parts = _joined(survey.context, piece)
            if parts:
                yield JoinedKey(one.name, piece.span, one.span, sends, parts, 0)
                break
        else:
            parts = _fed(survey.context, flow, found)
            if parts:
                yield JoinedKey(one.name, one.span, one.span, sends, parts, 0)
                continue
            for piece in found:
                made = cut(survey.context, piece)
                if made is not None:
                    alone = not any(_several(other) for other in found if other is not piece)
                    yield JoinedKey(one.name, piece.span, one.span, sends, (), made[1], made[0], alone)
                    break


def _several(piece: Piece) -> bool:
    """Whether a piece puts more than one part together."""
    value = piece.value
    return (
        isinstance(value, Compound)
        and value.kind in ("text", "binary")
        and value.text in ("", "+")
        and sum(not isinstance(part, Constant) for part in value.parts) > 1
    )


def _joined(context: Context, piece: Piece) -> tuple[str, ...]:
    """The two parts of a piece that have nothing between them; nothing for one that is put together well."""
    value, flow, point = piece.value, piece.flow, piece.point
    match value:
        case Compound(kind="text", parts=parts):
            return _neighbours(context, flow, point, parts)
        case Compound(kind="binary", text="+", parts=parts):
            told = any(_is_text(context, flow, part) for part in parts)
            return _neighbours(context, flow, point, parts) if told or piece.textual else ()
        case Compound(kind="binary", text="%", parts=(Constant(value=str(text)), Compound(parts=parts))):
            return _named(parts) if _ADJACENT.search(text) else ()
        case Call():
            return _call(context, flow, point, value)
        case _:
            return ()


def _call(context: Context, flow: Flow, point: Point, call: Call) -> tuple[str, ...]:
    """`"".join(parts)`, `"{}{}".format(a, b)`."""
    if not isinstance(call.callee, Attribute) or not isinstance(call.callee.base, Constant):
        return ()
    text = call.callee.base.value
    if call.callee.name == "format" and isinstance(text, str) and _ADJACENT.search(text):
        return _named(call.arguments)
    if call.callee.name != "join" or text != "" or not call.arguments:
        return ()
    value: Expression | None = call.arguments[0]
    if isinstance(value, Variable):
        held = [one.value(flow) for one in context.definitions(flow).of(value.name, point)]
        value = held[0] if len(held) == 1 else None
    if isinstance(value, Compound) and value.kind in ("list", "tuple") and value.text != "for":
        return _neighbours(context, flow, point, value.parts)
    return ()


def _named(parts: Sequence[Expression]) -> tuple[str, ...]:
    return tuple(shown(part) for part in parts[:2])


def _neighbours(context: Context, flow: Flow, point: Point, parts: Sequence[Expression]) -> tuple[str, ...]:
    flat: list[Expression] = []
    for part in parts:
        inner = (
            part.parts
            if isinstance(part, Compound) and part.kind == "binary" and part.text == "+"
            else (part,)
        )
        flat += inner
    for first, second in pairwise(flat):
        if not (fixed(context, flow, first, point, 5) or fixed(context, flow, second, point, 5)):
            return shown(first), shown(second)
    return ()


def _is_text(context: Context, flow: Flow, value: Expression) -> bool:
    match value:
        case Constant(value=str()) | Compound(kind="text"):
            return True
        case Result(number=number):
            made = context.operation(flow, number)
            if made is None or not isinstance(made[1], Call):
                return False
            name = words.last(made[1].dotted) or getattr(made[1].callee, "name", "")
            return name in ("str", "hexdigest", "join", "format", "lower", "upper", "strip", "encode", "repr")
        case _:
            return False


def fixed(context: Context, flow: Flow, value: Expression, point: Point, left: int) -> bool:
    """Whether a part has always the same length, or is one of a few: where it ends can be told."""
    match value:
        case Constant():
            return True
        case Compound(kind="format", parts=(held, *spec)):
            return bool(spec) or fixed(context, flow, held, point, left)
        case Compound(kind="text", parts=parts):
            return all(fixed(context, flow, part, point, left) for part in parts) or _edged(parts)
        case Item(index=Compound(kind="slice")):
            return True
        case Attribute(name=name) | Variable(name=name) if _wide(name):
            return True
        case Variable(name=name) if left:
            found = [(one.value(flow), one.point) for one in context.definitions(flow).of(name, point)]
            return bool(found) and all(
                inner is not None and place is not None and fixed(context, flow, inner, place, left - 1)
                for inner, place in found
            )
        case Result(number=number) if left:
            made = context.operation(flow, number)
            if made is None or not isinstance(made[1], Call):
                return False
            call = made[1]
            name = words.last(call.dotted) or getattr(call.callee, "name", "")
            if name in ("str", "encode", "lower", "upper", "repr", "decode"):
                given = call.arguments[0] if name in ("str", "repr") and call.arguments else None
                inside = given if given is not None else getattr(call.callee, "base", Constant(None))
                return fixed(context, flow, inside, made[0], left - 1)
            return name in _FIXED or _wide(name)
        case _:
            return False


def _edged(parts: Sequence[Expression]) -> bool:
    """Whether a text begins or ends with a constant, which parts it from its neighbours."""
    return isinstance(parts[0], Constant) or isinstance(parts[-1], Constant)


def _wide(name: str) -> bool:
    bare = name.partition("@")[0]
    return bare.isupper() or bool(_WIDE.intersection(names.words(bare)))


def shown(value: Expression) -> str:
    """A part as it is written, or what it is."""
    match value:
        case Compound(kind="format", parts=(held, *_)):
            return shown(held)
        case Constant(value=held):
            return repr(held)
        case Item(base=base, index=Constant(value=index)):
            return f"{dotted(base)}[{index!r}]"
        case _:
            return dotted(value) or "a part"


def _fed(context: Context, flow: Flow, found: Sequence[Piece]) -> tuple[str, ...]:
    """A hash that is given two parts one after the other: `h.update(a)`, `h.update(b)`."""
    for piece in found:
        callee = piece.value.callee if isinstance(piece.value, Call) else None
        if not isinstance(callee, Attribute) or callee.name not in ("hexdigest", "digest"):
            continue
        base = callee.base
        if not isinstance(base, Variable):
            continue
        given: list[tuple[Expression, Point]] = []
        for one in context.definitions(flow).of(base.name, piece.point):
            made = one.value(flow)
            begun = context.operation(flow, made.number) if isinstance(made, Result) else None
            if begun is not None and isinstance(begun[1], Call):
                given += [(value, begun[0]) for value in begun[1].arguments]
        for point, call in context.calls(piece.flow):
            if call.dotted == f"{base.name}.update" and piece.flow is flow:
                given += [(value, point) for value in call.arguments]
        for (first, place), (second, later) in pairwise(given):
            if not (fixed(context, flow, first, place, 5) or fixed(context, flow, second, later, 5)):
                return _meant(context, flow, first), _meant(context, flow, second)
    return ()


def _meant(context: Context, flow: Flow, value: Expression) -> str:
    """What is encoded: `a` of `a.encode()`, `str(a).encode()`."""
    for _ in range(4):
        made = context.operation(flow, value.number) if isinstance(value, Result) else None
        if made is None or not isinstance(made[1], Call):
            break
        call = made[1]
        value = (
            call.arguments[0]
            if call.dotted == "str" and call.arguments
            else getattr(call.callee, "base", value)
        )
    return shown(value)
