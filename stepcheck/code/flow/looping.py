"""Lowering of `for` and `while`."""

import ast
from typing import TypeAlias

from stepcheck.code.flow.branching import condition
from stepcheck.code.flow.builder import Builder, LoopFrame
from stepcheck.code.flow.comprehension import next_item
from stepcheck.code.flow.expression import Compound, Result
from stepcheck.code.flow.graph import Loop
from stepcheck.code.flow.guarded import Body
from stepcheck.code.flow.targets import assign, stored

ForNode: TypeAlias = ast.For | ast.AsyncFor


def while_loop(builder: Builder, node: ast.While, run: Body) -> None:
    """Lower `while`; `run` lowers the statements in it."""
    head, body, orelse, after = builder.block(), builder.block(), builder.block(), builder.block()
    builder.goto(head)
    builder.start(head)
    span = builder.source.between(node, node.test)
    builder.loops.append(Loop(head, "while", (), None, "", span))
    condition(builder, node.test, body, orelse)
    _body(builder, node, run, (head, after), body)
    builder.start(orelse)
    run(builder, node.orelse)
    builder.goto(after)
    builder.start(after)


def for_loop(builder: Builder, node: ForNode, run: Body) -> None:
    """Lower `for` and `async for`; `run` lowers the statements in them."""
    iterable = builder.value(node.iter)
    span = builder.source.between(node, node.iter)
    known = builder.names.of(node.iter, builder.scope)
    asynchronous = isinstance(node, ast.AsyncFor)
    head, body, orelse, after = builder.block(), builder.block(), builder.block(), builder.block()
    builder.goto(head)
    builder.start(head)
    number = next_item(builder, iterable, span, (body, orelse), asynchronous=asynchronous)
    builder.loops.append(Loop(head, "for", tuple(stored(node.target)), iterable, known, span))
    builder.start(body)
    item = Compound("iterated", "", (Result(number), iterable))
    assign(builder, node.target, item, builder.source.span(node.target))
    _body(builder, node, run, (head, after), builder.current)
    builder.start(orelse)
    run(builder, node.orelse)
    builder.goto(after)
    builder.start(after)


def _body(
    builder: Builder, node: ForNode | ast.While, run: Body, ways: tuple[int, int], start: int | None
) -> None:
    """The body of a loop, from a block that the head leads to."""
    if start is None:
        return
    builder.start(start)
    builder.frames.append(LoopFrame(*ways))
    run(builder, node.body)
    builder.frames.pop()
    builder.goto(ways[0])


def leave_loop(builder: Builder, *, again: bool) -> None:
    """Lower `continue` (`again`) and `break`."""
    depth = builder.loop_depth()
    frame = builder.frames[depth] if depth >= 0 else None
    if isinstance(frame, LoopFrame):
        builder.leave(frame.head if again else frame.after, depth)
    builder.current = None
