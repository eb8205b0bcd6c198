"""Lowering of expressions, in Python's order of evaluation."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from stepcheck.code.flow.branching import boolean, compare, conditional
from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.comprehension import comprehension
from stepcheck.code.flow.expression import (
    NONE,
    Attribute,
    Compound,
    Constant,
    Expression,
    Function,
    Item,
    Result,
    dotted,
)
from stepcheck.code.flow.operation import Await, Call, Keyword, Yield
from stepcheck.code.flow.operators import OPERATORS
from stepcheck.code.flow.targets import assign

_TOUCH_LATER = frozenset({ast.Call, ast.Await})
"""What can raise only after its parts have been evaluated, and is an operation then."""


def value(builder: Builder, node: ast.expr) -> Expression:
    """Evaluate an expression: its operations are emitted, what it comes to is given back."""
    builder.take()
    if type(node) is ast.Constant:
        return _constant(node)
    if type(node) not in _TOUCH_LATER:
        builder.touch()
    if type(node) is ast.Name:
        return builder.variable(node.id)
    builder.deeper()
    made = _LOWER.get(type(node), _unknown)(builder, node)
    builder.depth -= 1
    return made


def _constant(node: ast.Constant) -> Constant:
    held = node.value
    if held is None or isinstance(held, str | bool | int | float):
        return Constant(held)
    return Constant(repr(held), type(held).__name__)


def _values(builder: Builder, nodes: Iterable[ast.expr]) -> tuple[Expression, ...]:
    return tuple([value(builder, node) for node in nodes])


def _attribute(builder: Builder, node: ast.Attribute) -> Expression:
    return Attribute(value(builder, node.value), node.attr)


def _item(builder: Builder, node: ast.Subscript) -> Expression:
    return Item(value(builder, node.value), value(builder, node.slice))


def _call(builder: Builder, node: ast.Call, *, awaited: bool = False) -> Expression:
    calm = builder.calm()
    callee = value(builder, node.func)
    arguments = _values(builder, node.args)
    keywords = tuple(
        [
            Keyword(word.arg or "", value(builder, word.value), builder.source.span(word))
            for word in node.keywords
        ]
    )
    written = dotted(callee)
    known = builder.known(node.func, callee)
    number = builder.number()
    span = builder.source.span(node)
    builder.emit(Call(number, callee, written, known, arguments, keywords, awaited, span), calm=calm)
    return Result(number)


def _await(builder: Builder, node: ast.Await) -> Expression:
    if isinstance(node.value, ast.Call):
        return _call(builder, node.value, awaited=True)
    waited = value(builder, node.value)
    number = builder.number()
    builder.emit(Await(number, waited, builder.source.span(node)))
    return Result(number)


def _yield(builder: Builder, node: ast.Yield | ast.YieldFrom) -> Expression:
    given = NONE if node.value is None else value(builder, node.value)
    number = builder.number()
    builder.emit(Yield(number, given, isinstance(node, ast.YieldFrom), builder.source.span(node)))
    return Result(number)


def _named(builder: Builder, node: ast.NamedExpr) -> Expression:
    given = value(builder, node.value)
    hidden = builder.renamed
    builder.renamed = {}
    assign(builder, node.target, given, builder.source.span(node))
    made = builder.variable(node.target.id)
    builder.renamed = hidden
    return made


def _binary(builder: Builder, node: ast.BinOp) -> Expression:
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    made = value(builder, chain[-1].left)
    for link in reversed(chain):
        made = Compound("binary", OPERATORS[type(link.op)], (made, value(builder, link.right)))
        builder.take()
    return made


def _unary(builder: Builder, node: ast.UnaryOp) -> Expression:
    return Compound("unary", OPERATORS[type(node.op)], (value(builder, node.operand),))


def _display(builder: Builder, node: ast.Tuple | ast.List | ast.Set) -> Expression:
    return Compound(type(node).__name__.lower(), "", _values(builder, node.elts))


def _dict(builder: Builder, node: ast.Dict) -> Expression:
    parts = [
        Compound("spread", "", (value(builder, held),))
        if key is None
        else Compound("entry", "", (value(builder, key), value(builder, held)))
        for key, held in zip(node.keys, node.values, strict=True)
    ]
    return Compound("dict", "", tuple(parts))


def _text(builder: Builder, node: ast.JoinedStr) -> Expression:
    return Compound("text", "", _values(builder, node.values))


def _format(builder: Builder, node: ast.FormattedValue) -> Expression:
    parts = [value(builder, node.value)]
    if node.format_spec is not None:
        parts.append(value(builder, node.format_spec))
    return Compound("format", "" if node.conversion < 0 else chr(node.conversion), tuple(parts))


def _starred(builder: Builder, node: ast.Starred) -> Expression:
    return Compound("star", "", (value(builder, node.value),))


def _slice(builder: Builder, node: ast.Slice) -> Expression:
    bounds = (node.lower, node.upper, node.step)
    return Compound("slice", "", tuple([NONE if part is None else value(builder, part) for part in bounds]))


def _lambda(builder: Builder, node: ast.Lambda) -> Expression:
    return Function(builder.names.scope(node).index, defaults(builder, node.args))


def defaults(builder: Builder, arguments: ast.arguments) -> tuple[Expression, ...]:
    """Evaluate the defaults of a function that is being defined."""
    keyword = [given for given in arguments.kw_defaults if given is not None]
    return _values(builder, [*arguments.defaults, *keyword])


def _generator(builder: Builder, node: ast.GeneratorExp) -> Expression:
    return Function(builder.names.scope(node).index, (value(builder, node.generators[0].iter),))


def _unknown(builder: Builder, node: ast.expr) -> Expression:
    """Syntax newer than this: evaluate what is inside, in order."""
    inside = [found for found in ast.iter_child_nodes(node) if isinstance(found, ast.expr)]
    return Compound("other", type(node).__name__, _values(builder, inside))


_LOWER: dict[type[ast.expr], Callable[[Builder, Any], Expression]] = {
    ast.Attribute: _attribute,
    ast.Subscript: _item,
    ast.Call: _call,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.NamedExpr: _named,
    ast.BoolOp: boolean,
    ast.IfExp: conditional,
    ast.Compare: compare,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Tuple: _display,
    ast.List: _display,
    ast.Set: _display,
    ast.Dict: _dict,
    ast.JoinedStr: _text,
    ast.FormattedValue: _format,
    ast.Starred: _starred,
    ast.Slice: _slice,
    ast.Lambda: _lambda,
    ast.GeneratorExp: _generator,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
}
