"""The naive executor's ledger: rows by key that are overwritten, and what its tasks believe."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from stepcheck.explorer.rows import Standing
from stepcheck.explorer.state import Identity

T = TypeVar("T")
Address = tuple[str, str]
"""Task id and step path."""


@dataclass(frozen=True, slots=True)
class Note:
    """The row of one key."""

    standing: Standing
    attempts: int = 0
    output: str | None = None
    blob: str | None = None
    first_ms: int = 0


@dataclass(frozen=True, slots=True)
class Belief:
    """What a task believes of one of its steps."""

    step: str
    identity: Identity
    standing: Standing
    blob: str | None = None
    writes: bool = True


@dataclass
class Notes:
    """Everything the naive ledger holds."""

    rows: Mapping[str, Note] = field(default_factory=dict)
    beliefs: Mapping[Address, Belief] = field(default_factory=dict)
    intents: frozenset[tuple[str, str, int]] = frozenset()
    undo_intents: frozenset[Address] = frozenset()
    inbox: frozenset[Address] = frozenset()
    history: frozenset[Address] = frozenset()
    """What the conversation says is done."""
    last: str = ""
    """The step that something was last said of."""

    def put(self, key: str, note: Note) -> None:
        """Write the row of a key over whatever was there."""
        self.rows = {**self.rows, key: note}

    def believe(self, address: Address, belief: Belief) -> None:
        """Record what a task takes a step for."""
        self.beliefs = {**self.beliefs, address: belief}
        self.last = belief.step


def transact(image: Notes, work: Callable[[Notes], T]) -> tuple[Notes, T]:
    """Run `work` on a copy; return the copy and what `work` returned."""
    draft = copy.copy(image)
    result = work(draft)
    return draft, result
