"""Lowering of expressions, in Python's order of evaluation."""

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import (
    NONE,
    Attribute,
    Compound,
    Constant,
    Expression,
    Function,
    Item,
    Result,
    Variable,
    dotted,
    variables,
)
from stepcheck.code.flow.graph import EdgeKind, Loop
from stepcheck.code.flow.operation import Assign, Await, Branch, Call, Evaluate, Keyword, Next, Yield
from stepcheck.facts import Span

_DOES = (
    ast.Call,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.NamedExpr,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
)
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.MatMult: "@",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.FloorDiv: "//",
    ast.Invert: "~",
    ast.Not: "not",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
}


def does(nodes: Iterable[ast.AST]) -> bool:
    """Whether evaluating any of these is an operation, so that leaving it out shows."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DOES):
            return True
        if isinstance(node, ast.GeneratorExp):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def value(builder: Builder, node: ast.expr) -> Expression:
    """Evaluate an expression: its operations are emitted, what it comes to is given back."""
    builder.take()
    if type(node) is ast.Constant:
        return _constant(node)
    builder.touch()
    if type(node) is ast.Name:
        return builder.variable(node.id)
    builder.deeper()
    made = _LOWER.get(type(node), _unknown)(builder, node)
    builder.depth -= 1
    return made


def condition(builder: Builder, node: ast.expr, yes: int, no: int) -> None:
    """Evaluate a test and go on at `yes` or `no`, operand by operand."""
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, yes, no = node.operand, no, yes
    if builder.current is None:
        return
    if isinstance(node, ast.Constant):
        builder.goto(yes if node.value else no)
    elif isinstance(node, ast.BoolOp):
        builder.deeper()
        for operand in node.values[:-1]:
            following = builder.block()
            if isinstance(node.op, ast.And):
                condition(builder, operand, following, no)
            else:
                condition(builder, operand, yes, following)
            builder.start(following)
        condition(builder, node.values[-1], yes, no)
        builder.depth -= 1
    else:
        builder.branch(value(builder, node), builder.source.span(node), yes, no)


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
            return Attribute(value(builder, base), name)
        case ast.Subscript(value=base, slice=index):
            return Item(value(builder, base), value(builder, index))
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
    callee = value(builder, node.func)
    arguments = _values(builder, node.args)
    keywords = tuple(
        [
            Keyword(word.arg or "", value(builder, word.value), builder.source.span(word))
            for word in node.keywords
        ]
    )
    written = dotted(callee)
    known = "" if _hidden(builder, callee) else builder.names.of(node.func, builder.scope)
    number = builder.number()
    span = builder.source.span(node)
    builder.emit(Call(number, callee, written, known, arguments, keywords, awaited, span))
    return Result(number)


def _hidden(builder: Builder, callee: Expression) -> bool:
    """Whether the callee starts at a comprehension's own variable, which the scopes know nothing of."""
    if not builder.renamed:
        return False
    while isinstance(callee, Attribute | Item):
        callee = callee.base
    return isinstance(callee, Variable) and "@" in callee.name


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


def _boolean(builder: Builder, node: ast.BoolOp) -> Expression:
    text = _OPERATORS[type(node.op)]
    if not does(node.values[1:]):
        return Compound("choice", text, _values(builder, node.values))
    parts: list[Expression] = []
    done = builder.block()
    for operand in node.values[:-1]:
        following = builder.block()
        parts.append(value(builder, operand))
        span = builder.source.span(operand)
        if isinstance(node.op, ast.And):
            builder.branch(parts[-1], span, following, done)
        else:
            builder.branch(parts[-1], span, done, following)
        builder.start(following)
    parts.append(value(builder, node.values[-1]))
    builder.goto(done)
    builder.start(done)
    return Compound("choice", text, tuple(parts))


def _conditional(builder: Builder, node: ast.IfExp) -> Expression:
    if not does((node.body, node.orelse)):
        return Compound("test", "if", _values(builder, (node.test, node.body, node.orelse)))
    yes, no, done = builder.block(), builder.block(), builder.block()
    condition(builder, node.test, yes, no)
    parts: list[Expression] = []
    for start, branch in ((yes, node.body), (no, node.orelse)):
        builder.start(start)
        if builder.current is not None:
            parts.append(value(builder, branch))
            builder.goto(done)
    builder.start(done)
    return parts[0] if len(parts) == 1 else Compound("choice", "if", tuple(parts))


def _compare(builder: Builder, node: ast.Compare) -> Expression:
    operators = [_OPERATORS[type(operator)] for operator in node.ops]
    parts = [value(builder, node.left), value(builder, node.comparators[0])]
    done: int | None = None
    for position, comparator in enumerate(node.comparators[1:], 1):
        if done is not None or does(node.comparators[position:]):
            done = builder.block() if done is None else done
            following = builder.block()
            so_far = Compound("compare", operators[position - 1], (parts[-2], parts[-1]))
            builder.emit(Branch(so_far, builder.source.span(node)))
            builder.edge(following, EdgeKind.TRUE)
            builder.goto(done, EdgeKind.FALSE)
            builder.start(following)
        parts.append(value(builder, comparator))
    if done is not None:
        builder.goto(done)
        builder.start(done)
    return Compound("compare", " ".join(operators), tuple(parts))


def _binary(builder: Builder, node: ast.BinOp) -> Expression:
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    made = value(builder, chain[-1].left)
    for link in reversed(chain):
        made = Compound("binary", _OPERATORS[type(link.op)], (made, value(builder, link.right)))
        builder.take()
    return made


def _unary(builder: Builder, node: ast.UnaryOp) -> Expression:
    return Compound("unary", _OPERATORS[type(node.op)], (value(builder, node.operand),))


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


def _comprehension(builder: Builder, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Expression:
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}[type(node)]
    outside = builder.renamed
    first = value(builder, node.generators[0].iter)
    mark = f"@{node.lineno}:{node.col_offset + 1}"
    bound = {name: name + mark for loop in node.generators for name in stored(loop.target)}
    builder.renamed = {**outside, **bound}
    made: list[Expression] = []

    def element() -> None:
        if isinstance(node, ast.DictComp):
            made.append(Compound("entry", "", (value(builder, node.key), value(builder, node.value))))
        else:
            made.append(value(builder, node.elt))

    turns(builder, node.generators, first, element)
    builder.renamed = outside
    return Compound(kind, "for", tuple(made))


def turns(
    builder: Builder, loops: list[ast.comprehension], first: Expression, element: Callable[[], None]
) -> None:
    """The loops of a comprehension around its element; `first` is what the outermost is over."""
    loop = loops[0]
    head, body, after = builder.block(), builder.block(), builder.block()
    builder.goto(head)
    builder.start(head)
    span = builder.source.span(loop.iter)
    number = next_item(builder, first, span, (body, after), asynchronous=bool(loop.is_async))
    targets = tuple([builder.variable(name).name for name in stored(loop.target)])
    known = builder.names.of(loop.iter, builder.scope)
    builder.loops.append(Loop(head, "comprehension", targets, first, known, span))
    builder.start(body)
    assign(
        builder,
        loop.target,
        Compound("iterated", "", (Result(number), first)),
        builder.source.span(loop.target),
    )
    for test in loop.ifs:
        following = builder.block()
        condition(builder, test, following, head)
        builder.start(following)
    if builder.current is not None:
        if len(loops) > 1:
            turns(builder, loops[1:], value(builder, loops[1].iter), element)
        else:
            element()
    builder.goto(head)
    builder.start(after)


def next_item(
    builder: Builder, iterable: Expression, span: Span, ways: tuple[int, int], *, asynchronous: bool
) -> int:
    """End a loop's head, going to `ways` with an item or without one; gives the item's number."""
    number = builder.number()
    builder.emit(Next(number, iterable, asynchronous, span))
    builder.edge(ways[0], EdgeKind.TRUE)
    builder.goto(ways[1], EdgeKind.FALSE)
    return number


def stored(target: ast.expr) -> list[str]:
    """The names that a target binds."""
    names = (part for part in ast.walk(target) if isinstance(part, ast.Name))
    return [part.id for part in names if isinstance(part.ctx, ast.Store)]


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
    ast.BoolOp: _boolean,
    ast.IfExp: _conditional,
    ast.Compare: _compare,
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
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
}
