"""A scenario: the table, what is asked for, the outside as it is, the workers, the faults that may happen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from stepcheck.executor.step import Backoff, ExecStep
from stepcheck.explorer.faults import EVERY, Fault
from stepcheck.explorer.service import Service
from stepcheck.explorer.skeleton_options import Skeleton
from stepcheck.facts.effect import Effect

HOUR_MS = 3_600_000


class Journal(Enum):
    """What a power loss takes away."""

    WAL = "commits since the last one that was to be durable"
    FULL = "nothing"
    OFF = "any commit"
    DELETE = "the last commit, durable or not"


@dataclass(frozen=True, slots=True)
class Item:
    """One step of a plan: by name, with its params."""

    name: str
    params: Mapping[str, object]
    others: tuple[Mapping[str, object], ...] = ()
    """What the model may choose instead of `params`, if a model chooses and is asked once more."""
    path: str = ""
    """The step's address; its place in the plan where none is given."""


@dataclass(frozen=True, slots=True)
class Job:
    """One task: its id and its plan."""

    task_id: str
    plan: tuple[Item, ...]
    orders: tuple[tuple[Item, ...], ...] = ()
    """Other orders in which the plan may come out, if it is made anew at each start."""
    if_unsettled: bool = False
    """Whether it is asked for only where the task before it has not ended done: the action, issued again."""


@dataclass(frozen=True)
class Scenario:
    """What is explored. Times are milliseconds."""

    table: Mapping[str, ExecStep]
    jobs: tuple[tuple[Job, ...], ...]
    """For each life of a process the tasks it is asked for, in order; the last holds for all later lives."""
    services: Mapping[str, Service] = field(default_factory=dict)
    """The other side of each step and compensation; without one it is honest, and writes if the step does."""
    skeleton: Skeleton | None = None
    """The naive executor to run instead of the reference executor."""
    identity: tuple[str, ...] = ("item",)
    """The params that say what a request is about."""
    workers: int = 1
    journal: Journal = Journal.WAL
    torn_blobs: bool = False
    """Whether outputs are written in place, so that a crash leaves a part of one under its final name."""
    downtime_ms: int = 0
    """From the end of a process to the start of its next life."""
    touched_ms: int | None = None
    """How long after an effect a third party acts on it: a compensation that is sent after that is wrong."""
    restarts: int | None = None
    """None for one more than there are faults, so that never started again is not mistaken for stuck."""
    faults: frozenset[Fault] = EVERY
    """Those that may happen."""
    smooth: bool = True
    """Whether without a fault everything ends done, each write sent once, and nobody waits."""
    fails: frozenset[str] = frozenset()
    """Steps that are meant to be refused."""

    def asked(self, life: int) -> tuple[Job, ...]:
        """The tasks that a process is asked for in this life, counted from 1."""
        return self.jobs[min(life, len(self.jobs)) - 1]

    @cached_property
    def other_sides(self) -> dict[str, Service]:
        """The service behind each step and each compensation."""
        undo = [step.compensation for step in self.table.values() if step.compensation is not None]
        honest = {step.name: Service(writes=step.effect.writes) for step in [*self.table.values(), *undo]}
        return {**honest, **self.services}


def declare(name: str, effect: str = "non_idem_write", *, query: bool = False, **declared: Any) -> ExecStep:
    """Return a step whose call, and query if it has one, are answered by the simulated outside."""
    pause = Backoff(1_000, 1_000, jitter=False)
    given = {"backoff": pause, **declared}
    return ExecStep(name=name, effect=Effect(effect), call=never, query=never if query else None, **given)


def never(_params: Mapping[str, object], _ctx: object) -> object:
    """Stand where a callable must stand; the simulated outside answers for it."""
    raise AssertionError("a simulated step is never called")


def straight(*names: str, task_id: str = "t1", item: str = "A-1") -> tuple[tuple[Job, ...], ...]:
    """Return the plan of one task that runs these steps in order, for the same item."""
    return ((Job(task_id, tuple(Item(name, {"item": item}) for name in names)),),)
