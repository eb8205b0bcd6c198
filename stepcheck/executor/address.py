"""A step is found by its address, never by a recomputed key; the recomputed hash only compares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from stepcheck.executor.canonical import CanonicalError, canonical, restore
from stepcheck.executor.events import Kind
from stepcheck.executor.keys import business_key, idempotency_key, input_hash
from stepcheck.executor.ledger import TaskRow, Transaction
from stepcheck.executor.ops import GetBlob, Machine, PutBlob, Txn
from stepcheck.executor.outcome import Outcome, Result, outcome_of
from stepcheck.executor.outputs import BLOB
from stepcheck.executor.record import (
    Claim,
    View,
    body,
    enter,
    halt,
    park,
    plan_event,
    view,
    write,
    write_event,
)
from stepcheck.executor.states import OPEN, WAITING, State, StepState
from stepcheck.executor.step import ExecStep

PARAMS_LIMIT = 16_384
"""Bytes of recorded params that stay in the event; what is longer goes to the blob store."""


class ReplayMismatch(Exception):
    """A settled step's address was asked for another step, or for other params; the task halts."""


class NotPlanned(Exception):
    """An address that holds nothing was asked for without a step's name."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a run asks for at an address."""

    step: ExecStep
    params: Mapping[str, object]
    text: str
    """The params in canonical form."""
    hash: str
    stored: str | None
    """Where the params are, if they are too long for the log."""


def request(step: ExecStep, params: Mapping[str, object]) -> Machine[Request]:
    """Make a request out of params; long ones are stored first. Raises CanonicalError."""
    text = canonical(params).decode()
    stored = None
    if len(text) > PARAMS_LIMIT:
        stored = BLOB + str((yield PutBlob(text.encode())))
    hashed = input_hash(step.name, params, volatile=step.volatile)
    return Request(step, params, text, hashed, stored)


def find_or_plan(claim: Claim, step_path: str, wanted: Request | None) -> Machine[View | Outcome]:
    """Return the step at an address, planned now if the address is free; an Outcome where it may not run.

    Replay holds: the same address yields the same step name, parameters and key, or the task stops.
    Raises ReplayMismatch, NotPlanned, Fenced.
    """
    check_path(step_path)
    found = yield Txn("planned", _find_or_plan(claim, step_path, wanted))
    if isinstance(found, ReplayMismatch):
        raise found
    assert isinstance(found, View | Outcome)
    return found


def _find_or_plan(
    claim: Claim, step_path: str, wanted: Request | None
) -> Callable[[Transaction], View | Outcome | ReplayMismatch]:
    def work(tx: Transaction) -> View | Outcome | ReplayMismatch:
        task = enter(tx, claim)
        seen = view(tx, task, step_path)
        if seen is None:
            if wanted is None:
                raise NotPlanned(f"address '{step_path}' of task '{claim.task_id}' holds no step")
            held = may_not_start(tx, task, step_path, wanted.step.name)
            return held or View(_plan(tx, task, step_path, wanted), task.clock_ms)
        if wanted is not None and (why := _differs(seen.state, wanted)):
            return _stop(tx, task, seen, why)
        if seen.state.state is State.PLANNED:
            return may_not_start(tx, task, step_path, seen.state.step_name) or seen
        return seen

    return work


def _plan(tx: Transaction, task: TaskRow, step_path: str, wanted: Request) -> StepState:
    step, params = wanted.step, wanted.params
    said: dict[str, object] = {"code": task.code_version}
    if wanted.stored is None:
        said["params"] = wanted.text
    if step.effect.writes:
        said["business_key"] = business_key(step.name, params, step.identity)
    key = idempotency_key(task.task_id, step_path, params, identity=step.identity, volatile=step.volatile)
    event = plan_event(
        task,
        step_seq=tx.last_seq(task.task_id) + 1,
        step_path=step_path,
        step_name=step.name,
        effect_class=step.effect,
        idempotency_key=key,
        input_hash=wanted.hash,
        input_ref=wanted.stored,
        step_def_hash=step.definition_hash,
        body=body(said),
    )
    return write_event(tx, task, None, event)


def may_not_start(tx: Transaction, task: TaskRow, step_path: str, name: str) -> Outcome | None:
    """Return why no new step may start in this task, None where one may."""
    if task.status in ("running", "done"):
        return None
    items = tx.items(task.task_id)
    item = items[0].item_id if items else None
    reason = f"the task is {task.status}" + (f", because of inbox item {item}" if item else "")
    return Outcome(task.task_id, step_path, name, Result.HELD, inbox_item=item, reason=reason)


def _differs(state: StepState, wanted: Request) -> str | None:
    place = f"address '{state.step_path}' of task '{state.task_id}'"
    if state.step_name != wanted.step.name:
        return (
            f"{place} holds step '{state.step_name}', and this run asks for step '{wanted.step.name}' there"
        )
    if state.input_hash != wanted.hash:
        return f"{place} holds step '{state.step_name}' with other params than this run asks for"
    return None


def _stop(tx: Transaction, task: TaskRow, seen: View, why: str) -> View | Outcome | ReplayMismatch:
    state = seen.state
    if state.state in WAITING:
        return outcome_of(state, seen.item)
    if state.state not in OPEN | {State.PLANNED}:
        halt(tx, task, why)
        return ReplayMismatch(why)
    if state.state is State.IN_FLIGHT:
        state = write(tx, task, state, Kind.UNCERTAIN, State.UNCERTAIN, said={"error": why})
    park(tx, task, state, why)
    parked = view(tx, task, state.step_path)
    assert parked is not None
    return parked


def recorded_params(state: StepState) -> Machine[Mapping[str, object]]:
    """Return the params as they were planned, whatever a later run would pass. Raises BlobError."""
    text: bytes | str | None = state.params
    if text is None:
        assert state.input_ref is not None
        text = yield GetBlob(state.input_ref.removeprefix(BLOB))
    assert isinstance(text, bytes | str)
    params = restore(text)
    assert isinstance(params, dict)
    return params


def check_path(step_path: str) -> None:
    """Refuse an address that could not be read back. Raises CanonicalError."""
    if not step_path or len(step_path) > 200 or not step_path.isprintable():
        raise CanonicalError("step_path", f"is {step_path!r}: it must be 1 to 200 printable characters")
