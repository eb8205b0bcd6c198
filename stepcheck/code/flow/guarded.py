"""Lowering of `try` and `with`: handlers, and what is done on every way out."""

import ast
from collections.abc import Callable
from typing import TypeAlias

from stepcheck.code.flow.builder import Builder, CleanUp, Guard
from stepcheck.code.flow.expression import Compound, Expression, Result, dotted
from stepcheck.code.flow.graph import EdgeKind
from stepcheck.code.flow.operation import Assign, Catch, Delete, Enter, Leave
from stepcheck.code.flow.targets import assign

Body: TypeAlias = Callable[[Builder, list[ast.stmt]], None]
TryNode: TypeAlias = ast.Try | ast.TryStar
WithNode: TypeAlias = ast.With | ast.AsyncWith


def guarded(builder: Builder, node: TryNode, run: Body) -> None:
    """Lower a `try` statement; `run` lowers the statements in it."""
    if not node.finalbody:
        _handled(builder, node, run)
        return
    clean_up = CleanUp(builder.block(), lambda: run(builder, node.finalbody))
    builder.frames.append(clean_up)
    builder.fresh()
    _handled(builder, node, run)
    builder.frames.pop()
    builder.fresh()
    run(builder, node.finalbody)
    after = builder.block()
    builder.goto(after)
    builder.start(clean_up.landing)
    run(builder, node.finalbody)
    builder.goto(builder.landing(), EdgeKind.RERAISE)
    builder.start(after)


def _handled(builder: Builder, node: TryNode, run: Body) -> None:
    if not node.handlers:
        run(builder, node.body)
        return
    after = builder.block()
    guard = Guard(builder.block())
    builder.frames.append(guard)
    builder.fresh()
    run(builder, node.body)
    builder.frames.pop()
    builder.fresh()
    run(builder, node.orelse)
    builder.goto(after)
    builder.start(guard.landing)
    grouped = isinstance(node, ast.TryStar)
    for number, handler in enumerate(node.handlers):
        _handler(builder, handler, run, after, number if grouped else None)
    if grouped and builder.current is not None:
        builder.edge(after, EdgeKind.CAUGHT)
    builder.goto(builder.landing(), EdgeKind.RERAISE)
    builder.start(after)


def _handler(builder: Builder, handler: ast.ExceptHandler, run: Body, after: int, group: int | None) -> None:
    """Lower one handler; the next one, or the way on for what no handler takes, is the current block then.

    `group` is the position of an `except*` among its kind.
    """
    body, following = builder.block(), builder.block()
    span = builder.source.span(handler if handler.type is None else handler.type)
    values: tuple[Expression, ...] = ()
    types: tuple[str, ...] = ()
    if handler.type is not None:
        written = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        values = tuple([builder.value(kind) for kind in written])
        types = tuple(
            [
                builder.names.of(kind, builder.scope) or dotted(made)
                for kind, made in zip(written, values, strict=True)
            ]
        )
    grouped = group is not None
    builder.emit(Catch(types, values, handler.name or "", grouped, span), raises=False)
    builder.edge(body, EdgeKind.CAUGHT)
    # Nothing of a group may be left for a later `except*`, whatever that takes.
    if group or not _takes_all(types, bare=handler.type is None):
        builder.edge(following, EdgeKind.PASSED)
    builder.current = None
    if grouped:
        # What an `except*` body raises waits until the other handlers have run, so it leads to the next one.
        builder.frames.append(Guard(following))
    builder.start(body)
    _handler_body(builder, handler, values, run)
    if grouped:
        builder.frames.pop()
        builder.goto(following)
    else:
        builder.goto(after)
    builder.start(following)


def _handler_body(
    builder: Builder, handler: ast.ExceptHandler, values: tuple[Expression, ...], run: Body
) -> None:
    if handler.name is None:
        run(builder, handler.body)
        return
    span = builder.source.span(handler)
    variable = builder.variable(handler.name)

    def forget() -> None:
        builder.emit(Delete(variable, span), raises=False)

    builder.emit(Assign(variable, Compound("exception", "", values), False, span), raises=False)
    clean_up = CleanUp(builder.block(), forget)
    builder.frames.append(clean_up)
    builder.fresh()
    run(builder, handler.body)
    builder.frames.pop()
    forget()
    after = builder.block()
    builder.goto(after)
    builder.start(clean_up.landing)
    forget()
    builder.goto(builder.landing(), EdgeKind.RERAISE)
    builder.start(after)


def _takes_all(types: tuple[str, ...], *, bare: bool) -> bool:
    return bare or "builtins.BaseException" in types


def managed(builder: Builder, node: WithNode, run: Body, position: int = 0) -> None:
    """Lower a `with` statement from the given item on; `run` lowers its body."""
    if position == len(node.items):
        run(builder, node.body)
        return
    builder.deeper()
    item = node.items[position]
    context = builder.value(item.context_expr)
    known = builder.names.of(item.context_expr, builder.scope)
    span = builder.source.span(item.context_expr)
    asynchronous = isinstance(node, ast.AsyncWith)
    number = builder.number()

    def leave(*, failing: bool) -> None:
        builder.emit(Leave(number, context, known, asynchronous, failing, span))

    builder.emit(Enter(number, context, known, asynchronous, span))
    clean_up = CleanUp(builder.block(), lambda: leave(failing=False))
    builder.frames.append(clean_up)
    builder.fresh()
    if item.optional_vars is not None:
        assign(builder, item.optional_vars, Result(number), builder.source.span(item.optional_vars))
    managed(builder, node, run, position + 1)
    builder.frames.pop()
    builder.fresh()
    leave(failing=False)
    after = builder.block()
    builder.goto(after)
    builder.start(clean_up.landing)
    leave(failing=True)
    builder.edge(after, EdgeKind.SWALLOWED)
    builder.goto(builder.landing(), EdgeKind.RERAISE)
    builder.start(after)
    builder.depth -= 1
