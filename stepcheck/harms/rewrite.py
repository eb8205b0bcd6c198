"""An example made runnable: every call goes through the world, and what it leaves undefined is asked for there."""

import ast
import builtins
from dataclasses import dataclass

CALL, ERROR, AWAIT, IMPORT = "__call__", "__error__", "__awaited__", "__import_of__"
_REPLACED = ("hash",)
"""Built-in names that a process answers for: what they give differs from process to process."""


@dataclass(frozen=True, slots=True)
class Runnable:
    """A file of an example, to be executed in a process."""

    tree: ast.Module
    calls: tuple[ast.Call, ...]
    """The calls as they were written, by their number."""
    undefined: tuple[str, ...]
    handled: tuple[str, ...]
    """Classes of exceptions that are handled somewhere, dotted."""
    raised: tuple[str, ...]
    """Those that the example raises itself."""
    tested: bool
    """Whether it looks if an answer is empty."""
    unwinds: bool
    """Whether a handler goes through a list of what is to be taken back."""


def runnable(text: str, number: int = 0, down: int = 0) -> Runnable:
    """Rewrite a file; its calls are numbered from `number` on, and stand so many lines further down."""
    tree = ast.increment_lineno(ast.parse(text), down)
    rewriter = _Rewriter(number)
    handled, raised = _handled(tree), _raised(tree)
    unwinds = any(_unwinds(node) for node in ast.walk(tree))
    tested = any(_tests(node) for node in ast.walk(tree))
    made = ast.fix_missing_locations(rewriter.visit(tree))
    return Runnable(
        made, tuple(rewriter.calls), (*undefined(made), *_REPLACED), handled, raised, tested, unwinds
    )


def undefined(tree: ast.Module) -> tuple[str, ...]:
    """Names that are read somewhere and bound nowhere, in no scope; built-in ones are bound."""
    bound = {CALL, ERROR, AWAIT, IMPORT}
    read: dict[str, None] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read[name] = None
            case ast.Name(id=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.arg(arg=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound |= {alias.asname or alias.name.partition(".")[0] for alias in names}
    return tuple(name for name in read if name not in bound and not hasattr(builtins, name))


def _handled(tree: ast.Module) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            found |= dict.fromkeys(ast.unparse(part) for part in parts)
    return tuple(found)


def _raised(tree: ast.Module) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            found[ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)] = None
    return tuple(found)


def _unwinds(node: ast.AST) -> bool:
    """Whether a handler goes through a list and calls each: `for step in reversed(done): step.compensate()`."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    loops = [one for one in ast.walk(node) if isinstance(one, ast.For) and isinstance(one.target, ast.Name)]
    return any(_calls(loop, ast.unparse(loop.target)) for loop in loops)


def _calls(loop: ast.For, name: str) -> bool:
    calls = [ast.unparse(one.func) for one in ast.walk(loop) if isinstance(one, ast.Call)]
    return any(called.partition(".")[0] == name for called in calls)


def _tests(node: ast.AST) -> bool:
    """Whether a node looks if a variable is empty: `not receipt`, `receipt is None`."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name()):
            return True
        case ast.Compare(
            left=ast.Name(), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]
        ):
            return True
    return False


class _Rewriter(ast.NodeTransformer):
    def __init__(self, first: int) -> None:
        self._first = first
        self.calls: list[ast.Call] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        number = self._first + len(self.calls)
        self.calls.append(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return node
        where = [ast.Constant(number), self.visit(node.func)]
        return ast.copy_location(
            ast.Call(
                ast.Name(CALL, ast.Load()),
                [*where, *(self.visit(one) for one in node.args)],
                [ast.keyword(word.arg, self.visit(word.value)) for word in node.keywords],
            ),
            node,
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.type is not None:
            node.type = _classes(node.type)
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_Await(self, node: ast.Await) -> ast.AST:
        node.value = ast.Call(ast.Name(AWAIT, ast.Load()), [self.visit(node.value)], [])
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Of a class that comes from elsewhere nothing is inherited but that it is an exception."""
        kept: list[ast.expr] = [
            base
            for base in node.bases
            if isinstance(base, ast.Name) and base.id in ("Exception", "ValueError")
        ]
        node.bases, node.keywords = kept, []
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """`raise Refused(x)` of a class that is nowhere defined; a call that makes the exception stays a call."""
        match node.exc:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name) as func) if name[:1].isupper():
                node.exc = ast.copy_location(
                    ast.Call(_classes(func), [self.visit(one) for one in node.exc.args], []), node
                )
            case ast.Name(id=name) if name[:1].isupper():
                node.exc = _classes(node.exc)
            case ast.Call():
                node.exc = self.visit(node.exc)
        if node.cause is not None:
            node.cause = self.visit(node.cause)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return [_imported(alias.asname or alias.name.partition(".")[0], alias.name) for alias in node.names]  # type: ignore[return-value]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return [  # type: ignore[return-value]
            _imported(alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names
        ]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        if node.annotation is not None:
            node.annotation = ast.Constant(ast.unparse(node.annotation))
        return node


def _classes(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_classes(one) for one in node.elts], ast.Load())
    return ast.Call(ast.Name(ERROR, ast.Load()), [ast.Constant(ast.unparse(node))], [])


def _imported(name: str, what: str) -> ast.stmt:
    value = ast.Call(ast.Name(IMPORT, ast.Load()), [ast.Constant(what)], [])
    return ast.Assign([ast.Name(name, ast.Store())], value)
