"""Lowered functions: blocks of operations and the edges between them, as plain data."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from stepcheck.code.flow.expression import Expression
from stepcheck.code.flow.operation import Call, Operation
from stepcheck.facts import Span

ENTRY, EXIT, ESCAPE = 0, 1, 2
"""The blocks every flow has: where it begins, where it returns, where an exception leaves it."""


class EdgeKind(Enum):
    """Why control goes this way."""

    NEXT = "next"
    TRUE = "true"
    FALSE = "false"
    EXCEPTION = "exception"
    """Some operation of the block raised: the last one was not completed, earlier ones may or may not be."""
    CAUGHT = "caught"
    """The handler tried at the block's end takes the exception."""
    PASSED = "passed"
    """It does not; the next one is tried."""
    RERAISE = "reraise"
    """The block was completed and the exception goes on: no handler took it, or a clean-up ended."""
    SWALLOWED = "swallowed"
    """The context manager left at the block's end says that the exception is dealt with."""


class Edge(NamedTuple):
    """One way out of a block."""

    target: int
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class Block:
    """Operations done one after the other.

    Where an exception would meet a handler or a clean-up, a block ends at its first call, await, yield or
    store that can raise; elsewhere (only ESCAPE is ahead) it goes on. The EXCEPTION edge may be taken from
    any point of the block.
    """

    operations: tuple[Operation, ...]
    edges: tuple[Edge, ...]
    first: int = -1
    """The position of an operation before which nothing in the block can raise; -1 where there is none.

    The EXCEPTION edge then means that it was begun. Looking up what is called is part of a call.
    """


class Point(NamedTuple):
    """The place of one operation in a flow."""

    block: int
    position: int


class FlowKind(Enum):
    """What was lowered."""

    MODULE = "module"
    CLASS = "class"
    """A class body: runs once, where the class is defined."""
    FUNCTION = "function"
    LAMBDA = "lambda"
    GENERATOR = "generator expression"
    """Runs when it is iterated; its parameter `.0` is the first iterable."""


class ParameterKind(Enum):
    """How a parameter takes its argument."""

    POSITIONAL = "positional"
    NORMAL = "normal"
    KEYWORD = "keyword"
    STAR = "*"
    DOUBLE_STAR = "**"


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An expression outside of any block: a decorator, a default.

    `Result(n)` in `value` and in the calls is the answer of `calls[n]`.
    """

    value: Expression
    qualified: str
    """Named like `Call.qualified`; for `@retry(stop=...)` the function called, `tenacity.retry`."""
    dotted: str
    """The same as written."""
    calls: tuple[Call, ...]
    span: Span

    @property
    def call(self) -> Call | None:
        """The outermost call, where it is one: for `@retry(stop=...)` the call of `retry`."""
        return self.calls[-1] if self.calls else None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter."""

    name: str
    kind: ParameterKind
    annotation: str
    """What the annotation names, like `Call.qualified` (`Optional` and `| None` taken away), or nothing."""
    default: Evaluated | None
    span: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop as written."""

    head: int
    """The block where each turn begins."""
    kind: str
    """`for`, `while`, or `comprehension`."""
    targets: tuple[str, ...]
    """The variables that get each item."""
    iterable: Expression | None
    """None for `while`."""
    qualified: str
    """What the iterable is, named like `Call.qualified`: `tenacity.Retrying`, `builtins.range()`."""
    span: Span
    """Of the header."""


@dataclass(frozen=True, slots=True)
class Flow:
    """One function (or module or class body, lambda, generator expression), lowered from its file alone."""

    index: int
    name: str
    qualname: str
    """As `__qualname__` would be; `<module>` for the module's body."""
    kind: FlowKind
    parent: int | None
    """The index of the flow in which it is defined."""
    asynchronous: bool
    generator: bool
    parameters: tuple[Parameter, ...]
    decorators: tuple[Evaluated, ...]
    """From top to bottom; applied from bottom to top."""
    span: Span
    """Of its header's name where it has one, else of all of it."""
    blocks: tuple[Block, ...]
    """In reverse postorder after ENTRY, EXIT and ESCAPE; all but those three are reachable."""
    loops: tuple[Loop, ...]
    spent: str
    """Why it was not lowered (then it has no blocks but the three, and no edges), or nothing."""

    _points: list[tuple[Point, Operation]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    """What `points` gave: it is asked for over and over."""

    def points(self) -> Iterator[tuple[Point, Operation]]:
        """Every operation with its place, block by block."""
        if not self._points:
            self._points.extend(
                [
                    (Point(number, position), operation)
                    for number, block in enumerate(self.blocks)
                    for position, operation in enumerate(block.operations)
                ]
            )
        return iter(self._points)

    def calls(self) -> Iterator[tuple[Point, Call]]:
        """Every call with its place. What stands in a `finally` is there once for each way of leaving it."""
        return ((point, operation) for point, operation in self.points() if isinstance(operation, Call))


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the file."""

    qualname: str
    flow: int
    """Of its body."""
    bases: tuple[str, ...]
    """Named like `Call.qualified`; nothing for a base that is no name."""
    methods: tuple[tuple[str, int], ...]
    """Each with the index of its flow, in order; of a name bound twice the later one wins."""
    attributes: tuple[tuple[str, str], ...]
    """What methods assign to `self.name`, with what it then is (named like `Call.qualified`)."""


@dataclass(frozen=True, slots=True)
class FileFlow:
    """All flows of one file, outer before inner, in the order of the text; the first is the module's."""

    path: str
    flows: tuple[Flow, ...]
    classes: tuple[Class, ...]
