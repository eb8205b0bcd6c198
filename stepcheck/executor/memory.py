"""A ledger in memory, for tests and for the explorer: it forgets with its process."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TypeVar

from stepcheck.executor.clock import wall_ms
from stepcheck.executor.events import Event, Kind
from stepcheck.executor.ledger import Conflict, Item, OpenTransaction, Snapshot, StepRow, TaskRow, Transaction
from stepcheck.executor.states import HOLDING

T = TypeVar("T")

ONCE: dict[Kind, Callable[[Event], tuple[object, ...]]] = {
    Kind.PLANNED: lambda event: (event.task_id, event.step_seq),
    Kind.CALL_INTENT: lambda event: (event.task_id, event.step_seq, event.attempt),
    Kind.DONE: lambda event: (event.task_id, event.step_seq),
    Kind.COMP_INTENT: lambda event: (event.task_id, event.step_seq, event.attempt),
    Kind.COMP_DONE: lambda event: (event.task_id, event.step_seq),
}
"""The unique indexes of the databases' schema: what may be said once only, whoever says it."""


@dataclass
class Image:
    """Everything a ledger in memory holds; rows are frozen, so copying the containers copies it."""

    last_event: int = 0
    last_item: int = 0
    tasks: dict[str, TaskRow] = field(default_factory=dict)
    events: dict[str, list[Event]] = field(default_factory=dict)
    said_once: set[tuple[object, ...]] = field(default_factory=set)
    steps: dict[str, dict[int, StepRow]] = field(default_factory=dict)
    items: dict[int, Item] = field(default_factory=dict)
    snapshots: dict[str, dict[int, Snapshot]] = field(default_factory=dict)

    def copy(self) -> "Image":
        """An image that later transactions do not change."""
        return Image(
            self.last_event,
            self.last_item,
            dict(self.tasks),
            {task: list(events) for task, events in self.events.items()},
            set(self.said_once),
            {task: dict(rows) for task, rows in self.steps.items()},
            dict(self.items),
            {task: dict(rows) for task, rows in self.snapshots.items()},
        )


class MemoryLedger:
    """A ledger whose commits last as long as the object. `clock` gives wall milliseconds."""

    def __init__(self, clock: Callable[[], int] = wall_ms, image: Image | None = None) -> None:
        self.image = image or Image()
        self._clock = clock
        self._lock = RLock()
        self._open = False

    def transact(self, work: Callable[[Transaction], T], *, durable: bool) -> T:  # noqa: ARG002
        """See `Ledger.transact`; nothing here outlives the process, durable or not."""
        with self._lock:
            if self._open:
                raise OpenTransaction("a transaction was asked for inside another one")
            self._open = True
            draft = self.image.copy()
            try:
                result = work(MemoryTransaction(draft, self._clock))
            finally:
                self._open = False
            self.image = draft
            return result

    def close(self) -> None:
        """Nothing is held."""


class MemoryTransaction:
    """See `Transaction`."""

    def __init__(self, image: Image, clock: Callable[[], int]) -> None:
        self._image = image
        self._clock = clock

    def wall_ms(self) -> int:
        """See `Transaction`."""
        return self._clock()

    def task(self, task_id: str) -> TaskRow | None:
        """See `Transaction`."""
        return self._image.tasks.get(task_id)

    def tasks(self) -> list[TaskRow]:
        """See `Transaction`."""
        return [self._image.tasks[task_id] for task_id in sorted(self._image.tasks)]

    def add_task(self, row: TaskRow) -> None:
        """See `Transaction`."""
        self._image.tasks.setdefault(row.task_id, row)

    def take(self, task_id: str, fence: int, owner: str | None, lease_until_ms: int | None) -> None:
        """See `Transaction`."""
        row = self._image.tasks[task_id]
        self._image.tasks[task_id] = replace(row, fence=fence, owner=owner, lease_until_ms=lease_until_ms)

    def touch(self, task_id: str, clock_ms: int, lease_until_ms: int | None = None) -> None:
        """See `Transaction`."""
        row = self._image.tasks[task_id]
        until = row.lease_until_ms if lease_until_ms is None else lease_until_ms
        self._image.tasks[task_id] = replace(row, clock_ms=clock_ms, lease_until_ms=until)

    def set_status(self, task_id: str, status: str) -> None:
        """See `Transaction`."""
        self._image.tasks[task_id] = replace(self._image.tasks[task_id], status=status)

    def append(self, event: Event) -> int:
        """See `Transaction`."""
        for once in self._once(event):
            if once in self._image.said_once:
                raise Conflict(f"'{event.kind}' is in the log already for {once}")
            self._image.said_once.add(once)
        self._image.last_event += 1
        number = self._image.last_event
        self._image.events.setdefault(event.task_id, []).append(replace(event, event_id=number))
        return number

    @staticmethod
    def _once(event: Event) -> list[tuple[object, ...]]:
        keys: list[tuple[object, ...]] = []
        if event.kind in ONCE:
            keys.append((event.kind, *ONCE[event.kind](event)))
        if event.kind is Kind.PLANNED:
            keys += [("path", event.task_id, event.step_path), ("key", event.idempotency_key)]
        return keys

    def events(self, task_id: str, after: int = 0) -> list[Event]:
        """See `Transaction`."""
        return [event for event in self._image.events.get(task_id, ()) if event.event_id > after]

    def events_at(self, task_id: str, step_path: str) -> list[Event]:
        """See `Transaction`."""
        return [event for event in self._image.events.get(task_id, ()) if event.step_path == step_path]

    def last_event(self, task_id: str, step_path: str) -> int:
        """See `Transaction`."""
        events = reversed(self._image.events.get(task_id, ()))
        return next((event.event_id for event in events if event.step_path == step_path), 0)

    def since_snapshot(self, task_id: str) -> int:
        """See `Transaction`."""
        last = self.snapshot(task_id)
        return len(self.events(task_id, last.upto_event if last else 0))

    def last_seq(self, task_id: str) -> int:
        """See `Transaction`."""
        return max((event.step_seq for event in self._image.events.get(task_id, ())), default=0)

    def put_step(self, row: StepRow) -> None:
        """See `Transaction`."""
        held = self.holder(row.business_key) if row.business_key else None
        if held and row.state in HOLDING and (held.task_id, held.step_seq) != (row.task_id, row.step_seq):
            raise Conflict(
                f"the business identity is held by step '{held.step_path}' of task '{held.task_id}'"
            )
        self._image.steps.setdefault(row.task_id, {})[row.step_seq] = row

    def steps(self, task_id: str) -> list[StepRow]:
        """See `Transaction`."""
        return [row for _, row in sorted(self._image.steps.get(task_id, {}).items())]

    def holder(self, business_key: str) -> StepRow | None:
        """See `Transaction`."""
        for rows in self._image.steps.values():
            for row in rows.values():
                if row.business_key == business_key and row.state in HOLDING:
                    return row
        return None

    def open_item(self, item: Item) -> int:
        """See `Transaction`."""
        if any(row.step_seq == item.step_seq for row in self.items(item.task_id)):
            raise Conflict(f"an inbox row is open already for step {item.step_seq} of task '{item.task_id}'")
        self._image.last_item += 1
        self._image.items[self._image.last_item] = replace(item, item_id=self._image.last_item)
        return self._image.last_item

    def close_item(self, item: Item) -> None:
        """See `Transaction`."""
        self._image.items[item.item_id] = item

    def item(self, item_id: int) -> Item | None:
        """See `Transaction`."""
        return self._image.items.get(item_id)

    def items(self, task_id: str | None = None, *, resolved: bool = False) -> list[Item]:
        """See `Transaction`."""
        rows = [row for _, row in sorted(self._image.items.items())]
        return [
            row for row in rows if task_id in (None, row.task_id) and (resolved or row.resolution is None)
        ]

    def snapshot(self, task_id: str) -> Snapshot | None:
        """See `Transaction`."""
        rows = self.snapshots(task_id)
        return rows[-1] if rows else None

    def snapshots(self, task_id: str) -> list[Snapshot]:
        """See `Transaction`."""
        return [row for _, row in sorted(self._image.snapshots.get(task_id, {}).items())]

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """See `Transaction`."""
        self._image.snapshots.setdefault(snapshot.task_id, {})[snapshot.upto_event] = snapshot

    def drop_snapshot(self, task_id: str, upto_event: int) -> None:
        """See `Transaction`."""
        self._image.snapshots.get(task_id, {}).pop(upto_event, None)

    def rebuild(self, task_id: str, rows: list[StepRow]) -> None:
        """See `Transaction`."""
        self._image.steps[task_id] = {row.step_seq: row for row in rows}
