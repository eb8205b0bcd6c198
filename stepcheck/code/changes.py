"""Which names of a file have their values completed later in ways that are not followed: in loops, by functions."""

import ast
from collections.abc import Iterator

from stepcheck.code.source import Source
from stepcheck.code.values import dotted_name
from stepcheck.facts import Span

_VIEWS = frozenset({"items", "values", "keys", "copy"})
_GOERS = frozenset({"list", "tuple", "sorted", "set", "dict", "reversed", "enumerate", "iter"})
_CHANGERS = frozenset({"setdefault", "update", "pop", "clear", "append", "extend", "__setitem__"})
_COPIERS = frozenset({"replace", "evolve", "assoc"})
"""Functions that give their first argument with some fields changed."""
_COPYING = frozenset({"model_copy", "_replace", "evolve"})
"""Methods that give what they are called on with some fields changed."""
_TABLE_WORDS = frozenset({"steps", "table", "tables"})


def changes(tree: ast.Module, source: Source) -> tuple[tuple[str, Span], ...]:
    """Names, dotted, whose values get fields that are not seen, each with a place where it means that value."""
    found: list[tuple[str, Span]] = []
    for node in ast.walk(tree):
        match node:
            case ast.For() | ast.AsyncFor():
                names = _in_loop(node)
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                names = [*_of_item(target), *_made_from(dotted_name(target), value)]
            case ast.Assign(targets=targets):
                names = [name for target in targets for name in _of_item(target)]
            case ast.Call():
                names = _copied(node)
            case _:
                continue
        found += [(name, source.span(node)) for name in names if name]
    return tuple(found)


def is_table_name(name: str) -> bool:
    """Whether a name says that a table is bound to it."""
    return not _TABLE_WORDS.isdisjoint(name.rpartition(".")[2].lower().split("_"))


def _in_loop(loop: ast.For | ast.AsyncFor) -> list[str]:
    """What the body of a loop changes entry by entry: what is gone through, or what its variables lead into."""
    turning = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    over = _gone_through(loop.iter)
    names: list[str] = []
    for node in (inner for statement in loop.body for inner in ast.walk(statement)):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    names += _stored(target, value, turning, over)
            case ast.AugAssign(target=target, value=value):
                names += over if _is_one_of(target, turning) else _stored(target, None, turning, over)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))) if (
                method in _CHANGERS
            ):
                names += over if _is_one_of(owner, turning) else _stored(owner, None, turning, over)
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[first, *_])):
                names += over if _is_one_of(first, turning) else _stored(first, None, turning, over)
            case _:
                pass
    return sorted(set(names))


def _stored(target: ast.expr, value: ast.expr | None, turning: set[str], over: list[str]) -> list[str]:
    """What a store into part of something changes; with the value, a fresh one for an entry changes nothing."""
    if not isinstance(target, ast.Subscript | ast.Attribute):
        return []
    if _root(target) in turning:
        return over
    steps = list(_path(target))
    if not steps:
        return []
    led = any(_is_one_of(step.slice, turning) for step in steps if isinstance(step, ast.Subscript))
    owner = dotted_name(steps[-1].value)
    within = [] if value is None else [node for node in ast.walk(value) if isinstance(node, ast.expr)]
    rests = value is None or any(dotted_name(node) == owner for node in within)
    return [owner] if led and (len(steps) > 1 or rests) else []


def _path(target: ast.expr) -> Iterator[ast.Subscript | ast.Attribute]:
    """The steps from a target up to the name that it is part of, the last step first."""
    while isinstance(target, ast.Subscript | ast.Attribute) and not dotted_name(target):
        yield target
        target = target.value


def _root(target: ast.expr) -> str:
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _is_one_of(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _gone_through(node: ast.expr) -> list[str]:
    """The names whose values a loop goes through."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _VIEWS:
            return _gone_through(owner)
        case ast.Call(func=ast.Name(id=function), args=[first, *_]) if function in _GOERS:
            return _gone_through(first)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [name for item in items for name in _gone_through(item)]
        case ast.Name() | ast.Attribute():
            return [dotted_name(node)]
        case _:
            return []


def _of_item(target: ast.expr) -> list[str]:
    """`X["k"].field = v` changes what `X` holds."""
    if not isinstance(target, ast.Attribute) or dotted_name(target):
        return []
    return [dotted_name(list(_path(target))[-1].value)]


def _made_from(target: str, value: ast.expr) -> list[str]:
    """What a table is made from, entry by entry, or as the whole by a function that may add to it."""
    match value:
        case ast.DictComp(value=made) | ast.ListComp(elt=made) | ast.GeneratorExp(elt=made):
            loops = value.generators
            turning = {
                node.id for loop in loops for node in ast.walk(loop.target) if isinstance(node, ast.Name)
            }
            over = [name for loop in loops for name in _gone_through(loop.iter)]
            takes = is_table_name(target) or target.rpartition(".")[2].isupper()
            return over if takes and _completes(made, turning) else []
        case ast.Call(func=function, args=arguments, keywords=keywords):
            last = dotted_name(function).rpartition(".")[2]
            if last in _GOERS and len(arguments) == 1 and not keywords:
                return _made_from(target, arguments[0])
            given = [dotted_name(argument) for argument in arguments if _is_name(argument)]
            if not last[:1].islower() or last in _GOERS:
                return []
            return [name for name in given if is_table_name(target) or name.lstrip("_") == target.lstrip("_")]
        case _:
            return []


def _completes(made: ast.expr, turning: set[str]) -> bool:
    """Whether an entry is made from the one of the turn, with more fields or by a function that may add some."""
    match made:
        case ast.Dict(keys=keys, values=values):
            return any(
                key is None and _is_one_of(item, turning) for key, item in zip(keys, values, strict=True)
            )
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_one_of(left, turning) or _is_one_of(right, turning)
        case ast.Call(func=function, args=arguments):
            last = dotted_name(function).rpartition(".")[2]
            return last[:1].islower() and any(_is_one_of(argument, turning) for argument in arguments)
        case _:
            return False


def _copied(call: ast.Call) -> list[str]:
    """`replace(x, ...)`, `x.model_copy(...)`: what `x` holds, with other fields."""
    last = dotted_name(call.func).rpartition(".")[2]
    if last in _COPIERS and call.args and call.keywords:
        return [dotted_name(call.args[0])]
    if isinstance(call.func, ast.Attribute) and call.func.attr in _COPYING and call.keywords:
        return [dotted_name(call.func.value)]
    return []
