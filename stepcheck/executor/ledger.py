"""What a ledger must offer: transactions over events, projection, inbox and snapshots; and how it refuses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from stepcheck.executor.events import Event

T = TypeVar("T")


class LedgerError(Exception):
    """The ledger could not do what was asked. It says nothing of a call: its step is left for `recover`."""


class LedgerUnavailable(LedgerError):
    """The database is out of reach, locked, or broke off; whether the transaction is in it is not known."""


class Conflict(LedgerError):
    """A constraint of the database refused the transaction, and nothing of it is there."""


class OpenTransaction(LedgerError):
    """A transaction was asked for inside another one: it would not be committed when it returns."""


class VolatileStorage(LedgerError):
    """The ledger's storage forgets: a file system in memory or on a network, a server with fsync off."""


class TaskBusy(Exception):
    """Another owner holds the task's lease."""

    def __init__(self, task_id: str, owner: str, until_ms: int) -> None:
        super().__init__(f"task '{task_id}' is held by the owner '{owner}' until {until_ms} ms")
        self.task_id = task_id
        self.owner = owner
        self.until_ms = until_ms


class Fenced(Exception):
    """A later owner has the task: a stale owner can add evidence for its own attempt and nothing else."""

    def __init__(self, task_id: str, fence: int, current: int) -> None:
        super().__init__(
            f"task '{task_id}' went to a later owner: this one has fence {fence}, now it is {current}"
        )


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task's control row."""

    task_id: str
    workflow: str
    code_version: str
    input_hash: str
    input_ref: str
    status: str
    """running, halted, done, failed, compensating, compensated or abandoned."""
    fence: int
    owner: str | None
    lease_until_ms: int | None
    clock_ms: int


@dataclass(frozen=True, slots=True)
class StepRow:
    """The projection of one step: what its events say, kept beside them so that it can be looked up."""

    task_id: str
    step_seq: int
    step_path: str
    step_name: str
    state: str
    attempt: int
    fence: int
    idempotency_key: str
    input_hash: str
    business_key: str | None
    first_intent_ms: int | None
    last_intent_ms: int | None
    output_ref: str | None
    last_event_id: int


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the inbox: what waits, or waited, for a person."""

    item_id: int
    task_id: str
    step_seq: int
    reason: str
    opened_ms: int
    opened_event: int
    resolved_ms: int | None = None
    resolution: str | None = None
    resolver: str | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A cache of a task's state up to one event; `sha256` is the digest of `state`, which is JSON."""

    task_id: str
    upto_event: int
    state: str
    sha256: str


class Transaction(Protocol):
    """What is done inside one transaction; none of it is there if the transaction is not committed."""

    def wall_ms(self) -> int:
        """The clock of the ledger's machine, in milliseconds."""

    def task(self, task_id: str) -> TaskRow | None:
        """The task's row, kept from other transactions until this one ends."""

    def tasks(self) -> list[TaskRow]:
        """Every task, by its id."""

    def add_task(self, row: TaskRow) -> None:
        """Add the row unless the task is there already."""

    def take(self, task_id: str, fence: int, owner: str | None, lease_until_ms: int | None) -> None:
        """Record who holds the task, and until when."""

    def touch(self, task_id: str, clock_ms: int, lease_until_ms: int | None = None) -> None:
        """Record the task's clock, and with `lease_until_ms` until when its owner holds it."""

    def set_status(self, task_id: str, status: str) -> None:
        """Record the task's status."""

    def append(self, event: Event) -> int:
        """Add an event to the log and return its number. Raises Conflict."""

    def events(self, task_id: str, after: int = 0) -> list[Event]:
        """The task's events numbered above `after`, in order."""

    def events_at(self, task_id: str, step_path: str) -> list[Event]:
        """The events of the step at one address, in order."""

    def last_event(self, task_id: str, step_path: str) -> int:
        """The number of the last event of the step at one address, 0 for none."""

    def since_snapshot(self, task_id: str) -> int:
        """How many events of the task came after its latest snapshot."""

    def last_seq(self, task_id: str) -> int:
        """The highest `step_seq` ever allocated in the task, 0 for none."""

    def put_step(self, row: StepRow) -> None:
        """Add or replace the projection of one step. Raises Conflict."""

    def steps(self, task_id: str) -> list[StepRow]:
        """The projection of a task, by `step_seq`."""

    def holder(self, business_key: str) -> StepRow | None:
        """The unresolved step of that business identity, None for none."""

    def open_item(self, item: Item) -> int:
        """Add a row to the inbox and return its number. Raises Conflict where one is open for the step."""

    def close_item(self, item: Item) -> None:
        """Record how the item of that number was resolved."""

    def item(self, item_id: int) -> Item | None:
        """One row of the inbox."""

    def items(self, task_id: str | None = None, *, resolved: bool = False) -> list[Item]:
        """The rows of the inbox that are open, or all, in the order they were opened."""

    def snapshot(self, task_id: str) -> Snapshot | None:
        """The latest snapshot of a task."""

    def snapshots(self, task_id: str) -> list[Snapshot]:
        """All snapshots of a task, oldest first."""

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Add or replace a snapshot."""

    def drop_snapshot(self, task_id: str, upto_event: int) -> None:
        """Forget a snapshot; the events it was made of stay."""

    def rebuild(self, task_id: str, rows: list[StepRow]) -> None:
        """Replace the whole projection of a task."""


class Ledger(Protocol):
    """Something that keeps what is committed to it."""

    def transact(self, work: Callable[[Transaction], T], *, durable: bool) -> T:
        """Run `work` in one transaction and commit it; nothing is there if `work` raises.

        When `durable`, this commit and all before it are on the disk at return. Raises OpenTransaction inside
        another transaction, Conflict, and LedgerUnavailable when it is not known whether the commit is there.
        """

    def close(self) -> None:
        """Give back what it holds; commits stay."""
