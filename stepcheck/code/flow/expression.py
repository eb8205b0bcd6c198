"""What an operation reads: values as small trees of constants, variables and results of earlier operations.

A call inside an expression is an operation of its own and stands in the tree as its `Result`, so a tree never
runs anything and the order of calls is the order of operations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Reach(Enum):
    """Where the name of a variable is bound."""

    LOCAL = "local"
    """In the function itself (or in the module or class body, for those)."""
    FREE = "free"
    """In an enclosing function."""
    GLOBAL = "global"
    """At the top of the module."""
    UNBOUND = "unbound"
    """Nowhere in the file: a builtin, or a name that a star import or nobody brings."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal. Bytes, complex numbers and `...` are their `repr` text, marked by `kind`."""

    value: str | int | float | bool | None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable. One that a comprehension binds is named `name@line:column`: it hides nothing outside."""

    name: str
    reach: Reach


@dataclass(frozen=True, slots=True)
class Attribute:
    """`base.name`."""

    base: "Expression"
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """`base[index]`."""

    base: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Result:
    """What an earlier operation of the same flow gave: the answer of a call, a sent value, an item."""

    number: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function, lambda, class or generator expression made here; `flow` is its index in the file.

    `parts` are the values bound when it is made: defaults, or the first iterable of a generator expression.
    """

    flow: int
    parts: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import statement binds, by its dotted name; leading dots as written."""

    dotted: str


@dataclass(frozen=True, slots=True)
class Compound:
    """A value made of others.

    Kinds: `tuple`, `list`, `set`, `dict` (of `entry` and `spread`), `text` (an f-string), `format` (a
    replacement field), `binary` (several parts for a chain of one operator), `unary`, `compare` (`text` is
    the operator, several joined by spaces), `choice` (one of the parts: `and`, `or`, a conditional
    expression), `test` (as `choice`, the first part only decides), `star`, `slice`, `unpack` (`text` is the
    position), `iterated` (an item, and what it is an item of), `exception` (the one caught; the parts are the
    types), `match` (`text` is the pattern), `other`.
    """

    kind: str
    text: str
    parts: tuple["Expression", ...]


Expression: TypeAlias = Constant | Variable | Attribute | Item | Result | Function | Imported | Compound

_ALONE = (Variable, Constant, Result)
"""What holds nothing: most of what there is."""
NONE = Constant(None)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The values directly inside."""
    if isinstance(expression, Attribute):
        return (expression.base,)
    if isinstance(expression, Compound | Function):
        return expression.parts
    if isinstance(expression, Item):
        return (expression.base, expression.index)
    return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The value and all inside it, outer before inner, left before right."""
    waiting = [expression]
    while waiting:
        found = waiting.pop()
        yield found
        if not isinstance(found, _ALONE):
            waiting.extend(reversed(children(found)))


def variables(expression: Expression) -> Iterator[Variable]:
    """Every variable read, from left to right, repeats included."""
    return (found for found in walk(expression) if isinstance(found, Variable))


def dotted(expression: Expression) -> str:
    """`a.b.c` for a variable and its attributes, as written; nothing for any other value."""
    names: list[str] = []
    while isinstance(expression, Attribute):
        names.append(expression.name)
        expression = expression.base
    if isinstance(expression, Variable):
        return ".".join([expression.name.partition("@")[0], *reversed(names)])
    return ""
