"""What a function does, one thing at a time: the operations that blocks are made of."""

from dataclasses import dataclass
from typing import TypeAlias

from stepcheck.code.flow.expression import Attribute, Expression, Item, Variable
from stepcheck.facts import Span


@dataclass(frozen=True, slots=True)
class Keyword:
    """One `name=value` of a call; the name is empty for `**value`."""

    name: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A call. Its arguments are evaluated before it, by earlier operations where they do anything."""

    number: int
    """`Result(number)` is its answer."""
    callee: Expression
    dotted: str
    """The callee as written (`self.client.post`), or nothing where it is no dotted name."""
    qualified: str
    """What the file alone tells it to be, or nothing.

    Imported names by their dotted path (`httpx.Client.post`), names of this file after a colon
    (`:Client.pay`), builtins under `builtins.`, names that nothing in the file binds after a question mark
    (`?client.post`); an instance is named as its class, `()` stands for the answer of another call
    (`boto3.client().invoke`), `[]` for an item.
    """
    arguments: tuple[Expression, ...]
    """Positional ones, in order; `*values` is a `star`."""
    keywords: tuple[Keyword, ...]
    awaited: bool
    """It is waited for at once: it is over when the awaited value is there, and cancelling raises here."""
    span: Span

    def keyword(self, name: str) -> Keyword | None:
        """The keyword argument of that name, or None."""
        return next((found for found in self.keywords if found.name == name), None)


@dataclass(frozen=True, slots=True)
class Await:
    """A suspension until `value`, which is no call made right here, is there; cancelling raises here."""

    number: int
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Yield:
    """A value handed out; whoever iterates may never come back, or throw here."""

    number: int
    value: Expression
    delegates: bool
    """`yield from`."""
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """A value bound to a variable, or stored in an attribute or item."""

    target: Variable | Attribute | Item
    value: Expression
    augmented: bool
    """`+=` and kin: the target was read too, and is part of `value`."""
    span: Span


@dataclass(frozen=True, slots=True)
class Delete:
    """`del target`, or the end of an `except ... as target`."""

    target: Variable | Attribute | Item
    span: Span


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A value read for its own sake, or held (as `Result(number)`) before what it is made of changes."""

    number: int
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Branch:
    """The last operation of a block with a true and a false edge. `not` is told by the edges."""

    test: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Next:
    """The head of a loop: true edge with an item (`Result(number)`), false edge after the last."""

    number: int
    iterable: Expression
    asynchronous: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Enter:
    """`__enter__` or `__aenter__` of a context manager; `Result(number)` is what `as` binds."""

    number: int
    context: Expression
    qualified: str
    """The context manager, named like `Call.qualified`: `threading.Lock`, `:engine.begin()`."""
    asynchronous: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Leave:
    """`__exit__` or `__aexit__` of the context manager entered by `Enter(number)`."""

    number: int
    context: Expression
    qualified: str
    asynchronous: bool
    failing: bool
    """Because of an exception, which it may swallow."""
    span: Span


@dataclass(frozen=True, slots=True)
class Catch:
    """The last operation of a block that tries a handler: caught edge into it, passed edge to the next."""

    types: tuple[str, ...]
    """The exception types, named like `Call.qualified`, or as written where the file does not tell.

    `""` for one that is no name; empty for a bare `except:`."""
    values: tuple[Expression, ...]
    name: str
    """What `as` binds, or nothing."""
    grouped: bool
    """`except*`."""
    span: Span


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise`, or the failing end of an `assert`."""

    value: Expression | None
    """None for a bare `raise`."""
    cause: Expression | None
    qualified: str
    """The exception's class, named like `Call.qualified`; nothing where the file does not tell."""
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    """`return value`; what `finally` blocks do on the way out comes after it."""

    value: Expression
    span: Span


Operation: TypeAlias = (
    Call | Await | Yield | Assign | Delete | Evaluate | Branch | Next | Enter | Leave | Catch | Raise | Return
)


def reads(operation: Operation) -> tuple[Expression, ...]:
    """The values an operation reads, in the order of evaluation; a variable that is assigned is not read."""
    match operation:
        case Call():
            return (operation.callee, *operation.arguments, *(word.value for word in operation.keywords))
        case Await(value=value) | Yield(value=value) | Evaluate(value=value) | Return(value=value):
            return (value,)
        case Assign(target=target, value=value):
            return (value, *_inside(target))
        case Delete(target=target):
            return _inside(target)
        case Branch(test=test):
            return (test,)
        case Next(iterable=iterable):
            return (iterable,)
        case Enter(context=context) | Leave(context=context):
            return (context,)
        case Catch(values=values):
            return values
        case Raise(value=raised, cause=cause):
            return tuple(part for part in (raised, cause) if part is not None)


def _inside(target: Variable | Attribute | Item) -> tuple[Expression, ...]:
    match target:
        case Attribute(base=base):
            return (base,)
        case Item(base=base, index=index):
            return (base, index)
        case _:
            return ()
