"""Snapshots: a cache of folded events, which can be thrown away at any time."""

import json
from hashlib import sha256

from stepcheck.executor.ledger import Snapshot, Transaction
from stepcheck.executor.states import StepState, fold_task, from_json, to_json

EVENTS_PER_SNAPSHOT = 200


def keep_snapshot(tx: Transaction, task_id: str, every: int = EVENTS_PER_SNAPSHOT) -> None:
    """Add a snapshot once `every` events have come since the last, in the transaction of the last of them."""
    if tx.since_snapshot(task_id) >= every:
        make_snapshot(tx, task_id)


def make_snapshot(tx: Transaction, task_id: str) -> Snapshot | None:
    """Fold the task's events and keep the result; None for a task without events."""
    states = task_states(tx, task_id)
    if not states:
        return None
    upto = max(state.last_event_id for state in states.values())
    text = json.dumps([to_json(state) for _, state in sorted(states.items())], sort_keys=True)
    # As `digest` says of it: it is in that form already.
    snapshot = Snapshot(task_id, upto, text, sha256(text.encode()).hexdigest())
    tx.put_snapshot(snapshot)
    return snapshot


def digest(state: str) -> str:
    """Return the digest of a snapshot's state, whatever way the database has written the same JSON."""
    return sha256(json.dumps(json.loads(state), sort_keys=True).encode()).hexdigest()


def task_states(tx: Transaction, task_id: str) -> dict[int, StepState]:
    """Return the state of every step by `step_seq`, from the latest sound snapshot and the events after it.

    A snapshot that does not match its digest is forgotten and the log is folded from its beginning.
    """
    snapshot = tx.snapshot(task_id)
    if snapshot is None:
        return fold_task(tx.events(task_id))
    start = read_snapshot(snapshot)
    if start is None:
        tx.drop_snapshot(task_id, snapshot.upto_event)
        return task_states(tx, task_id)
    return fold_task(tx.events(task_id, after=snapshot.upto_event), start)


def read_snapshot(snapshot: Snapshot) -> dict[int, StepState] | None:
    """Return the states a snapshot holds, None where it does not match its digest."""
    try:
        if digest(snapshot.state) != snapshot.sha256:
            return None
        return {state.step_seq: state for state in map(from_json, json.loads(snapshot.state))}
    except (ValueError, TypeError, KeyError):
        return None
