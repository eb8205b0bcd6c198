"""What was done is made up for: a registered step, on the ledger, in reverse order, before its deadline."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stepcheck.executor.address import recorded_params
from stepcheck.executor.answers import Absent, Answer, Found, NoAnswer, Pending, Refused, Reply, Sighting
from stepcheck.executor.blobs import BlobError
from stepcheck.executor.decisions import LEFT_IN_FLIGHT
from stepcheck.executor.events import Kind
from stepcheck.executor.keys import compensation_key
from stepcheck.executor.ledger import Fenced, TaskRow, Transaction
from stepcheck.executor.moves import context, give_to_person, look_again, make, wait
from stepcheck.executor.ops import Call, CallContext, Elapsed, GetBlob, Machine, Query, Txn
from stepcheck.executor.outcome import Outcome, outcome_of
from stepcheck.executor.outputs import BLOB
from stepcheck.executor.record import (
    CAME_LATE,
    Claim,
    View,
    close,
    enter,
    leased,
    look,
    open_item,
    park,
    renew,
    view,
    write,
)
from stepcheck.executor.states import OPEN, WAITING, State, StepState
from stepcheck.executor.step import ExecStep
from stepcheck.facts.effect import Effect


def compensate_machine(table: Mapping[str, ExecStep], claim: Claim, reason: str) -> Machine[list[Outcome]]:
    """Make up for every write of the task that is done, in reverse order.

    At most one send per registered compensation, only for DONE steps, reverse order, before the deadline;
    what is past it, or has no compensation registered, goes to the inbox. Goes no further than a step that
    waits for a person: run it again once that is resolved.
    """
    outcomes: list[Outcome] = []
    while True:
        target = yield Txn("compensating", _next(claim, reason))
        if target is None:
            return outcomes
        if isinstance(target, Outcome):
            known = bool(outcomes) and outcomes[-1].step_path == target.step_path
            return outcomes if known else [*outcomes, target]
        outcomes.append((yield from _compensate(table, claim, target)))


def _next(claim: Claim, reason: str) -> Callable[[Transaction], View | Outcome | None]:
    """Return the transaction that finds the last write not made up for; it ends the task if none is left."""

    def work(tx: Transaction) -> View | Outcome | None:
        task = enter(tx, claim)
        if task.status != "compensating":
            tx.set_status(claim.task_id, "compensating")
        rows = tx.steps(claim.task_id)
        for row in reversed(rows):
            if row.state == State.DONE or row.state in OPEN | WAITING:
                seen = view(tx, task, row.step_path)
                assert seen is not None
                if seen.state.state is not State.DONE:
                    return replace(outcome_of(seen.state, seen.item), reason=seen.state.reason or reason)
                if seen.state.effect is not Effect.READ:
                    return seen
        made_up = any(row.state == State.COMPENSATED for row in rows)
        tx.set_status(claim.task_id, "compensated" if made_up else "failed")
        return None

    return work


def _compensate(table: Mapping[str, ExecStep], claim: Claim, seen: View) -> Machine[Outcome]:
    step = table.get(seen.state.step_name)
    undo = None if step is None else step.compensation
    if step is None or undo is None:
        return (yield from _leave(claim, seen, "it was done, and no compensation is registered for it"))
    try:
        params = yield from recorded_params(seen.state)
        output = yield from _output(seen.state)
    except BlobError as error:
        return (yield from _leave(claim, seen, f"its compensation needs its output, and {error}"))
    started = yield Elapsed()
    allowed = yield Txn("comp_intent", _intent(step, undo, claim, seen), durable=True)
    seen, within_ms = allowed
    if within_ms is None:
        return outcome_of(seen.state, seen.item)
    ctx = replace(_context(undo, seen.state, params, started + within_ms / 1000), output=output)
    reply: Reply = yield Call(undo, ctx, params, compensates=True)
    match reply:
        case Answer():
            seen = yield from _made_up(claim, seen)
        case Refused(why):
            seen = yield from give_to_person(claim, seen, f"its compensation was refused: {why}")
        case _:
            said: dict[str, object] = {"error": reply.error}
            seen = yield from make(claim, seen, "comp_uncertain", _uncertain(said))
    return (yield from settle_compensation(table, claim, seen))


def _intent(
    step: ExecStep, undo: ExecStep, claim: Claim, seen: View
) -> Callable[[Transaction], tuple[View, int | None]]:
    """Return the transaction that judges the deadline and writes the intent, or asks a person."""

    def act(tx: Transaction, task: TaskRow, state: StepState) -> tuple[StepState, int | None]:
        left = undo.send_within_ms
        if not state.comp_authorised:
            if step.compensate_within_ms is None or state.first_intent_ms is None:
                return park(tx, task, state, "no compensate_deadline says until when it may run"), None
            left = state.first_intent_ms + step.compensate_within_ms - task.clock_ms
            if left <= 0:
                return park(
                    tx, task, state, "its compensate_deadline has passed, others may have acted"
                ), None
        after = write(
            tx,
            leased(task, claim, undo.send_within_ms + undo.timeout_ms),
            state,
            Kind.COMP_INTENT,
            State.COMP_IN_FLIGHT,
            attempt=state.comp_attempt + 1,
            effect_class=undo.effect,
            idempotency_key=compensation_key(state.idempotency_key),
            started_at=task.clock_ms,
            step_def_hash=undo.definition_hash,
            said={"step": undo.name},
        )
        return after, min(left, undo.send_within_ms)

    def work(tx: Transaction) -> tuple[View, int | None]:
        task = enter(tx, claim)
        now = renew(tx, task, seen)
        if now.state.last_event_id != seen.state.last_event_id:
            return now, None
        after, within = act(tx, task, now.state)
        return View(after, task.clock_ms, open_item(tx, after)), within

    return work


def settle_compensation(table: Mapping[str, ExecStep], claim: Claim, seen: View) -> Machine[Outcome]:
    """Bring a compensation that was sent to where automation ends; it is never sent again."""
    if seen.state.state is State.COMP_IN_FLIGHT:
        said: dict[str, object] = {"error": LEFT_IN_FLIGHT}
        seen = yield from make(claim, seen, "comp_uncertain", _uncertain(said))
    if seen.state.state is State.COMP_UNCERTAIN:
        step = table.get(seen.state.step_name)
        undo = None if step is None else step.compensation
        why = yield from _ask(undo, claim, seen)
        if why is None:
            seen = yield from _made_up(claim, seen)
        else:
            seen = yield from look_again(claim, seen)
            # The answer may have come meanwhile, from the owner before.
            if seen.state.state is State.COMP_UNCERTAIN:
                seen = yield from give_to_person(claim, seen, why)
    return outcome_of(seen.state, seen.item)


def _ask(undo: ExecStep | None, claim: Claim, seen: View) -> Machine[str | None]:
    """Return why nobody knows that the compensation happened, None where a query found it."""
    if undo is None or undo.query is None:
        return "the outcome of its compensation is unknown, and no query can tell"
    try:
        params = yield from recorded_params(seen.state)
    except BlobError as error:
        return f"the outcome of its compensation is unknown, and {error}"
    ctx = _context(undo, seen.state, params, math.inf)
    for tries in range(1, undo.query_attempts + 1):
        answer: Sighting = yield Query(undo, ctx, params, compensates=True)
        match answer:
            case Found():
                return None
            case Absent():
                return "the outcome of its compensation is unknown, and a query finds nothing"
            case Pending() | NoAnswer() if tries < undo.query_attempts:
                pause = undo.backoff.delay_ms(f"query {ctx.idempotency_key}", tries)
                seen = yield from look_again(claim, seen)
                seen = yield from wait(claim, seen, seen.clock_ms + pause)
    return f"the outcome of its compensation is unknown after {undo.query_attempts} queries"


def _made_up(claim: Claim, seen: View) -> Machine[View]:
    """Record the compensation's acknowledgement; a fenced-off worker's answer for its own attempt counts."""

    def work(tx: Transaction) -> tuple[View, int]:
        task = look(tx, claim.task_id)
        now = renew(tx, task, seen)
        state = now.state
        if state.comp_attempt == seen.state.comp_attempt:
            own: dict[str, Any] = {
                "attempt": state.comp_attempt,
                "fence": claim.fence,
                "idempotency_key": state.comp_key,
            }
            if state.state in (State.COMP_IN_FLIGHT, State.COMP_UNCERTAIN):
                state = write(tx, task, state, Kind.COMP_DONE, State.COMPENSATED, **own)
            elif state.state is State.COMP_NEEDS_HUMAN:
                state = write(tx, task, state, Kind.LATE_EVIDENCE, State.COMPENSATED, **own)
                if now.item is not None:
                    close(tx, task, now.item, CAME_LATE)
        return View(state, task.clock_ms, open_item(tx, state)), task.fence

    after, fence = yield Txn("comp_done", work)
    if fence != claim.fence:
        raise Fenced(claim.task_id, claim.fence, fence)
    assert isinstance(after, View)
    return after


def _uncertain(said: dict[str, object]) -> Callable[[Transaction, TaskRow, StepState], StepState]:
    def act(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        key = state.comp_key or state.idempotency_key
        return write(
            tx,
            task,
            state,
            Kind.COMP_UNCERTAIN,
            State.COMP_UNCERTAIN,
            said=said,
            attempt=state.comp_attempt,
            idempotency_key=key,
        )

    return act


def _leave(claim: Claim, seen: View, reason: str) -> Machine[Outcome]:
    seen = yield from give_to_person(claim, seen, reason)
    return outcome_of(seen.state, seen.item)


def _context(
    undo: ExecStep, state: StepState, params: Mapping[str, object], send_before: float
) -> CallContext:
    forward = context(undo, params, state, send_before)
    key = state.comp_key or compensation_key(state.idempotency_key)
    return replace(forward, attempt=state.comp_attempt, idempotency_key=key)


def _output(state: StepState) -> Machine[object]:
    if state.receipt is not None:
        return json.loads(state.receipt)
    if state.output_ref is None or not state.output_ref.startswith(BLOB):
        return None
    data: bytes = yield GetBlob(state.output_ref.removeprefix(BLOB))
    return json.loads(data)
