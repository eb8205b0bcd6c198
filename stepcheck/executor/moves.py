"""The moves that machines are made of: change a step that is as it was seen, wait, give it to a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stepcheck.executor.events import Kind
from stepcheck.executor.ledger import TaskRow, Transaction
from stepcheck.executor.ops import CallContext, Machine, Sleep, Txn
from stepcheck.executor.record import Claim, View, enter, leased, open_item, park, renew, write
from stepcheck.executor.states import State, StepState
from stepcheck.executor.step import ExecStep

Change = Callable[[Transaction, TaskRow, StepState], StepState]


@dataclass(frozen=True, slots=True)
class Job:
    """A step that an owner is working on, with the params it was planned with."""

    step: ExecStep
    claim: Claim
    params: Mapping[str, object]


def make(claim: Claim, seen: View, label: str, act: Change) -> Machine[View]:
    """Change a step if it is still as it was seen; else only look again. Raises Fenced for a stale owner."""

    def work(tx: Transaction) -> View:
        task = enter(tx, claim)
        now = renew(tx, task, seen)
        if now.state.last_event_id != seen.state.last_event_id:
            return now
        after = act(tx, task, now.state)
        return View(after, task.clock_ms, open_item(tx, after))

    after: View = yield Txn(label, work)
    return after


def wait(claim: Claim, seen: View, until_ms: int) -> Machine[View]:
    """Sleep with the lease kept, and look again.

    The ledger's clock stands still after a wall clock that was ahead is set back: then it is moved on by the
    time that has elapsed, or the step would wait until the wall clock is there again.
    """

    def lease(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        kept = leased(task, claim, until_ms - task.clock_ms)
        tx.touch(kept.task_id, kept.clock_ms, kept.lease_until_ms)
        return state

    def move_on(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        tx.touch(task.task_id, max(task.clock_ms, until_ms))
        return state

    seen = yield from make(claim, seen, "lease", lease)
    elapsed: bool | None = yield Sleep(seen.clock_ms, until_ms)
    seen = yield from look_again(claim, seen)
    if elapsed and seen.clock_ms < until_ms:
        yield from make(claim, seen, "clock", move_on)
        seen = yield from look_again(claim, seen)
    return seen


def look_again(claim: Claim, seen: View) -> Machine[View]:
    """Return the step and the clock as they are now."""
    return (yield from make(claim, seen, "look", lambda _tx, _task, state: state))


def give_to_person(claim: Claim, seen: View, reason: str) -> Machine[View]:
    """Put the step into the inbox and halt the task."""

    def act(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        if state.state is State.IN_FLIGHT:
            state = write(tx, task, state, Kind.UNCERTAIN, State.UNCERTAIN, said={"error": reason})
        return park(tx, task, state, reason)

    return (yield from make(claim, seen, "needs_human", act))


def context(
    step: ExecStep, params: Mapping[str, object], state: StepState, send_before: float
) -> CallContext:
    """Return what a call or a query of this step is told."""
    names = step.identity or tuple(sorted(name for name in params if name not in step.volatile))
    return CallContext(
        task_id=state.task_id,
        step_path=state.step_path,
        step_seq=state.step_seq,
        attempt=state.attempt,
        idempotency_key=state.idempotency_key,
        identity={name: params[name] for name in names if name in params},
        timeout=step.timeout_ms / 1000,
        send_before=send_before,
    )
