"""Flows as nested tuples of plain values and back, for a cache that must not run what it reads."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias

from stepcheck.code.flow import expression, graph, operation
from stepcheck.facts import Span

Plain: TypeAlias = Any
"""None, booleans, numbers, text, and tuples of these: what `marshal` and, with lists, JSON can hold."""

_CLASSES: tuple[type[Any], ...] = (
    Span,
    graph.Edge,
    graph.Block,
    graph.Evaluated,
    graph.Parameter,
    graph.Loop,
    graph.Flow,
    graph.Class,
    graph.FileFlow,
    expression.Constant,
    expression.Variable,
    expression.Attribute,
    expression.Item,
    expression.Result,
    expression.Function,
    expression.Imported,
    expression.Compound,
    operation.Keyword,
    operation.Call,
    operation.Await,
    operation.Yield,
    operation.Assign,
    operation.Delete,
    operation.Evaluate,
    operation.Branch,
    operation.Next,
    operation.Enter,
    operation.Leave,
    operation.Catch,
    operation.Raise,
    operation.Return,
)
_ENUMS: tuple[type[Enum], ...] = (expression.Reach, graph.EdgeKind, graph.FlowKind, graph.ParameterKind)
_MEMBERS: tuple[Enum, ...] = tuple(member for kind in _ENUMS for member in kind)
_TAGS: dict[type[Any], int] = {kind: tag for tag, kind in enumerate(_CLASSES)}
_MEMBER_TAGS: dict[Enum, int] = {member: tag for tag, member in enumerate(_MEMBERS)}
_NAMES: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind) if field.init) for kind in _CLASSES if is_dataclass(kind)
}
_TUPLE, _ENUM = -1, -2


def to_plain(value: graph.FileFlow) -> Plain:
    """The file's flows as plain values."""
    return _plain(value)


def from_plain(plain: Plain) -> graph.FileFlow:
    """The flows that `to_plain` was given; raises ValueError for anything it did not make."""
    try:
        made = _made(plain)
    except (TypeError, IndexError, KeyError, RecursionError) as error:
        raise ValueError("no stored flows") from error
    if not isinstance(made, graph.FileFlow):
        raise ValueError("no stored flows")
    return made


def _plain(value: Any) -> Plain:
    kind = type(value)
    names = _NAMES.get(kind)
    if names is not None:
        return (_TAGS[kind], *[_plain(getattr(value, name)) for name in names])
    if kind in _TAGS:
        return (_TAGS[kind], *[_plain(part) for part in value])
    if kind is tuple:
        return (_TUPLE, *[_plain(part) for part in value])
    if isinstance(value, Enum):
        return (_ENUM, _MEMBER_TAGS[value])
    return value


def _made(plain: Plain) -> Any:
    if type(plain) is not tuple:
        return plain
    tag = plain[0]
    if tag == _ENUM:
        return _MEMBERS[plain[1]]
    parts = [part if type(part) is not tuple else _made(part) for part in plain[1:]]
    if tag == _TUPLE:
        return tuple(parts)
    make: Callable[..., Any] = _CLASSES[tag]
    return make(*parts)
