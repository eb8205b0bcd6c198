"""A whole file: every function, class body, lambda and generator expression lowered to a flow."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.code.flow.binding import scopes
from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.comprehension import turns
from stepcheck.code.flow.graph import (
    Block,
    Class,
    Evaluated,
    FileFlow,
    Flow,
    FlowKind,
    Loop,
    Parameter,
    ParameterKind,
)
from stepcheck.code.flow.operation import Call, Return, Yield
from stepcheck.code.flow.resolve import Names
from stepcheck.code.flow.scope import Scope, ScopeNode
from stepcheck.code.flow.source import Budget, Source, SpentError
from stepcheck.code.flow.statements import statements
from stepcheck.code.flow.values import value
from stepcheck.facts import Span, Unreadable, UnreadFile

_NOTHING = (Block((), ()),) * 3


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is lowered at most, counted in operations, edges and values."""

    function: int = 100_000
    file: int = 600_000


LIMITS = Limits()


def read_flows(path: str, data: bytes, limits: Limits = LIMITS) -> FileFlow:
    """Parse and lower a file; raises Unreadable where `ast` cannot. See `lower_flows` for the budget."""
    return lower_flows(path, data, parse(path, data), limits)


def parse(path: str, data: bytes) -> ast.Module:
    """The syntax tree of a file; raises Unreadable, with the place where there is one."""
    try:
        return ast.parse(data)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        raise Unreadable(UnreadFile(Span(path, line, column, line, column + 1), error.msg)) from None
    except (RecursionError, MemoryError):
        reason = "it nests too deeply"
    except ValueError as error:
        reason = str(error)
    raise Unreadable(UnreadFile(Span(path, 1, 1, 1, 1), reason))


def lower_flows(path: str, data: bytes, tree: ast.Module, limits: Limits = LIMITS) -> FileFlow:
    """Lower every function of a parsed file.

    Nothing is raised: a function beyond the limits comes without blocks, and its `Flow.spent` says why.
    """
    source, budget = Source(path, data), Budget(limits.function, limits.file)
    found = scopes(tree)
    names = Names(found)
    future = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body[:20]
    )
    flows: list[Flow] = []
    for scope in found:
        builder = Builder(scope, names, source, budget, value)
        builder.future_annotations = future
        flows.append(_flow(builder))
    classes = tuple(_class(scope, found, names) for scope in found if scope.kind is FlowKind.CLASS)
    return FileFlow(path, tuple(flows), classes)


def _flow(builder: Builder) -> Flow:
    scope = builder.scope
    node = scope.node
    blocks: tuple[Block, ...] = _NOTHING
    loops: tuple[Loop, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    decorators: tuple[Evaluated, ...] = ()
    spent = ""
    try:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            parameters = tuple(_parameters(builder, node.args))
        elif isinstance(node, ast.GeneratorExp):
            parameters = (Parameter(".0", ParameterKind.POSITIONAL, "", None, builder.source.span(node)),)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            decorators = tuple([_evaluated(builder, made) for made in node.decorator_list])
        _body(builder, node)
        blocks, loops = builder.finish()
    except SpentError as reason:
        spent = str(reason)
    except RecursionError:
        spent = "nests too deeply"
    return Flow(
        scope.index,
        scope.qualname.rpartition(".")[2],
        scope.qualname,
        scope.kind,
        None if scope.parent is None else scope.parent.index,
        asynchronous=_asynchronous(node),
        generator=scope.yields or isinstance(node, ast.GeneratorExp),
        parameters=parameters,
        decorators=decorators,
        span=_span(builder.source, node),
        blocks=blocks,
        loops=loops,
        spent=spent,
    )


def _body(builder: Builder, node: ScopeNode) -> None:
    if isinstance(node, ast.Lambda):
        builder.emit(Return(value(builder, node.body), builder.source.span(node.body)), raises=False)
    elif isinstance(node, ast.GeneratorExp):
        span = builder.source.span(node.elt)

        def element() -> None:
            given = value(builder, node.elt)
            builder.emit(Yield(builder.number(), given, False, span))

        turns(builder, node.generators, builder.variable(".0"), element)
    else:
        statements(builder, node.body)


def _asynchronous(node: ScopeNode) -> bool:
    if isinstance(node, ast.GeneratorExp):
        return any(loop.is_async for loop in node.generators)
    return isinstance(node, ast.AsyncFunctionDef)


def _span(source: Source, node: ScopeNode) -> Span:
    if isinstance(node, ast.Module):
        return Span(source.path, 1, 1, 1, 1)
    span = source.span(node)
    if isinstance(node, ast.Lambda | ast.GeneratorExp):
        return span
    words = {ast.FunctionDef: "def ", ast.AsyncFunctionDef: "async def ", ast.ClassDef: "class "}
    column = span.column + len(words[type(node)])
    return Span(source.path, span.line, column, span.line, column + len(node.name))


def _apart(builder: Builder) -> Builder:
    """A builder for an expression that is evaluated outside, where the function is defined."""
    outside = builder.scope.parent or builder.scope
    made = Builder(outside, builder.names, builder.source, builder.budget, value)
    made.depth = builder.depth
    return made


def _evaluated(builder: Builder, node: ast.expr) -> Evaluated:
    apart = _apart(builder)
    made = value(apart, node)
    written = node.func if isinstance(node, ast.Call) else node
    operations = (operation for block in apart.blocks for operation in block.operations)
    calls = tuple([operation for operation in operations if isinstance(operation, Call)])
    known = apart.names.of(written, apart.scope)
    return Evaluated(made, known, _written(written), calls, builder.source.span(node))


def _written(node: ast.expr) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def _parameters(builder: Builder, arguments: ast.arguments) -> Iterator[Parameter]:
    placed = [*arguments.posonlyargs, *arguments.args]
    given: list[ast.expr | None] = [None] * (len(placed) - len(arguments.defaults)) + list(arguments.defaults)
    for position, (argument, default) in enumerate(zip(placed, given, strict=True)):
        positional = position < len(arguments.posonlyargs)
        kind = ParameterKind.POSITIONAL if positional else ParameterKind.NORMAL
        yield _parameter(builder, argument, kind, default)
    if arguments.vararg:
        yield _parameter(builder, arguments.vararg, ParameterKind.STAR, None)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(builder, argument, ParameterKind.KEYWORD, default)
    if arguments.kwarg:
        yield _parameter(builder, arguments.kwarg, ParameterKind.DOUBLE_STAR, None)


def _parameter(
    builder: Builder, argument: ast.arg, kind: ParameterKind, default: ast.expr | None
) -> Parameter:
    outside = builder.scope.parent or builder.scope
    known = builder.names.annotation(argument.annotation, outside)
    made = None if default is None else _evaluated(builder, default)
    return Parameter(argument.arg, kind, known, made, builder.source.span(argument))


def _class(scope: Scope, found: list[Scope], names: Names) -> Class:
    methods = {
        inner.node.name: inner.index
        for inner in found
        if inner.parent is scope and isinstance(inner.node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    bases = scope.node.bases if isinstance(scope.node, ast.ClassDef) else []
    outside = scope.parent or scope
    attributes = {
        name: {names.of(made, place) for made, place in values} - {"builtins.None"}
        for name, values in scope.attributes.items()
    }
    told = tuple(
        (name, *known) for name, known in sorted(attributes.items()) if len(known) == 1 and "" not in known
    )
    return Class(
        scope.qualname,
        scope.index,
        tuple([names.of(base, outside) for base in bases]),
        tuple(methods.items()),
        tuple((name, known) for name, known in told),
    )
