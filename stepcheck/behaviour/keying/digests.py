"""How much is left of a digest: cut to a few letters, taken modulo, or short from the beginning."""

import math

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.pieces import Piece
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
)

_LETTER = {"hexdigest": 4, "hex": 4, "digest": 8, "b64encode": 6, "urlsafe_b64encode": 6, "b32encode": 5}
"""Bits of one letter, by the call that makes the text."""
_SHORT = {"crc32": 32, "adler32": 32, "crc_hqx": 16, "xxh32_hexdigest": 32}
_NAMED = frozenset({"uuid5", "uuid3"})


def cut(context: Context, piece: Piece) -> tuple[str, int] | None:
    """The digest that a piece takes a part of, as written, and the bits that are left; None for anything else."""
    match piece.value:
        case Item(base=base, index=Compound(kind="slice", parts=(first, Constant(value=int(end)), *_))):
            if end <= 0 or not (first == Constant(None) or first == Constant(0)):
                return None
            made = _digest(context, piece.flow, base, piece.point, 5)
            return None if made is None else (f"{made[0]}[:{end}]", end * made[1])
        case Compound(kind="binary", text="%", parts=(base, most)):
            bits = _bits(most)
            made = _digest(context, piece.flow, base, piece.point, 5) if bits else None
            return None if made is None else (f"{made[0]} % ...", bits)
        case Call():
            name = words.last(piece.value.dotted)
            size = piece.value.keyword("digest_size")
            if size is not None and isinstance(size.value, Constant) and isinstance(size.value.value, int):
                return f"{name}(digest_size={size.value.value})", size.value.value * 8
            return (f"{name}()", _SHORT[name]) if name in _SHORT else None
        case _:
            return None


def _bits(most: Expression) -> int:
    """The bits of a number below this one: `10 ** 8`; 0 for what is no such number."""
    match most:
        case Constant(value=int(number)) if number > 1:
            return int(math.log2(number))
        case Compound(text="**", parts=(Constant(value=int(base)), Constant(value=int(power)))):
            return int(power * math.log2(base)) if base > 1 and 0 < power < 1000 else 0
        case _:
            return 0


def _digest(
    context: Context, flow: Flow, value: Expression, point: Point, left: int
) -> tuple[str, int] | None:
    """The call that makes a digest, and the bits of each of its letters."""
    match value:
        case Variable(name=name) if left:
            held = [(one.value(flow), one.point) for one in context.definitions(flow).of(name, point)]
            for inner, place in held:
                if inner is not None and place is not None:
                    return _digest(context, flow, inner, place, left - 1)
        case Attribute(base=Result(number=number), name="hex"):
            made = context.operation(flow, number)
            if made is not None and isinstance(made[1], Call) and words.last(made[1].dotted) in _NAMED:
                return f"{words.last(made[1].dotted)}().hex", 4
        case Result(number=number) if left:
            made = context.operation(flow, number)
            if made is None or not isinstance(made[1], Call):
                return None
            call = made[1]
            name = words.last(call.dotted) or getattr(call.callee, "name", "")
            if name in _LETTER:
                return f"{name}()", _LETTER[name]
            if name == "decode" and isinstance(call.callee, Attribute):
                return _digest(context, flow, call.callee.base, made[0], left - 1)
            if name in ("int", "str", "from_bytes") and call.arguments:
                return _digest(context, flow, call.arguments[0], made[0], left - 1)
        case _:
            pass
    return None
