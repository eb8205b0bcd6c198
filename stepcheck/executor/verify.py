"""The check that nothing kept beside the log differs from it."""

from stepcheck.executor.ledger import StepRow, Transaction
from stepcheck.executor.projection import project
from stepcheck.executor.snapshots import read_snapshot
from stepcheck.executor.states import WAITING, NotDrawn, fold_task


def verify(tx: Transaction, task_id: str, *, mend: bool = False) -> list[str]:
    """Fold the task's log anew and say, a line each, where projection, inbox and snapshots differ from it.

    With `mend`, the projection is rebuilt and wrong snapshots are forgotten; the log is never changed, and an
    inbox that differs is only reported.
    """
    events = tx.events(task_id)
    try:
        states = fold_task(events)
    except NotDrawn as error:
        return [f"the log of task '{task_id}' breaks its own rules: {error}"]
    wanted = [project(state) for _, state in sorted(states.items())]
    kept = tx.steps(task_id)
    wrong = [f"the projection of {_named(row)} differs from its events" for row in kept if row not in wanted]
    there = {row.step_seq for row in kept}
    wrong += [f"{_named(row)} has events and no projection" for row in wanted if row.step_seq not in there]
    if wrong and mend:
        tx.rebuild(task_id, wanted)
    waiting = {state.step_seq for state in states.values() if state.state in WAITING}
    open_items = {item.step_seq for item in tx.items(task_id)}
    wrong += [
        f"step {seq} of task '{task_id}' waits for a person and is in no inbox"
        for seq in sorted(waiting - open_items)
    ]
    wrong += [
        f"step {seq} of task '{task_id}' is in the inbox and waits for nobody"
        for seq in sorted(open_items - waiting)
    ]
    for snapshot in tx.snapshots(task_id):
        upto = [event for event in events if event.event_id <= snapshot.upto_event]
        if read_snapshot(snapshot) != fold_task(upto):
            wrong.append(
                f"the snapshot of task '{task_id}' up to event {snapshot.upto_event} differs from its events"
            )
            if mend:
                tx.drop_snapshot(task_id, snapshot.upto_event)
    return wrong


def _named(row: StepRow) -> str:
    return f"step '{row.step_path}' of task '{row.task_id}'"
