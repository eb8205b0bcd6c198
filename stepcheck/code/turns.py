"""What a comprehension builds: one entry or item for each turn, written once, with the loop's names unknown."""

import ast
from dataclasses import replace

from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Sequence, Value

Comprehension = ast.DictComp | ast.ListComp | ast.SetComp | ast.GeneratorExp
WHY = "different in each turn of a loop"


def pair_of(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Key and value that each turn adds to a mapping of dicts; None for any other expression.

    Also the pairs of `dict((key, {...}) for ...)`.
    """
    match node:
        case ast.DictComp(key=key, value=value) if _is_dict(value):
            return key, value
        case (
            ast.ListComp(elt=ast.Tuple(elts=[key, value]))
            | ast.GeneratorExp(elt=ast.Tuple(elts=[key, value]))
        ) if _is_dict(value):
            return key, value
        case _:
            return None


def item_of(node: ast.expr) -> ast.expr | None:
    """The dict that each turn adds to a list; None for any other expression."""
    match node:
        case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) if _is_dict(item):
            return item
        case _:
            return None


def around(node: ast.expr) -> list[ast.expr]:
    """What is gone through, and the conditions."""
    loops = node.generators if isinstance(node, Comprehension) else []
    return [part for loop in loops for part in (loop.iter, *loop.ifs)]


def names_of(node: ast.expr) -> frozenset[str]:
    """The names that each turn binds anew."""
    loops = node.generators if isinstance(node, Comprehension) else []
    return frozenset(
        target.id for loop in loops for target in ast.walk(loop.target) if isinstance(target, ast.Name)
    )


def without(value: Value, names: frozenset[str]) -> Value:
    """The value with all that rests on these names opaque."""
    match value:
        case Name(dotted=dotted, span=span) if dotted.partition(".")[0] in names:
            return Opaque(WHY, span)
        case Mapping(entries=entries):
            return replace(value, entries=_entries(entries, names))
        case Sequence(items=items):
            return replace(value, items=tuple(without(item, names) for item in items))
        case Invocation(function=function, arguments=arguments, keywords=keywords, span=span):
            if function.dotted.partition(".")[0] in names:
                return Opaque(WHY, span)
            given = tuple(without(argument, names) for argument in arguments)
            return replace(value, arguments=given, keywords=_entries(keywords, names))
        case _:
            return value


def _entries(entries: tuple[Entry, ...], names: frozenset[str]) -> tuple[Entry, ...]:
    return tuple(
        replace(
            entry,
            key=None if entry.key is None else without(entry.key, names),
            value=without(entry.value, names),
        )
        for entry in entries
    )


def _is_dict(node: ast.expr) -> bool:
    match node:
        case ast.Dict() | ast.Call(func=ast.Name(id="dict")):
            return True
        case _:
            return False
