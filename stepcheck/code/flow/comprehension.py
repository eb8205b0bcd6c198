"""Lowering of comprehensions: loops whose variables are their own."""

import ast
from collections.abc import Callable

from stepcheck.code.flow.branching import condition
from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import Compound, Expression, Result
from stepcheck.code.flow.graph import EdgeKind, Loop
from stepcheck.code.flow.operation import Next
from stepcheck.code.flow.targets import assign, stored
from stepcheck.facts import Span


def comprehension(builder: Builder, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Expression:
    """Evaluate a list, set or dict comprehension."""
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}[type(node)]
    outside = builder.renamed
    first = builder.value(node.generators[0].iter)
    mark = f"@{node.lineno}:{node.col_offset + 1}"
    bound = {name: name + mark for loop in node.generators for name in stored(loop.target)}
    builder.renamed = {**outside, **bound}
    made: list[Expression] = []

    def element() -> None:
        if isinstance(node, ast.DictComp):
            made.append(Compound("entry", "", (builder.value(node.key), builder.value(node.value))))
        else:
            made.append(builder.value(node.elt))

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
    known = builder.known(loop.iter, first)
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
            turns(builder, loops[1:], builder.value(loops[1].iter), element)
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
