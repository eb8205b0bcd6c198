"""Lowering of statements."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from stepcheck.code.flow.branching import condition, does
from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import NONE, Compound, Expression, Function, Imported, Result
from stepcheck.code.flow.graph import EXIT, FlowKind
from stepcheck.code.flow.guarded import guarded, managed
from stepcheck.code.flow.looping import ForNode, for_loop, leave_loop, while_loop
from stepcheck.code.flow.matching import matched
from stepcheck.code.flow.operation import Assign, Call, Delete, Evaluate, Raise, Return
from stepcheck.code.flow.operators import OPERATORS
from stepcheck.code.flow.scope import FunctionNode
from stepcheck.code.flow.targets import assign, held, place
from stepcheck.code.flow.values import defaults


def statements(builder: Builder, body: Sequence[ast.stmt]) -> None:
    """Lower statements one after the other, as far as they can run."""
    builder.deeper()
    for node in body:
        if builder.current is None:
            break
        builder.take()
        _LOWER.get(type(node), _other)(builder, node)
    builder.depth -= 1


def _expression(builder: Builder, node: ast.Expr) -> None:
    read = builder.value(node.value)
    if not isinstance(read, Result):
        builder.emit(Evaluate(builder.number(), read, builder.source.span(node)), raises=False)


def _assign(builder: Builder, node: ast.Assign) -> None:
    span = builder.source.span(node)
    given = builder.value(node.value)
    if len(node.targets) > 1:
        given = held(builder, given, span)
    for target in node.targets:
        assign(builder, target, given, span)


def _annotated(builder: Builder, node: ast.AnnAssign) -> None:
    span = builder.source.span(node)
    if node.value is not None:
        assign(builder, node.target, builder.value(node.value), span)
    elif not isinstance(node.target, ast.Name):
        builder.emit(Evaluate(builder.number(), place(builder, node.target), span))
    if builder.scope.kind in (FlowKind.MODULE, FlowKind.CLASS):
        _annotations(builder, [node.annotation])


def _annotations(builder: Builder, nodes: Sequence[ast.expr | None]) -> None:
    """Evaluate annotations where they are (not under `from __future__ import annotations`)."""
    if builder.future_annotations:
        return
    for node in nodes:
        if node is None:
            continue
        builder.touch()
        if does([node]):
            read = builder.value(node)
            builder.emit(Evaluate(builder.number(), read, builder.source.span(node)), raises=False)


def _augmented(builder: Builder, node: ast.AugAssign) -> None:
    span = builder.source.span(node)
    builder.touch()
    target = place(builder, node.target)
    operand = builder.value(node.value)
    builder.emit(Assign(target, Compound("binary", OPERATORS[type(node.op)], (target, operand)), True, span))


def _delete(builder: Builder, node: ast.Delete) -> None:
    waiting: list[ast.expr] = list(reversed(node.targets))
    while waiting:
        target = waiting.pop()
        if isinstance(target, ast.Tuple | ast.List):
            waiting.extend(reversed(target.elts))
        else:
            builder.emit(Delete(place(builder, target), builder.source.span(target)))


def _if(builder: Builder, node: ast.If) -> None:
    after = builder.block()
    while True:
        yes, no = builder.block(), builder.block()
        condition(builder, node.test, yes, no)
        builder.start(yes)
        statements(builder, node.body)
        builder.goto(after)
        builder.start(no)
        if builder.current is None or len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node = node.orelse[0]
    statements(builder, node.orelse)
    builder.goto(after)
    builder.start(after)


def _return(builder: Builder, node: ast.Return) -> None:
    given: Expression = NONE if node.value is None else builder.value(node.value)
    builder.emit(Return(given, builder.source.span(node)), raises=False)
    builder.leave(EXIT, 0)


def _raise(builder: Builder, node: ast.Raise) -> None:
    raised = None if node.exc is None else builder.value(node.exc)
    cause = None if node.cause is None else builder.value(node.cause)
    known = "" if node.exc is None else builder.names.of(node.exc, builder.scope)
    builder.emit(Raise(raised, cause, known, builder.source.span(node)))


def _assert(builder: Builder, node: ast.Assert) -> None:
    fine, failed = builder.block(), builder.block()
    condition(builder, node.test, fine, failed)
    builder.start(failed)
    if builder.current is not None:
        told = None if node.msg is None else builder.value(node.msg)
        builder.emit(Raise(told, None, "builtins.AssertionError", builder.source.span(node)))
    builder.start(fine)


def _import(builder: Builder, node: ast.Import) -> None:
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        _bind_import(builder, node, bound, alias.name if alias.asname else bound)


def _import_from(builder: Builder, node: ast.ImportFrom) -> None:
    if node.module == "__future__":
        builder.future_annotations |= any(alias.name == "annotations" for alias in node.names)
    for alias in node.names:
        dots = "." * node.level + (node.module or "")
        joined = f"{dots}{alias.name}" if dots.endswith(".") else f"{dots}.{alias.name}"
        _bind_import(builder, node, alias.asname or alias.name, joined)


def _bind_import(builder: Builder, node: ast.stmt, bound: str, dotted: str) -> None:
    builder.touch()
    span = builder.source.span(node)
    builder.emit(Assign(builder.variable(bound), Imported(dotted), False, span), raises=False)


def _function(builder: Builder, node: FunctionNode) -> None:
    made = [builder.value(decorator) for decorator in node.decorator_list]
    given = defaults(builder, node.args)
    arguments = node.args
    # CPython's own order: normal ones, positional-only ones, the stars and keyword-only ones between.
    annotated = [*arguments.args, *arguments.posonlyargs]
    annotated += [arguments.vararg] if arguments.vararg else []
    annotated += arguments.kwonlyargs
    annotated += [arguments.kwarg] if arguments.kwarg else []
    _annotations(builder, [*(argument.annotation for argument in annotated), node.returns])
    _defined(builder, node, Function(builder.names.scope(node).index, given), made)


def _class(builder: Builder, node: ast.ClassDef) -> None:
    made = [builder.value(decorator) for decorator in node.decorator_list]
    given = [builder.value(base) for base in node.bases]
    given += [builder.value(word.value) for word in node.keywords]
    _defined(builder, node, Function(builder.names.scope(node).index, tuple(given)), made)


def _defined(
    builder: Builder, node: FunctionNode | ast.ClassDef, made: Expression, decorators: list[Expression]
) -> None:
    """Apply decorators from the last to the first, and bind the name."""
    span = builder.source.span(node)
    if isinstance(node, ast.ClassDef):
        builder.touch()
    for decorator, written in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        number = builder.number()
        place_of = builder.source.span(written)
        known = builder.names.of(written, builder.scope)
        builder.emit(Call(number, decorator, "", known, (made,), (), False, place_of))
        made = Result(number)
    builder.emit(Assign(builder.variable(node.name), made, False, span), raises=False)


def _other(builder: Builder, node: ast.stmt) -> None:
    """`pass`, `global`, `nonlocal`, and `type` statements, whose value is evaluated when it is asked for."""
    name = getattr(node, "name", None)
    if isinstance(name, ast.Name):
        span = builder.source.span(node)
        builder.emit(Assign(builder.variable(name.id), NONE, False, span), raises=False)


def _try(builder: Builder, node: ast.Try | ast.TryStar) -> None:
    guarded(builder, node, statements)


def _with(builder: Builder, node: ast.With | ast.AsyncWith) -> None:
    managed(builder, node, statements)


def _while(builder: Builder, node: ast.While) -> None:
    while_loop(builder, node, statements)


def _for(builder: Builder, node: ForNode) -> None:
    for_loop(builder, node, statements)


def _break(builder: Builder, _: ast.Break) -> None:
    leave_loop(builder, again=False)


def _continue(builder: Builder, _: ast.Continue) -> None:
    leave_loop(builder, again=True)


def _match(builder: Builder, node: ast.Match) -> None:
    matched(builder, node, statements)


_LOWER: dict[type[ast.stmt], Callable[[Builder, Any], None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
}
