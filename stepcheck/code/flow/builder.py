"""A flow under construction: open blocks, the handlers and clean-ups around the current place, the budget."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from stepcheck.code.flow.expression import Expression, Reach, Variable, variables
from stepcheck.code.flow.graph import ENTRY, ESCAPE, EXIT, Block, Edge, EdgeKind, FlowKind, Loop
from stepcheck.code.flow.operation import Branch, Catch, Evaluate, Next, Operation, Raise
from stepcheck.code.flow.resolve import Names
from stepcheck.code.flow.scope import Scope
from stepcheck.code.flow.source import Budget, Source, SpentError
from stepcheck.facts import Span

DEPTH = 150
"""Levels of nesting that are lowered; each costs up to four frames of the interpreter's thousand."""

_CALM = (Branch, Catch, Evaluate, Next)
"""Operations behind which a block goes on, or which end it by their own edges."""

Lower: TypeAlias = Callable[["Builder", ast.expr], Expression]


@dataclass(slots=True)
class LoopFrame:
    """Where `break` and `continue` go."""

    head: int
    after: int


@dataclass(slots=True)
class Guard:
    """Where an exception finds the handlers of a `try`."""

    landing: int


@dataclass(slots=True)
class CleanUp:
    """What is done on every way out: a `finally`, or the leaving of a `with`."""

    landing: int
    emit: Callable[[], None]
    """Lowers one more copy, for a way out that is no exception."""
    copies: dict[int, int] = field(default_factory=dict)
    """The copy for each target of `return`, `break` and `continue`."""


@dataclass(slots=True)
class OpenBlock:
    """A block that still grows."""

    operations: list[Operation] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    entered: bool = False
    raises: bool = False
    first: int = -1


class Builder:
    """The blocks of one flow so far. `current` is None where nothing can run."""

    def __init__(self, scope: Scope, names: Names, source: Source, budget: Budget, lower: Lower) -> None:
        self._lower = lower
        self.scope = scope
        self.names = names
        self.source = source
        self.budget = budget
        self.left = budget.function
        self.depth = 0
        self.blocks = [OpenBlock(entered=True), OpenBlock(), OpenBlock()]
        self.current: int | None = ENTRY
        self.frames: list[LoopFrame | Guard | CleanUp] = []
        self.loops: list[Loop] = []
        self.renamed: dict[str, str] = {}
        """Names that a comprehension around the current place binds."""
        self.future_annotations = False
        self._numbers = 0
        self._variables: dict[str, Variable] = {}

    def value(self, node: ast.expr) -> Expression:
        """Evaluate an expression: its operations are emitted, what it comes to is given back."""
        return self._lower(self, node)

    def known(self, node: ast.expr, made: Expression) -> str:
        """What the file tells an expression to be; `made` is what it was lowered to."""
        # The scopes know nothing of a comprehension's own variables: what starts at one is left unresolved.
        if self.renamed and any("@" in variable.name for variable in variables(made)):
            return ""
        return self.names.of(node, self.scope)

    def take(self, amount: int = 1) -> None:
        """Use up some of the function's and the file's budget."""
        self.left -= amount
        if self.left < 0:
            raise SpentError("is too large")
        self.budget.take(amount)

    def deeper(self) -> None:
        """One level of nesting more; whoever calls takes it back by `depth -= 1`."""
        self.depth += 1
        if self.depth > DEPTH:
            raise SpentError(f"nests deeper than {DEPTH} levels")

    def number(self) -> int:
        """A number for the result of an operation, unique in the flow."""
        self._numbers += 1
        return self._numbers - 1

    def block(self) -> int:
        """A new block that nothing leads to yet."""
        self.blocks.append(OpenBlock())
        return len(self.blocks) - 1

    def start(self, block: int) -> None:
        """Go on in a block; nothing can run there if nothing leads to it."""
        self.current = block if self.blocks[block].entered else None

    def edge(self, target: int, kind: EdgeKind) -> None:
        """Lead from the current block to another."""
        if self.current is not None:
            self.take()
            self.blocks[self.current].edges.append(Edge(target, kind))
            self.blocks[target].entered = True

    def goto(self, target: int, kind: EdgeKind = EdgeKind.NEXT) -> None:
        """Lead to another block and end this one."""
        self.edge(target, kind)
        self.current = None

    def fresh(self) -> None:
        """Go on in a new block, so that a guard begins or ends exactly here."""
        following = self.block()
        self.goto(following)
        self.start(following)

    def landing(self) -> int:
        """Where an exception raised here goes."""
        for frame in reversed(self.frames):
            if not isinstance(frame, LoopFrame):
                return frame.landing
        return ESCAPE

    def touch(self) -> None:
        """Something here can raise."""
        if self.current is not None and not self.blocks[self.current].raises:
            self.blocks[self.current].raises = True
            self.edge(self.landing(), EdgeKind.EXCEPTION)

    def calm(self) -> int | None:
        """The current block, if nothing in it can have raised so far."""
        return None if self.current is None or self.blocks[self.current].raises else self.current

    def emit(self, operation: Operation, *, raises: bool = True, calm: int | None = None) -> None:
        """Add an operation; where its failing matters to a handler or clean-up, the block ends with it.

        `calm` is what `calm()` gave when its own evaluation began; without it that is now.
        """
        if self.current is None:
            return
        self.take()
        self.blocks[self.current].operations.append(operation)
        if not raises:
            return
        if self.current in (calm, self.calm()) and self.blocks[self.current].first < 0:
            self.blocks[self.current].first = len(self.blocks[self.current].operations) - 1
        self.touch()
        if isinstance(operation, Raise):
            self.current = None
        elif not isinstance(operation, _CALM) and self.landing() != ESCAPE:
            self.fresh()

    def branch(self, test: Expression, span: Span, yes: int, no: int) -> None:
        """End the block with a test."""
        self.emit(Branch(test, span))
        self.edge(yes, EdgeKind.TRUE)
        self.goto(no, EdgeKind.FALSE)

    def leave(self, target: int, depth: int) -> None:
        """Go to `target`, doing the clean-ups from frame `depth` on; one copy serves all who go there."""
        for index in range(len(self.frames) - 1, depth - 1, -1):
            frame = self.frames[index]
            if not isinstance(frame, CleanUp):
                continue
            if target in frame.copies:
                self.goto(frame.copies[target])
                return
            around = self.frames
            frame.copies[target] = self.block()
            self.goto(frame.copies[target])
            self.start(frame.copies[target])
            self.frames = around[:index]
            frame.emit()
            self.leave(target, depth)
            self.frames = around
            self.current = None
            return
        self.goto(target)

    def loop_depth(self) -> int:
        """The position of the innermost loop among the frames; -1 outside of any."""
        for index in range(len(self.frames) - 1, -1, -1):
            if isinstance(self.frames[index], LoopFrame):
                return index
        return -1

    def variable(self, name: str) -> Variable:
        """The variable that a name means here."""
        name = self.renamed.get(name, name)
        known = self._variables.get(name)
        if known is None:
            known = self._variables[name] = Variable(name, self._reach(name))
        return known

    def _reach(self, name: str) -> Reach:
        if "@" in name or name == ".0":
            return Reach.LOCAL
        owner = self.scope.owner(name)
        if owner is None:
            return Reach.UNBOUND
        if owner is self.scope:
            return Reach.LOCAL
        return Reach.GLOBAL if owner.kind is FlowKind.MODULE else Reach.FREE

    def finish(self) -> tuple[tuple[Block, ...], tuple[Loop, ...]]:
        """The reachable blocks in reverse postorder, empty ones passed over, and the loops that are left."""
        self.goto(EXIT)
        goal = [self._forward(index) for index in range(len(self.blocks))]
        follow = [[goal[edge.target] for edge in block.edges] for block in self.blocks]
        entry = [ENTRY, *_postorder(follow)]
        order = [ENTRY, EXIT, ESCAPE, *(index for index in reversed(entry) if index > ESCAPE)]
        place = {index: position for position, index in enumerate(order)}
        blocks = tuple(
            Block(
                tuple(self.blocks[index].operations),
                tuple(Edge(place[goal[target]], kind) for target, kind in self.blocks[index].edges),
                self.blocks[index].first,
            )
            for index in order
        )
        loops = (
            Loop(place[goal[loop.head]], loop.kind, loop.targets, loop.iterable, loop.qualified, loop.span)
            for loop in self.loops
            if goal[loop.head] in place
        )
        return blocks, tuple(loops)

    def _forward(self, index: int) -> int:
        """The first block from here that does something."""
        seen = {index}
        while index > ESCAPE and not self.blocks[index].operations and len(self.blocks[index].edges) == 1:
            target, kind = self.blocks[index].edges[0]
            if kind is not EdgeKind.NEXT or target in seen:
                break
            seen.add(target)
            index = target
        return index


def _postorder(follow: list[list[int]]) -> list[int]:
    order: list[int] = []
    seen = {ENTRY}
    waiting = [(ENTRY, iter(follow[ENTRY]))]
    while waiting:
        index, targets = waiting[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                waiting.append((target, iter(follow[target])))
                break
        else:
            waiting.pop()
            order.append(index)
    return order
