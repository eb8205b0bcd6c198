"""What a ledger holds: its tasks, the events of its log, and what waits for a person."""

from collections.abc import Sequence
from dataclasses import dataclass

from stepcheck.executor.events import Event
from stepcheck.executor.ledger import Item, Ledger, StepRow, TaskRow, Transaction
from stepcheck.executor.record import look, view
from stepcheck.executor.snapshots import make_snapshot
from stepcheck.executor.states import StepState
from stepcheck.executor.verify import verify
from stepcheck.running.refusal import CannotRun


@dataclass(frozen=True, slots=True)
class Waiting:
    """One row of the inbox, with its step and its task as they are now."""

    item: Item
    state: StepState
    task: TaskRow


@dataclass(frozen=True, slots=True)
class Counted:
    """A task with its steps and the number of what waits for a person in it."""

    task: TaskRow
    steps: tuple[StepRow, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class Checked:
    """How many tasks were compared with their log, and where they differ, a line each."""

    tasks: int
    wrong: tuple[str, ...]


def events(ledger: Ledger, task_id: str | None) -> list[Event]:
    """Every event, of one task or of all, in the order they were written. Raises CannotRun."""

    def work(tx: Transaction) -> list[Event]:
        found = [event for name in _names(tx, task_id) for event in tx.events(name)]
        return sorted(found, key=lambda event: event.event_id)

    return ledger.transact(work, durable=False)


def inbox(ledger: Ledger, task_id: str | None, *, resolved: bool = False) -> list[Waiting]:
    """What waits for a person, oldest first; with `resolved`, also what no longer does. Raises CannotRun."""

    def work(tx: Transaction) -> list[Waiting]:
        found = []
        for name in _names(tx, task_id):
            task = look(tx, name)
            paths = {row.step_seq: row.step_path for row in tx.steps(name)}
            for item in tx.items(name, resolved=resolved):
                seen = view(tx, task, paths[item.step_seq])
                assert seen is not None
                found.append(Waiting(item, seen.state, task))
        return sorted(found, key=lambda each: each.item.item_id)

    return ledger.transact(work, durable=False)


def tasks(ledger: Ledger) -> list[Counted]:
    """Every task, by its id."""

    def work(tx: Transaction) -> list[Counted]:
        return [
            Counted(task, tuple(tx.steps(task.task_id)), len(tx.items(task.task_id))) for task in tx.tasks()
        ]

    return ledger.transact(work, durable=False)


def check(ledger: Ledger, task_id: str | None, *, mend: bool = False) -> Checked:
    """Fold the log anew and compare what is kept beside it; see `verify`. Raises CannotRun."""

    def work(tx: Transaction) -> Checked:
        names = _names(tx, task_id)
        return Checked(len(names), tuple(line for name in names for line in verify(tx, name, mend=mend)))

    return ledger.transact(work, durable=mend)


def snapshot(ledger: Ledger, task_id: str | None) -> list[tuple[str, int]]:
    """Make a snapshot of each task's state; return the tasks with the last event in it. Raises CannotRun."""

    def work(tx: Transaction) -> list[tuple[str, int]]:
        made = [(name, make_snapshot(tx, name)) for name in _names(tx, task_id)]
        return [(name, each.upto_event) for name, each in made if each is not None]

    return ledger.transact(work, durable=False)


def _names(tx: Transaction, task_id: str | None) -> Sequence[str]:
    names = [task.task_id for task in tx.tasks()]
    if task_id is None:
        return names
    if task_id not in names:
        raise CannotRun(f"the ledger has no task '{task_id}': 'stepcheck ledger tasks' lists them")
    return [task_id]
