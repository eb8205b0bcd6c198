"""Lowering of expressions, in Python's order of evaluation."""

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, cast

from stepcheck.code.flow.branching import boolean, compare, conditional
from stepcheck.code.flow.builder import DEPTH, Builder
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
from stepcheck.code.flow.source import SpentError
from stepcheck.code.flow.targets import assign

_TOUCH_LATER = frozenset({ast.Call, ast.Attribute, ast.Subscript, ast.Await})
"""What raises only after its parts have been evaluated, and says so then."""

Link: TypeAlias = ast.Call | ast.Attribute | ast.Subscript


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


def _chain(builder: Builder, node: Link) -> Expression:
    """`a.b(c)[d].e(f)`: link after link, so that a long chain nests no deeper than a short one."""
    links: list[Link] = [node]
    calm = builder.calm()
    while isinstance(_inner(links[-1]), Link):
        links.append(cast(Link, _inner(links[-1])))
    made = value(builder, _inner(links[-1]))
    nested = 0
    for link in reversed(links):
        builder.take()
        nested += 1
        match link:
            case ast.Attribute(attr=name):
                builder.touch()
                made = Attribute(made, name)
            case ast.Subscript(slice=index):
                builder.touch()
                made = Item(made, value(builder, index))
            case ast.Call():
                made = _call(builder, link, made, calm)
                calm = builder.calm()
                nested = 0
        if nested > DEPTH:
            raise SpentError(f"nests deeper than {DEPTH} levels")
    return made


def _inner(link: Link) -> ast.expr:
    return link.func if isinstance(link, ast.Call) else link.value


def _call(
    builder: Builder, node: ast.Call, callee: Expression, calm: int | None, *, awaited: bool = False
) -> Expression:
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
        calm = builder.calm()
        return _call(builder, node.value, value(builder, node.value.func), calm, awaited=True)
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
    mixed = 0
    for link in reversed(chain):
        builder.take()
        sign = OPERATORS[type(link.op)]
        operand = value(builder, link.right)
        if (
            isinstance(made, Compound)
            and made.kind == "binary"
            and made.text == sign
            and link is not chain[-1]
        ):
            # The same operator again: one flat value, as a text of hundreds of parts would nest too deeply.
            made = Compound("binary", sign, (*made.parts, operand))
            continue
        made = Compound("binary", sign, (made, operand))
        mixed += 1
        if mixed > DEPTH:
            raise SpentError(f"nests deeper than {DEPTH} levels")
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
    ast.Attribute: _chain,
    ast.Subscript: _chain,
    ast.Call: _chain,
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
