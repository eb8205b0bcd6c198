"""Lowering of tests and of expressions that leave a part of themselves out."""

import ast
from collections.abc import Iterable

from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import Compound, Expression
from stepcheck.code.flow.graph import EdgeKind
from stepcheck.code.flow.operation import Branch
from stepcheck.code.flow.operators import OPERATORS

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
        builder.branch(builder.value(node), builder.source.span(node), yes, no)


def boolean(builder: Builder, node: ast.BoolOp) -> Expression:
    """Evaluate `and` or `or` where its value is wanted."""
    text = OPERATORS[type(node.op)]
    if not does(node.values[1:]):
        return Compound("choice", text, tuple([builder.value(part) for part in node.values]))
    parts: list[Expression] = []
    done = builder.block()
    for operand in node.values[:-1]:
        following = builder.block()
        parts.append(builder.value(operand))
        span = builder.source.span(operand)
        if isinstance(node.op, ast.And):
            builder.branch(parts[-1], span, following, done)
        else:
            builder.branch(parts[-1], span, done, following)
        builder.start(following)
    parts.append(builder.value(node.values[-1]))
    builder.goto(done)
    builder.start(done)
    return Compound("choice", text, tuple(parts))


def conditional(builder: Builder, node: ast.IfExp) -> Expression:
    """Evaluate `body if test else orelse`."""
    if not does((node.body, node.orelse)):
        return Compound(
            "test", "if", tuple([builder.value(part) for part in (node.test, node.body, node.orelse)])
        )
    yes, no, done = builder.block(), builder.block(), builder.block()
    condition(builder, node.test, yes, no)
    parts = []
    for start, branch in ((yes, node.body), (no, node.orelse)):
        builder.start(start)
        if builder.current is not None:
            parts.append(builder.value(branch))
            builder.goto(done)
    builder.start(done)
    return parts[0] if len(parts) == 1 else Compound("choice", "if", tuple(parts))


def compare(builder: Builder, node: ast.Compare) -> Expression:
    """Evaluate a comparison; a chained one stops at the first part that is false."""
    operators = [OPERATORS[type(operator)] for operator in node.ops]
    parts = [builder.value(node.left), builder.value(node.comparators[0])]
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
        parts.append(builder.value(comparator))
    if done is not None:
        builder.goto(done)
        builder.start(done)
    return Compound("compare", " ".join(operators), tuple(parts))
