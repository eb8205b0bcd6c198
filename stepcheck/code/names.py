"""Which plain names a file binds anywhere, which it only reads, and whether it makes up more at run time."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.code.source import Source
from stepcheck.code.values import dotted_name
from stepcheck.facts import Span

_BUILTINS = frozenset(dir(builtins)) | {
    "__file__",
    "__path__",
    "__spec__",
    "__loader__",
    "__class__",
    "WindowsError",
}
_MAKERS = frozenset({"globals", "vars", "exec"})
"""Names whose use may bind names that nobody sees."""


@dataclass(frozen=True, slots=True)
class Names:
    """The plain names of a file."""

    bound: frozenset[str]
    loose: tuple[tuple[str, Span], ...]
    """Read, but neither bound in the file nor builtins, with their places."""
    dynamic: bool
    """Whether the module may hold names that nothing in it binds."""


def names(tree: ast.Module, source: Source) -> Names:
    """The names of a file, wherever they stand in it."""
    bound: set[str] = set()
    read: list[ast.Name] = []
    dynamic = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    for node in _nodes(tree):
        match node:
            case ast.Name(ctx=ast.Load(), id=name):
                read.append(node)
                dynamic = dynamic or name in _MAKERS
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
            case ast.Attribute(attr="modules"):
                dynamic = dynamic or dotted_name(node) == "sys.modules"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=other):
                bound.add(other or name.partition(".")[0])
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                bound.update(several)
            case _:
                if type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):  # parameters of PEP 695
                    bound.add(node.name)  # type: ignore[attr-defined]
    loose = [node for node in read if node.id not in bound and node.id not in _BUILTINS]
    places = tuple(sorted((node.id, source.span(node)) for node in loose))
    return Names(frozenset(bound), places, dynamic)


def _nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that can hold or be names; faster than `ast.walk`: no operators, no constants."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            continue
        yield node
        if isinstance(node, ast.Name):
            continue
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                waiting.extend([item for item in child if isinstance(item, ast.AST)])
            elif isinstance(child, ast.AST) and child._fields:
                waiting.append(child)
