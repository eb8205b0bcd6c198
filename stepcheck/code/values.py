"""Python expressions as values: what is written, without running it."""

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from stepcheck.code import turns
from stepcheck.code.source import Source
from stepcheck.facts import Entry, Invocation, Lambda, Mapping, Name, Opaque, Scalar, Sequence, Value

DEEPEST = 60
"""Levels of one expression that are read in one piece; what lies deeper is read as a piece of its own."""
ITEM = ".__getitem__"
"""`X["k"]` is read as the call that it is: `X.__getitem__("k")`."""
RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
"""Calls that wait for an error."""
_SEQUENCES = frozenset({"list", "tuple", "set", "frozenset", "sorted"})
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_LARGEST = 10**15


@dataclass(slots=True)
class Expressions:
    """Reads expressions of one file; what cannot be part of a value is put aside, so that nothing is lost."""

    source: Source
    aside: list[ast.expr] = field(default_factory=list)
    """Expressions still to be read on their own."""
    parts: list[Value] = field(default_factory=list)
    """Values read already that are part of no value."""
    applied: list[tuple[Value, Value]] = field(default_factory=list)
    """Calls of what a call gave: what was called first, and its one argument."""
    named: list[tuple[ast.Name, Value]] = field(default_factory=list)
    """Names bound inside expressions (`:=`), with their values."""

    def read(self, node: ast.expr, depth: int = 0) -> Value:  # noqa: PLR0912 - one branch a kind of expression
        """The value of an expression."""
        if depth > DEEPEST:
            self.aside.append(node)
            return Opaque("nested too deeply", self.source.span(node))
        match node:
            case ast.Constant(value=constant):
                if constant is None or isinstance(constant, str | int | float):
                    return Scalar(constant, self.source.span(node))
                return Opaque("a constant of another kind", self.source.span(node))
            case ast.Name(id=name):
                return Name(name, self.source.span(node))
            case ast.Attribute():
                dotted = dotted_name(node)
                return Name(dotted, self.source.span(node)) if dotted else self._opaque(node, "an attribute")
            case ast.Dict():
                return self._dict(node, depth)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return Sequence(self._items(items, depth), self.source.span(node))
            case ast.Call():
                return self._call(node, depth)
            case ast.Subscript(value=owner, slice=key) if isinstance(key, ast.Constant) and dotted_name(
                owner
            ):
                function = Name(dotted_name(owner) + ITEM, self.source.span(owner))
                return Invocation(function, (self.read(key, depth + 1),), (), self.source.span(node))
            case ast.JoinedStr(values=parts):
                texts = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
                if len(texts) == len(parts):
                    return Scalar("".join(texts), self.source.span(node))
                return self._opaque(node, "a formatted string")
            case ast.UnaryOp():
                return self._unary(node, depth)
            case ast.BinOp():
                return self._binary(node, depth)
            case ast.Lambda(body=body):
                self.aside.append(body)
                return Lambda(self.source.span(node))
            case ast.NamedExpr(target=target, value=inner):
                value = self.read(inner, depth + 1)
                self.named.append((target, value))
                return Name(target.id, self.source.span(target))
            case ast.DictComp() if pair := turns.pair_of(node):
                return self._turns(node, *pair, depth)
            case ast.ListComp() if (item := turns.item_of(node)) is not None:
                self.aside.extend(turns.around(node))
                value = turns.without(self.read(item, depth + 1), turns.names_of(node))
                return Sequence((value,), self.source.span(node))
            case ast.Starred():
                return self._opaque(node, "a spread")
            case _:
                return self._opaque(node, "worked out when it runs")

    def _opaque(self, node: ast.expr, why: str) -> Opaque:
        self.aside.extend(inner_expressions(node))
        return Opaque(why, self.source.span(node))

    def _items(self, items: list[ast.expr], depth: int) -> tuple[Value, ...]:
        return tuple([self.read(item, depth + 1) for item in items])

    def _dict(self, node: ast.Dict, depth: int) -> Mapping:
        entries = []
        for key, value in zip(node.keys, node.values, strict=True):
            entries.append(
                Entry(None if key is None else self.read(key, depth + 1), self.read(value, depth + 1))
            )
        return Mapping(tuple(entries), self.source.span(node))

    def _turns(self, node: ast.expr, key: ast.expr, value: ast.expr, depth: int) -> Mapping:
        """A mapping of which one entry is written, for all turns of a loop: it may be there or not."""
        self.aside.extend((key, *turns.around(node)))
        held = turns.without(self.read(value, depth + 1), turns.names_of(node))
        entry = Entry(Opaque(turns.WHY, self.source.span(key)), held, conditional=True)
        return Mapping((entry,), self.source.span(node))

    def keywords(self, keywords: list[ast.keyword], depth: int = 0) -> tuple[Entry, ...]:
        """Keyword arguments as entries; `**more` has no key."""
        entries = []
        for keyword in keywords:
            key = Scalar(keyword.arg, self.source.keyword(keyword)) if keyword.arg is not None else None
            entries.append(Entry(key, self.read(keyword.value, depth + 1)))
        return tuple(entries)

    def _call(self, node: ast.Call, depth: int) -> Value:
        function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        name = dotted_name(function)
        if name == "dict" and len(node.args) <= 1:
            return self._dict_call(node, depth)
        if name in _SEQUENCES and len(node.args) <= 1 and not node.keywords:
            return self._sequence_call(node, depth)
        if name:
            return Invocation(
                Name(name, self.source.span(function)),
                self._items(node.args, depth),
                self.keywords(node.keywords, depth),
                self.source.span(node),
            )
        if isinstance(function, ast.Call) and len(node.args) == 1 and not node.keywords:
            first, argument = self.read(function, depth + 1), self.read(node.args[0], depth + 1)
            self.applied.append((first, argument))
            return Opaque("what a call gives, called in turn", self.source.span(node))
        return self._chain(node, depth)

    def _chain(self, node: ast.Call, depth: int) -> Value:
        """`Step("a").with_query(find)`: the first call stands alone, with the methods as what it does not say."""
        after: list[Entry] = []
        outer = node
        while isinstance(outer.func, ast.Attribute) and isinstance(outer.func.value, ast.Call):
            span = self.source.span(outer)
            after.append(Entry(None, Invocation(Name(f".{outer.func.attr}", span), (), (), span)))
            self.aside.extend((*outer.args, *(keyword.value for keyword in outer.keywords)))
            outer = outer.func.value
        if outer is node:
            return self._opaque(node, "a call of what another expression gives")
        first = self.read(outer, depth + 1)
        if isinstance(first, Invocation):
            first = replace(first, keywords=(*first.keywords, *reversed(after)))
        self.parts.append(first)
        return Opaque("what a method of a call's result gives", self.source.span(node))

    def _dict_call(self, node: ast.Call, depth: int) -> Value:
        entries: tuple[Entry, ...] = ()
        if node.args and (pair := turns.pair_of(node.args[0])):
            entries = self._turns(node.args[0], *pair, depth).entries
        elif node.args:
            first = self.read(node.args[0], depth + 1)
            pairs = _pairs(first)
            if pairs is not None:
                entries = pairs
            elif isinstance(first, Mapping):
                entries = first.entries
            else:
                entries = (Entry(None, first),)
        return Mapping(entries + self.keywords(node.keywords, depth), self.source.span(node))

    def _sequence_call(self, node: ast.Call, depth: int) -> Value:
        if not node.args:
            return Sequence((), self.source.span(node))
        first = self.read(node.args[0], depth + 1)
        if isinstance(first, Sequence):
            return Sequence(first.items, self.source.span(node))
        return Invocation(
            Name(dotted_name(node.func), self.source.span(node.func)), (first,), (), self.source.span(node)
        )

    def _unary(self, node: ast.UnaryOp, depth: int) -> Value:
        if isinstance(node.op, ast.USub | ast.UAdd | ast.Not):
            operand = self.read(node.operand, depth + 1)
            value = operand.value if isinstance(operand, Scalar) else None
            if isinstance(node.op, ast.Not) and isinstance(operand, Scalar):
                return Scalar(not value, self.source.span(node))
            if isinstance(value, int | float) and not isinstance(node.op, ast.Not):
                return Scalar(-value if isinstance(node.op, ast.USub) else +value, self.source.span(node))
            negated = _negated(operand) if isinstance(node.op, ast.USub) else None
            if negated is not None:
                return replace(negated, span=self.source.span(node))
            self.parts.append(operand)
            return Opaque("worked out when it runs", self.source.span(node))
        return self._opaque(node, "worked out when it runs")

    def _binary(self, node: ast.BinOp, depth: int) -> Value:
        left, right = self.read(node.left, depth + 1), self.read(node.right, depth + 1)
        span = self.source.span(node)
        if isinstance(node.op, ast.BitOr) and (isinstance(left, Mapping) or isinstance(right, Mapping)):
            return Mapping((Entry(None, left), Entry(None, right)), span)
        if isinstance(node.op, ast.Add) and isinstance(left, Sequence) and isinstance(right, Sequence):
            return Sequence(left.items + right.items, span)
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            folded = _fold(node.op, left.value, right.value)
            if folded is not None:
                return Scalar(folded, span)
        self.parts += (left, right)
        return Opaque("worked out when it runs", span)


def _negated(value: Value) -> Invocation | None:
    """`-timedelta(hours=1)` as `timedelta(hours=-1)`; None for anything else."""
    if not isinstance(value, Invocation) or value.function.dotted.rpartition(".")[2] != "timedelta":
        return None
    given = [*value.arguments, *(entry.value for entry in value.keywords)]
    if not all(isinstance(number, Scalar) and isinstance(number.value, int | float) for number in given):
        return None
    keywords = tuple(replace(entry, value=_minus(entry.value)) for entry in value.keywords)
    return replace(value, arguments=tuple(map(_minus, value.arguments)), keywords=keywords)


def _minus(value: Value) -> Value:
    if isinstance(value, Scalar) and isinstance(value.value, int | float):
        return Scalar(-value.value, value.span)
    return value


def _fold(kind: ast.operator, left: object, right: object) -> str | int | float | None:
    if isinstance(kind, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if type(kind) not in _ARITHMETIC or not (_number(left) and _number(right)):
        return None
    try:
        result: int | float = _ARITHMETIC[type(kind)](left, right)
    except ArithmeticError:
        return None
    return result


def _number(value: object) -> bool:
    """Whether arithmetic with it is cheap."""
    return isinstance(value, float) or (isinstance(value, int) and -_LARGEST < value < _LARGEST)


def _pairs(value: Value) -> tuple[Entry, ...] | None:
    """A literal list of pairs as entries; None for anything else."""
    if not isinstance(value, Sequence):
        return None
    entries = []
    for item in value.items:
        if not isinstance(item, Sequence) or len(item.items) != 2:
            return None
        entries.append(Entry(item.items[0], item.items[1]))
    return tuple(entries)


def dotted_name(node: ast.expr) -> str:
    """`a.b.c` for a chain of attributes on a name; nothing for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def inner_expressions(node: ast.AST) -> list[ast.expr]:
    """The expressions right below a node, also those behind comprehensions, slices and keywords."""
    found: list[ast.expr] = []
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        child = waiting.pop(0)
        if isinstance(child, ast.expr):
            found.append(child)
        elif not isinstance(child, ast.stmt):
            waiting.extend(ast.iter_child_nodes(child))
    return found
