"""Which plain names a file binds anywhere, and which it reads without binding them."""

import ast
import builtins

from stepcheck.code.source import Source
from stepcheck.facts import Span

_BUILTINS = frozenset(dir(builtins)) | {
    "__file__",
    "__path__",
    "__spec__",
    "__loader__",
    "__class__",
    "WindowsError",
}


def names(tree: ast.Module, source: Source) -> tuple[frozenset[str], tuple[tuple[str, Span], ...]]:
    """All names bound at any place, and those read that are neither bound nor builtins, with their places."""
    bound: set[str] = set()
    read: list[ast.Name] = []
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Load()):
                read.append(node)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
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
    return frozenset(bound), tuple(sorted((node.id, source.span(node)) for node in loose))
