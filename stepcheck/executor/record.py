"""The one way to write an event: fence, arrow, log, projection, inbox and snapshot in one transaction."""

import json
from dataclasses import dataclass, replace
from typing import Any

from stepcheck.executor.clock import ledger_ms
from stepcheck.executor.events import Event, Kind
from stepcheck.executor.ledger import Fenced, Item, TaskRow, Transaction
from stepcheck.executor.outputs import BLOB, INLINE, digest
from stepcheck.executor.projection import project
from stepcheck.executor.snapshots import keep_snapshot
from stepcheck.executor.states import COMPENSATING, OPEN, WAITING, State, StepState, apply, fold

UNSETTLED = OPEN | {State.PLANNED}

FINISHES = frozenset({Kind.ACKED, Kind.DONE, Kind.COMP_DONE, Kind.FAILED, Kind.LATE_EVIDENCE})


@dataclass(frozen=True, slots=True)
class Claim:
    """A task held by one owner: every transaction is refused once a later owner has a higher fence."""

    task_id: str
    fence: int
    lease_ms: int


@dataclass(frozen=True, slots=True)
class View:
    """A step as one transaction saw it."""

    state: StepState
    clock_ms: int
    item: int | None = None
    """The open inbox row of the step."""


@dataclass(frozen=True, slots=True)
class Closing:
    """How an inbox row was resolved, by whom, on what evidence."""

    resolution: str
    resolver: str
    evidence: str


CAME_LATE = Closing("it_happened", "late evidence", "the answer of the owner before came after all")


def enter(tx: Transaction, claim: Claim) -> TaskRow:
    """Return the task's row with the ledger's clock in it, kept from others until the transaction ends.

    Extends the lease when half of it is gone. Raises Fenced for a stale owner.
    """
    task = look(tx, claim.task_id)
    if task.fence != claim.fence:
        raise Fenced(claim.task_id, claim.fence, task.fence)
    if (task.lease_until_ms or 0) - task.clock_ms >= claim.lease_ms // 2:
        return task
    task = leased(task, claim)
    tx.touch(task.task_id, task.clock_ms, task.lease_until_ms)
    return task


def look(tx: Transaction, task_id: str) -> TaskRow:
    """Return the task's row with the ledger's clock in it, whoever asks. Raises KeyError for no such task."""
    task = tx.task(task_id)
    if task is None:
        raise KeyError(f"no task '{task_id}' in this ledger")
    return replace(task, clock_ms=ledger_ms(task.clock_ms, tx.wall_ms()))


def leased(task: TaskRow, claim: Claim, busy_ms: int = 0) -> TaskRow:
    """Return the row with a lease over a call or a sleep of `busy_ms`, which the next write records.

    So a living owner is not taken for a dead one.
    """
    until = task.clock_ms + busy_ms + claim.lease_ms
    return replace(task, lease_until_ms=max(until, task.lease_until_ms or 0))


def view(tx: Transaction, task: TaskRow, step_path: str) -> View | None:
    """Return the step at an address as its events say it is, None for an address that is free."""
    state = fold(tx.events_at(task.task_id, step_path))
    if state is None:
        return None
    return View(state, task.clock_ms, open_item(tx, state))


def renew(tx: Transaction, task: TaskRow, seen: View) -> View:
    """Return a step that was seen before as it is now.

    Its events are folded again only if there is a new one: those that were folded cannot have changed.
    """
    if tx.last_event(task.task_id, seen.state.step_path) == seen.state.last_event_id:
        return View(seen.state, task.clock_ms, open_item(tx, seen.state))
    now = view(tx, task, seen.state.step_path)
    assert now is not None
    return now


def open_item(tx: Transaction, state: StepState) -> int | None:
    """Return the number of the step's open inbox row."""
    if state.state not in WAITING:
        return None
    rows = tx.items(state.task_id)
    return next((row.item_id for row in rows if row.step_seq == state.step_seq), None)


def plan_event(task: TaskRow, **fields: Any) -> Event:
    """Return a `planned` event, to be written with `write_event`."""
    return Event(
        event_id=0,
        task_id=task.task_id,
        attempt=0,
        kind=Kind.PLANNED,
        status=State.PLANNED,
        receipt=None,
        output_ref=None,
        output_sha256=None,
        started_at=None,
        finished_at=None,
        at_ms=task.clock_ms,
        fence=task.fence,
        **fields,
    )


def write(
    tx: Transaction,
    task: TaskRow,
    state: StepState,
    kind: Kind,
    target: State,
    **fields: Any,
) -> StepState:
    """Append the event that leads `state` to `target` and return the state after it. Raises NotDrawn.

    `fields` are those of `Event` that differ from the state's, and `said`, what the body says. A step that
    comes to wait for a person has its inbox row, and its task is halted with every open step put into the
    inbox, in the same transaction.
    """
    event = Event(
        event_id=0,
        task_id=state.task_id,
        step_seq=state.step_seq,
        step_path=state.step_path,
        step_name=state.step_name,
        attempt=fields.pop("attempt", state.attempt),
        kind=kind,
        status=target,
        effect_class=fields.pop("effect_class", state.effect),
        idempotency_key=fields.pop("idempotency_key", state.idempotency_key),
        input_hash=state.input_hash,
        input_ref=state.input_ref,
        receipt=fields.pop("receipt", None),
        output_ref=fields.pop("output_ref", None),
        output_sha256=fields.pop("output_sha256", None),
        started_at=fields.pop("started_at", state.last_intent_ms),
        finished_at=task.clock_ms if kind in FINISHES or target is State.ACKED else None,
        at_ms=task.clock_ms,
        fence=fields.pop("fence", task.fence),
        step_def_hash=fields.pop("step_def_hash", state.step_def_hash),
        body=body(fields.pop("said", {})),
    )
    assert not fields, fields
    return write_event(tx, task, state, event)


def body(said: dict[str, Any]) -> str:
    """Return an event's body as JSON that every database holds: no NUL, no half of a surrogate pair."""
    return json.dumps({key: _clean(value) for key, value in said.items()}, sort_keys=True)


def _clean(value: object) -> object:
    if not isinstance(value, str):
        return value
    return value.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def write_event(tx: Transaction, task: TaskRow, state: StepState | None, event: Event) -> StepState:
    """Append one event and all that follows from it; see `write`."""
    event = replace(event, event_id=tx.append(event))
    after = apply(state, event)
    tx.put_step(project(after))
    tx.touch(task.task_id, task.clock_ms, task.lease_until_ms)
    if after.state in WAITING:
        reason = after.reason or str(after.state)
        tx.open_item(Item(0, task.task_id, after.step_seq, reason, task.clock_ms, event.event_id))
        halt(tx, task, f"the task halted, because step '{after.step_path}' waits for a person")
    if after.state not in UNSETTLED:
        keep_snapshot(tx, task.task_id)
    return after


def halt(tx: Transaction, task: TaskRow, reason: str) -> None:
    """Stop the task for a person: every open step goes into the inbox, so that none is forgotten."""
    current = tx.task(task.task_id)
    if current is not None and current.status in ("running", "done"):
        tx.set_status(task.task_id, "halted")
    for row in tx.steps(task.task_id):
        state = fold(tx.events_at(task.task_id, row.step_path)) if row.state in OPEN else None
        # Parking one step halts the task in turn, and may have parked the next ones already.
        if state is None or state.state not in OPEN:
            continue
        if state.state is State.IN_FLIGHT:
            state = write(tx, task, state, Kind.UNCERTAIN, State.UNCERTAIN, said={"error": reason})
        park(tx, task, state, reason)


def park(tx: Transaction, task: TaskRow, state: StepState, reason: str) -> StepState:
    """Leave the step to a person: the state, the inbox row and the halted task in this transaction."""
    if state.state in COMPENSATING or state.state is State.DONE:
        return write(
            tx,
            task,
            state,
            Kind.COMP_NEEDS_HUMAN,
            State.COMP_NEEDS_HUMAN,
            said={"reason": reason},
            attempt=state.comp_attempt,
            idempotency_key=state.comp_key or state.idempotency_key,
        )
    return write(tx, task, state, Kind.NEEDS_HUMAN, State.NEEDS_HUMAN, said={"reason": reason})


def finish(
    tx: Transaction, task: TaskRow, state: StepState, output: str, sha256: str | None = None
) -> StepState:
    """Make the step DONE with an output: a small one is in the event, a long one stored under `sha256`."""
    stored = BLOB + sha256 if sha256 else None
    named = sha256 or digest(output.encode())
    return write(
        tx,
        task,
        state,
        Kind.DONE,
        State.DONE,
        receipt=None if stored else output,
        output_ref=stored or INLINE + named,
        output_sha256=named,
        started_at=state.last_intent_ms or state.since_ms,
    )


def close(tx: Transaction, task: TaskRow, item_id: int, closing: Closing) -> None:
    """Close an inbox row; the task runs on when no other is open."""
    item = tx.item(item_id)
    assert item is not None
    tx.close_item(
        replace(
            item,
            resolved_ms=task.clock_ms,
            resolution=closing.resolution,
            resolver=closing.resolver,
            evidence=closing.evidence,
        )
    )
    current = tx.task(task.task_id)
    if current is not None and current.status == "halted" and not tx.items(task.task_id):
        tx.set_status(task.task_id, "running")
