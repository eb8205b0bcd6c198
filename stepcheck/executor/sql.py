"""A ledger's transaction in SQL, the same for every database that has the schema."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Protocol

from stepcheck.executor.events import Event, Kind
from stepcheck.executor.ledger import Item, Snapshot, StepRow, TaskRow
from stepcheck.executor.states import HOLDING


class Rows(Protocol):
    """What a statement gives back."""

    def fetchone(self) -> Any:
        """The next row, None after the last."""

    def fetchall(self) -> list[Any]:
        """All rows."""


Execute = Callable[[str, Sequence[object]], Rows]
"""Run one statement with `?` for its values."""


def _names(row: type, but: str = "") -> list[str]:
    return [field.name for field in fields(row) if field.name != but]


def _insert(table: str, names: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"


_EVENT = ", ".join(_names(Event))
_TASK = ", ".join(_names(TaskRow))
_STEP = ", ".join(_names(StepRow))
_ITEM = ", ".join(_names(Item))
_SNAPSHOT = ", ".join(_names(Snapshot))
_HOLDING = ", ".join(f"'{state}'" for state in sorted(HOLDING))

_event_values = attrgetter(*_names(Event, but="event_id"))
_task_values = attrgetter(*_names(TaskRow))
_step_values = attrgetter(*_names(StepRow))
_item_values = attrgetter(*_names(Item, but="item_id"))
_snapshot_values = attrgetter(*_names(Snapshot))

_ADD_EVENT = _insert("event", _names(Event, but="event_id")) + " RETURNING event_id"
_ADD_TASK = _insert("task", _names(TaskRow)) + " ON CONFLICT (task_id) DO NOTHING"
_PLANNED = frozenset({"task_id", "step_seq", "step_path", "step_name", "idempotency_key", "input_hash"})
"""What a step is planned with and keeps; setting it again would write its indexes again."""
_PUT_STEP = (
    _insert("step", _names(StepRow))
    + " ON CONFLICT (task_id, step_seq) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _names(StepRow) if name not in _PLANNED)
)
_OPEN_ITEM = _insert("inbox", _names(Item, but="item_id")) + " RETURNING item_id"
_PUT_SNAPSHOT = (
    _insert("snapshot", _names(Snapshot))
    + " ON CONFLICT (task_id, upto_event) DO UPDATE SET state = excluded.state, sha256 = excluded.sha256"
)
_SINCE_SNAPSHOT = (
    "SELECT count(*) FROM event WHERE task_id = ? AND event_id > "
    "coalesce((SELECT max(upto_event) FROM snapshot WHERE task_id = ?), 0)"
)


class SqlTransaction:
    """See `Transaction`. `lock` is what a SELECT ends with to keep a row from other transactions."""

    def __init__(self, execute: Execute, wall_ms: Callable[[], int], lock: str = "") -> None:
        self._execute = execute
        self._wall_ms = wall_ms
        self._lock = lock

    def _one(self, sql: str, *values: object) -> Any:
        return self._execute(sql, values).fetchone()

    def _all(self, sql: str, *values: object) -> list[Any]:
        return self._execute(sql, values).fetchall()

    def wall_ms(self) -> int:
        """See `Transaction`."""
        return self._wall_ms()

    def task(self, task_id: str) -> TaskRow | None:
        """See `Transaction`."""
        row = self._one(f"SELECT {_TASK} FROM task WHERE task_id = ?{self._lock}", task_id)
        return None if row is None else TaskRow(*row)

    def tasks(self) -> list[TaskRow]:
        """See `Transaction`."""
        rows = [TaskRow(*row) for row in self._all(f"SELECT {_TASK} FROM task")]
        return sorted(rows, key=lambda row: row.task_id)

    def add_task(self, row: TaskRow) -> None:
        """See `Transaction`."""
        self._execute(_ADD_TASK, _task_values(row))

    def take(self, task_id: str, fence: int, owner: str | None, lease_until_ms: int | None) -> None:
        """See `Transaction`."""
        sql = "UPDATE task SET fence = ?, owner = ?, lease_until_ms = ? WHERE task_id = ?"
        self._execute(sql, (fence, owner, lease_until_ms, task_id))

    def touch(self, task_id: str, clock_ms: int, lease_until_ms: int | None = None) -> None:
        """See `Transaction`."""
        sql = "UPDATE task SET clock_ms = ?, lease_until_ms = coalesce(?, lease_until_ms) WHERE task_id = ?"
        self._execute(sql, (clock_ms, lease_until_ms, task_id))

    def set_status(self, task_id: str, status: str) -> None:
        """See `Transaction`."""
        self._execute("UPDATE task SET status = ? WHERE task_id = ?", (status, task_id))

    def append(self, event: Event) -> int:
        """See `Transaction`."""
        return int(self._one(_ADD_EVENT, *_plain(_event_values(event)))[0])

    def events(self, task_id: str, after: int = 0) -> list[Event]:
        """See `Transaction`."""
        sql = f"SELECT {_EVENT} FROM event WHERE task_id = ? AND event_id > ? ORDER BY event_id"
        return [_event(row) for row in self._all(sql, task_id, after)]

    def events_at(self, task_id: str, step_path: str) -> list[Event]:
        """See `Transaction`."""
        sql = f"SELECT {_EVENT} FROM event WHERE task_id = ? AND step_path = ? ORDER BY event_id"
        return [_event(row) for row in self._all(sql, task_id, step_path)]

    def last_event(self, task_id: str, step_path: str) -> int:
        """See `Transaction`."""
        sql = "SELECT max(event_id) FROM event WHERE task_id = ? AND step_path = ?"
        return int(self._one(sql, task_id, step_path)[0] or 0)

    def since_snapshot(self, task_id: str) -> int:
        """See `Transaction`."""
        return int(self._one(_SINCE_SNAPSHOT, task_id, task_id)[0])

    def last_seq(self, task_id: str) -> int:
        """See `Transaction`."""
        sql = "SELECT max(step_seq) FROM event WHERE task_id = ? AND kind = 'planned'"
        return int(self._one(sql, task_id)[0] or 0)

    def put_step(self, row: StepRow) -> None:
        """See `Transaction`."""
        self._execute(_PUT_STEP, _step_values(row))

    def steps(self, task_id: str) -> list[StepRow]:
        """See `Transaction`."""
        sql = f"SELECT {_STEP} FROM step WHERE task_id = ? ORDER BY step_seq"
        return [StepRow(*row) for row in self._all(sql, task_id)]

    def holder(self, business_key: str) -> StepRow | None:
        """See `Transaction`."""
        sql = f"SELECT {_STEP} FROM step WHERE business_key = ? AND state IN ({_HOLDING})"
        row = self._one(sql, business_key)
        return None if row is None else StepRow(*row)

    def open_item(self, item: Item) -> int:
        """See `Transaction`."""
        return int(self._one(_OPEN_ITEM, *_item_values(item))[0])

    def close_item(self, item: Item) -> None:
        """See `Transaction`."""
        sql = "UPDATE inbox SET resolved_ms = ?, resolution = ?, resolver = ?, evidence = ? WHERE item_id = ?"
        self._execute(
            sql, _plain((item.resolved_ms, item.resolution, item.resolver, item.evidence, item.item_id))
        )

    def item(self, item_id: int) -> Item | None:
        """See `Transaction`."""
        row = self._one(f"SELECT {_ITEM} FROM inbox WHERE item_id = ?", item_id)
        return None if row is None else Item(*row)

    def items(self, task_id: str | None = None, *, resolved: bool = False) -> list[Item]:
        """See `Transaction`."""
        wanted = [] if task_id is None else ["task_id = ?"]
        wanted += [] if resolved else ["resolved_ms IS NULL"]
        where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
        values = () if task_id is None else (task_id,)
        return [
            Item(*row) for row in self._all(f"SELECT {_ITEM} FROM inbox{where} ORDER BY item_id", *values)
        ]

    def snapshot(self, task_id: str) -> Snapshot | None:
        """See `Transaction`."""
        sql = f"SELECT {_SNAPSHOT} FROM snapshot WHERE task_id = ? ORDER BY upto_event DESC LIMIT 1"
        row = self._one(sql, task_id)
        return None if row is None else Snapshot(*row)

    def snapshots(self, task_id: str) -> list[Snapshot]:
        """See `Transaction`."""
        sql = f"SELECT {_SNAPSHOT} FROM snapshot WHERE task_id = ? ORDER BY upto_event"
        return [Snapshot(*row) for row in self._all(sql, task_id)]

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """See `Transaction`."""
        self._execute(_PUT_SNAPSHOT, _snapshot_values(snapshot))

    def drop_snapshot(self, task_id: str, upto_event: int) -> None:
        """See `Transaction`."""
        self._execute("DELETE FROM snapshot WHERE task_id = ? AND upto_event = ?", (task_id, upto_event))

    def rebuild(self, task_id: str, rows: list[StepRow]) -> None:
        """See `Transaction`."""
        self._execute("DELETE FROM step WHERE task_id = ?", (task_id,))
        for row in rows:
            self.put_step(row)


def _plain(values: Iterable[object]) -> tuple[object, ...]:
    """Return the values with their enums as text: drivers know no others."""
    return tuple(str(value) if isinstance(value, str) else value for value in values)


def _event(row: Sequence[Any]) -> Event:
    values = list(row)
    values[6] = Kind(values[6])
    return Event(*values)
