"""A small world to drive machines in: one clock, one other side that does as it is told, crashes at will."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from stepcheck.executor.answers import Absent, Answer, Found, NoAnswer, Pending, Refused, Unknown
from stepcheck.executor.blobs import BlobError, MemoryBlobs
from stepcheck.executor.ledger import Ledger
from stepcheck.executor.machine import step_machine
from stepcheck.executor.memory import MemoryLedger
from stepcheck.executor.ops import Call, Choose, Elapsed, GetBlob, Machine, PutBlob, Query, Sleep, Txn
from stepcheck.executor.outcome import Outcome
from stepcheck.executor.record import Claim
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import Plan, begin_machine, run_machine
from stepcheck.executor.tasks import Owner
from stepcheck.executor.verify import verify
from stepcheck.facts.effect import Effect

T = TypeVar("T")

START_MS = 1_000_000


class Crash(BaseException):
    """The process is gone."""


def never(params: Mapping[str, object], ctx: object) -> object:
    raise AssertionError("simulated steps are answered by the simulation")


def step(name: str = "pay", effect: str = "non_idem_write", **declared: Any) -> ExecStep:
    query = never if declared.pop("query", False) else None
    return ExecStep(name=name, effect=Effect(effect), call=never, query=query, **declared)


@dataclass
class Simulation:
    """Answers a machine's operations: `replies` and `sightings` in order, then honestly."""

    table: dict[str, ExecStep]
    ledger: Ledger = None  # type: ignore[assignment]
    replies: list[Any] = field(default_factory=list)
    """For each send: 'answer', 'lost' (effect, no answer), 'dropped' (no effect), 'refused', or a status."""
    sightings: list[Any] = field(default_factory=list)
    """For each query: 'fresh', 'absent', 'pending' or 'silent'."""
    honours_keys: bool = False
    clock_ms: int = START_MS
    owner: str = "w0"
    lease_ms: int = 60_000
    crash_at: int | None = None
    """The operation before which the process goes."""
    crash_after: str | None = None
    """The label or kind of the operation right after which the process goes."""
    broken_blobs: int = 0
    sent: list[Call] = field(default_factory=list)
    asked: list[Query] = field(default_factory=list)
    effects: list[tuple[str, str]] = field(default_factory=list)
    """The step's name and the key of each effect on the other side."""
    slept_ms: list[int] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    synced: list[str] = field(default_factory=list)
    """The transactions that asked for a durable commit."""
    upon: dict[str, Callable[[], object]] = field(default_factory=dict)
    """What else happens just before the first operation of that label."""
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    choices: int = 0

    def __post_init__(self) -> None:
        self.ledger = self.ledger or MemoryLedger(lambda: self.clock_ms)

    def drive(self, machine: Machine[T]) -> T:
        answer: Any = None
        error: Exception | None = None
        while True:
            try:
                op = machine.send(answer) if error is None else machine.throw(error)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if self.crash_at is not None and len(self.ops) >= self.crash_at:
                self.crash_at = None
                raise Crash
            label = op.label if isinstance(op, Txn) else type(op).__name__
            self.ops.append(label)
            if isinstance(op, Txn) and op.durable:
                self.synced.append(label)
            if label in self.upon:
                self.upon.pop(label)()
            answer, error = None, None
            try:
                answer = self._do(op)
            except Exception as raised:
                error = raised
            if self.crash_after == label:
                self.crash_after = None
                raise Crash

    def _do(self, op: Any) -> Any:
        match op:
            case Txn():
                return self.ledger.transact(op.work, durable=op.durable)
            case Call():
                return self._send(op)
            case Query():
                return self._ask(op)
            case PutBlob():
                if self.broken_blobs:
                    self.broken_blobs -= 1
                    raise BlobError("the output could not be stored: the store is down")
                return self.blobs.put(op.data)
            case GetBlob():
                return self.blobs.get(op.sha256)
            case Sleep():
                self.slept_ms.append(op.until_ms - op.from_ms)
                self.clock_ms = max(self.clock_ms, op.until_ms)
                return None
            case Elapsed():
                return self.clock_ms / 1000
            case Choose():
                self.choices += 1
                return op.decide()
        raise AssertionError(op)

    def _send(self, op: Call) -> Any:
        self.sent.append(op)
        told = self.replies.pop(0) if self.replies else "answer"
        mark = (op.step.name, op.ctx.idempotency_key)
        if told in ("refused", "dropped") or (isinstance(told, int) and told < 500):
            pass
        elif not (self.honours_keys and mark in self.effects) and op.step.effect.writes:
            self.effects.append(mark)
        if told == "refused":
            return Refused("Definite: no")
        if told in ("lost", "dropped"):
            return Unknown("TimeoutError: no answer")
        if isinstance(told, int):
            return Unknown(f"HTTP {told}", told)
        return Answer({"number": len(self.effects)} if told == "answer" else told)

    def _ask(self, op: Query) -> Any:
        self.asked.append(op)
        told = self.sightings.pop(0) if self.sightings else "fresh"
        if told == "pending":
            return Pending()
        if told == "silent":
            return NoAnswer("TimeoutError: no answer")
        there = (op.step.name, op.ctx.idempotency_key) in self.effects
        return Found({"number": 1}) if there and told == "fresh" else Absent()

    # what tests do

    def claim(self, task_id: str = "t1") -> Claim:
        return self.drive(begin_machine(self.table, task_id, Owner(self.owner, self.lease_ms)))

    def run(self, name: str = "pay", task_id: str = "t1", path: str = "1", **params: object) -> Outcome:
        """One life of a process: it takes the task and runs one step."""
        claim = self.claim(task_id)
        return self.drive(step_machine(self.table, claim, path, name, params or {"order": "A-1"}))

    def run_task(self, plan: Plan, task_id: str = "t1") -> Any:
        return self.drive(run_machine(self.table, plan, task_id, Owner(self.owner, self.lease_ms)))

    def dies(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Crash:
            return
        raise AssertionError("the process was to die")

    def kinds(self, task_id: str = "t1") -> list[str]:
        events = self.ledger.transact(lambda tx: tx.events(task_id), durable=False)
        return [str(event.kind) for event in events]

    def states(self, task_id: str = "t1") -> list[str]:
        return [row.state for row in self.ledger.transact(lambda tx: tx.steps(task_id), durable=False)]

    def status(self, task_id: str = "t1") -> str:
        return self.ledger.transact(lambda tx: tx.task(task_id), durable=False).status  # type: ignore[union-attr]

    def items(self, task_id: str | None = None) -> list[Any]:
        return self.ledger.transact(lambda tx: tx.items(task_id), durable=False)

    def check(self) -> None:
        """fold(events) == projection, and nobody is forgotten."""
        for task in self.ledger.transact(lambda tx: tx.tasks(), durable=False):
            wrong = self.ledger.transact(lambda tx, t=task: verify(tx, t.task_id), durable=False)  # type: ignore[misc]
            assert wrong == []


FOREVER = math.inf
