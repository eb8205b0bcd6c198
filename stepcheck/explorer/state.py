"""Everything one run stands at, as immutable parts: a snapshot is a shallow copy."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from stepcheck.explorer.faults import SMOOTH, Way

START_MS = 1_000_000

Identity = tuple[object, ...]
"""What a request is about, whoever sends it and however often."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request that was sent."""

    step: str
    identity: Identity
    key: str | None
    payload: str
    task_id: str
    step_path: str
    attempt: int
    worker: int
    life: int
    sent_ms: int
    undo: bool = False
    """Whether it makes up for an effect."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a request has done to the world."""

    request: Request
    at_ms: int
    part: int = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """What the other side remembers of a key."""

    at_ms: int
    payload: str
    failed: bool
    """Whether the first answer was a server error."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One moment of a run: who did what to which step, and how it went."""

    worker: int
    clock_ms: int
    kind: str
    """A transaction's label, or what else happens: send, query, store, model, start, land."""
    step: str = ""
    about: str = ""
    way: Way = SMOOTH
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Fed:
    """What an operation was answered: a value, or an error to raise."""

    value: Any = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Worker:
    """One process over its lives."""

    life: int = 1
    fed: tuple[Fed, ...] = ()
    """The answers to the operations of its present life, which make its machine what it is."""
    over: bool = False
    result: object = None


@dataclass
class State:
    """Where a run stands."""

    image: Any
    """The ledger's content; a transaction replaces it."""
    workers: tuple[Worker, ...]
    current: int = 0
    clock_ms: int = START_MS
    unsynced: tuple[tuple[Any, tuple[int, ...]], ...] = ()
    """For each commit that has not reached the disk, the content before it and how far the world was then."""
    effects: tuple[Effect, ...] = ()
    sent: tuple[Request, ...] = ()
    under_way: tuple[tuple[int, Request], ...] = ()
    remembered: Mapping[str, Memory] = field(default_factory=dict)
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    """Names of processes that are gone."""
    faults: tuple[tuple[str, Way], ...] = ()
    """The faults so far, each with the kind of moment it struck."""
    struck: tuple[int, ...] = ()
    """For each fault the number of the operation that it struck, from 0 over all workers."""
    beats: tuple[Beat, ...] = ()
    runaway: bool = False
    """Whether it was stopped, because it would have gone on for ever."""
    operations: int = 0
    offered: tuple[tuple[Any, ...], ...] = ()
    """For each worker where things stood when its death was last offered: a second one is no other run."""

    @property
    def progress(self) -> tuple[int, ...]:
        """How far the world has come; a process that dies takes nothing of that back."""
        return len(self.effects), len(self.under_way), len(self.remembered), len(self.blobs)

    def snapshot(self) -> "State":
        """The same, untouched by what happens to this one later."""
        return copy.copy(self)

    def deadly(self, index: int) -> bool:
        """Whether the death of a worker leads now to what its death at an earlier operation does not."""
        now = (self.progress, self.clock_ms, self.image)
        if self.offered[index] == now:
            return False
        offered = list(self.offered)
        offered[index] = now
        self.offered = tuple(offered)
        return True

    def set_worker(self, index: int, **changes: Any) -> None:
        """Replace one worker."""
        workers = list(self.workers)
        workers[index] = replace(workers[index], **changes)
        self.workers = tuple(workers)
