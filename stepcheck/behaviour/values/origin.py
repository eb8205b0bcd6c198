"""What a value is made of: one thing, with its place and the way on which it was come to."""

from dataclasses import dataclass, replace

from stepcheck.code.flow import Call, Expression, Flow, Point
from stepcheck.facts import Span

DEPTH = 14
"""Steps from a value to what it is made of; longer ways are left."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Something that a value is made of, with its place."""

    value: Expression | Call
    """A call that makes something; a variable that nothing in reach defines; a literal; an attribute, an item."""
    flow: Flow
    point: Point
    """Where it is made, or read."""
    outer: tuple[int, Point]
    """The flow where the tracing began and the place there: of the helper's call, for what a helper makes."""
    through: str = ""
    """What it is handed to on the way, next to it: `str`, `format`, `join`, `dumps`; nothing where it is bare."""
    ordered: bool = False
    """Something on the way puts it in order: `sorted`, `sort_keys=True`."""
    once: bool = False
    """It is made when the module is loaded: a default, a variable of the module."""

    @property
    def span(self) -> Span:
        """Where it stands: the operation that makes or reads it, or the function where that is over."""
        operations = self.flow.blocks[self.point.block].operations
        return (
            operations[self.point.position].span if self.point.position < len(operations) else self.flow.span
        )


@dataclass(frozen=True, slots=True)
class Way:
    """How the tracing came to a value."""

    outer: tuple[int, Point] | None = None
    through: str = ""
    ordered: bool = False
    left: int = DEPTH

    def into(self, through: str = "", *, ordered: bool = False, steps: int = 1) -> "Way":
        """The way one step further; what stands next to the value stays unless another takes its place."""
        return replace(
            self, through=through or self.through, ordered=self.ordered or ordered, left=self.left - steps
        )
