"""Lowering of what is stored to, and of values that are held while it is."""

import ast
from collections.abc import Sequence

from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import Attribute, Compound, Expression, Item, Result, Variable, variables
from stepcheck.code.flow.operation import Assign, Evaluate
from stepcheck.facts import Span


def assign(
    builder: Builder, target: ast.expr, given: Expression, span: Span, *, augmented: bool = False
) -> None:
    """Store a value in a target, evaluating the target's own parts now."""
    match target:
        case ast.Name(id=name):
            builder.emit(Assign(builder.variable(name), given, augmented, span), raises=False)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            builder.deeper()
            builder.touch()
            parts = _unpacked(builder, given, targets, span)
            for part, inner in zip(parts, targets, strict=True):
                assign(builder, inner, part, builder.source.span(inner))
            builder.depth -= 1
        case ast.Starred(value=inner):
            assign(builder, inner, given, span)
        case _:
            builder.emit(Assign(place(builder, target), given, augmented, span))


def place(builder: Builder, target: ast.expr) -> Variable | Attribute | Item:
    """Evaluate the parts of a target that is stored to, read or deleted."""
    match target:
        case ast.Name(id=name):
            return builder.variable(name)
        case ast.Attribute(value=base, attr=name):
            return Attribute(builder.value(base), name)
        case ast.Subscript(value=base, slice=index):
            return Item(builder.value(base), builder.value(index))
        case _:
            raise TypeError(f"no target: {type(target).__name__}")


def held(builder: Builder, given: Expression, span: Span) -> Expression:
    """The value as it is now, whatever is assigned before it is used."""
    if next(variables(given), None) is None:
        return given
    number = builder.number()
    builder.emit(Evaluate(number, given, span))
    return Result(number)


def _unpacked(
    builder: Builder, given: Expression, targets: Sequence[ast.expr], span: Span
) -> tuple[Expression, ...]:
    if isinstance(given, Compound) and given.kind in ("tuple", "list") and len(given.parts) == len(targets):
        stars = any(isinstance(target, ast.Starred) for target in targets)
        stars = stars or any(isinstance(part, Compound) and part.kind == "star" for part in given.parts)
        read = next((True for part in given.parts[1:] for _ in variables(part)), False)
        if not stars and not read:
            return given.parts
    given = held(builder, given, span)
    return tuple(Compound("unpack", str(position), (given,)) for position in range(len(targets)))


def stored(target: ast.expr) -> list[str]:
    """The names that a target binds."""
    names = (part for part in ast.walk(target) if isinstance(part, ast.Name))
    return [part.id for part in names if isinstance(part.ctx, ast.Store)]
