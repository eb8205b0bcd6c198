"""One Python file as plain data: what it binds, imports and defines, each dict, list and call it writes."""

from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum

from stepcheck.facts import Entry, Span, Value


class How(Enum):
    """What a statement does to a name."""

    ASSIGNED = "assigned"
    """`X = v`, `X: T = v`, `(X := v)`."""
    DECLARED = "declared"
    """`X: T`, with no value: a field of a class."""
    ENTRY = "entry"
    """`X["k"] = v`, `X.setdefault("k", v)`: one entry more; `Binding.key` is its key."""
    MERGED = "merged"
    """`X |= v`, `X.update(v)`, `X += v`, `X.append(v)`, `X.extend(v)`: entries or items more."""
    DELETED = "deleted"
    """`del X["k"]`, `X.pop("k")`; the whole of `X` where `Binding.key` is None."""
    HELD = "held"
    """Bound to what only a run could tell: parameters, loop variables, `with ... as`, unpacking."""
    STANDING = "standing"
    """No name at all: an argument, a return value, an item of something that could not be read."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One value at one place, and the name it goes to."""

    name: str
    """Dotted for attributes (`self.steps`); empty for STANDING."""
    how: How
    value: Value
    span: Span
    """Of the target, or of the value where there is none."""
    scope: int
    """Index into `Module.scopes`."""
    conditional: bool = False
    """Under an `if`, `try` or loop, or in a function that changes an outer name."""
    key: Value | None = None
    annotation: str = ""
    """The dotted head of the annotation: `ClassVar`, `typing.Final`."""


@dataclass(frozen=True, slots=True)
class Import:
    """One name that an import binds."""

    alias: str
    """The name bound here; `*` for a star import."""
    module: str
    """Dotted, without the leading dots of a relative import."""
    name: str
    """What is taken from the module; empty for `import module`."""
    level: int
    """Leading dots."""
    span: Span
    scope: int
    conditional: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A `def`, where it stands."""

    name: str
    span: Span
    """Of the name."""
    scope: int
    """Where the name is bound."""
    conditional: bool
    decorators: tuple[Value, ...]
    parameters: tuple[str, ...]
    """Those that may be given by position, in order."""
    keyword_only: tuple[str, ...] = ()
    defaults: tuple[Entry, ...] = ()
    """Parameters that have one, each keyed by its name in its place."""
    variable: bool = False
    """Whether it takes `*args` or `**kwargs`."""


@dataclass(frozen=True, slots=True)
class Class:
    """A `class`, where it stands; its members are the bindings and functions of its own scope."""

    name: str
    span: Span
    """Of the name."""
    scope: int
    """Where the name is bound."""
    body: int
    """The scope of its members."""
    conditional: bool
    decorators: tuple[Value, ...]
    bases: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Application:
    """What a call gives is called in turn: `flow.step("pay", effect="read")(pay)`."""

    decorator: Value
    argument: Value
    scope: int
    conditional: bool


class ScopeKind(Enum):
    """What opened a scope."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Scope:
    """A stretch of the file in which names are bound."""

    kind: ScopeKind
    name: str
    """Dotted from the module down: `Flow.run`; empty for the module."""
    span: Span
    """Of the body."""
    parent: int
    """Index of the scope around it; the module's is its own."""


@dataclass(frozen=True, slots=True)
class Module:
    """One Python file alone: everything in the order of the file, nothing yet followed to other files."""

    path: str
    scopes: tuple[Scope, ...]
    """In the order they open; the first is the module."""
    bindings: tuple[Binding, ...]
    imports: tuple[Import, ...]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    applications: tuple[Application, ...]
    bound: frozenset[str]
    """Every plain name bound anywhere in the file, parameters included."""
    loose: tuple[tuple[str, Span], ...]
    """Names read that nothing in the file binds and that are no builtins, with their places."""
    exports: tuple[str, ...] | None
    """`__all__`, where it is a list of strings; None where there is none or it could not be read."""

    dynamic: bool
    """Whether the module may hold names that nothing in it binds: `__getattr__`, `globals()`."""
    failing: tuple[Span, ...] = ()
    """What is meant to fail: the blocks of `with pytest.raises(...)` and their like."""

    changed: tuple[tuple[str, Span], ...] = ()
    """Names whose values get fields in ways that are not followed, each with a place where it means them."""

    def scope_at(self, span: Span) -> int:
        """The innermost scope around a place."""
        place = (span.line, span.column)
        at = bisect_right(self.scopes, place, key=lambda scope: (scope.span.line, scope.span.column)) - 1
        while at > 0:
            around = self.scopes[at].span
            if place < (around.end_line, around.end_column):
                return at
            at = self.scopes[at].parent
        return 0
