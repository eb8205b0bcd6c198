"""What waits for a person, and how a person's word, with its evidence, goes into the log."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from stepcheck.executor.address import recorded_params
from stepcheck.executor.answers import Found, NoAnswer, Pending, Sighting
from stepcheck.executor.events import Kind
from stepcheck.executor.ledger import TaskRow, Transaction
from stepcheck.executor.moves import context
from stepcheck.executor.ops import Machine, Query, Txn
from stepcheck.executor.outcome import Outcome, outcome_of
from stepcheck.executor.outputs import RECEIPT_LIMIT, encode
from stepcheck.executor.record import Closing, View, close, finish, look, view, write
from stepcheck.executor.states import State, StepState
from stepcheck.executor.step import ExecStep


class Resolution(StrEnum):
    """What a person can say of an inbox item."""

    IT_HAPPENED = "it_happened"
    """The effect is there (or, of a compensation: it is made up for)."""
    IT_DID_NOT_HAPPEN = "it_did_not_happen"
    """The effect is not there, and the step may be sent once more."""
    ABANDON = "abandon"
    """Nothing more is done about the step; the person answers for it."""
    COMPENSATE = "compensate"
    """The compensation, which was never sent, may be sent after its deadline."""
    NO_COMPENSATE = "no_compensate"
    """The effect stays."""


class ResolutionRefused(Exception):
    """A resolution that the step's state, a later step, or the query contradicts; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a person says of one inbox item: who says so, and what shows it."""

    item_id: int
    resolution: Resolution
    resolver: str
    evidence: str
    receipt: object = None
    """Of what happened: the step's output from then on; the evidence where nothing else is given."""


def resolve_machine(word: Word, table: Mapping[str, ExecStep] | None = None) -> Machine[Outcome]:
    """Record a person's word on an inbox item, and close it; the task runs on when no other item is open.

    Needs no fence: it is the person who acts. `it_did_not_happen` repeats the step's query where the table
    gives one; it is refused when the step was acknowledged, when the query finds the effect or finds it
    pending, and when a later step of the task is done. Raises KeyError for no such item, ResolutionRefused,
    LedgerError.
    """
    for name, text in (("resolver", word.resolver), ("evidence", word.evidence)):
        if not text.strip():
            raise ResolutionRefused(f"a resolution needs its {name}: who says so, and what shows it")
    receipt = encode({"evidence": word.evidence} if word.receipt is None else word.receipt)
    if len(receipt) > RECEIPT_LIMIT:
        raise ResolutionRefused(f"the receipt is longer than {RECEIPT_LIMIT} characters of JSON")
    seen: View = yield Txn("look", lambda tx: _open(tx, word.item_id)[1])
    step = (table or {}).get(seen.state.step_name)
    answer: Sighting | None = None
    if word.resolution is Resolution.IT_DID_NOT_HAPPEN and step is not None and step.query is not None:
        params = yield from recorded_params(seen.state)
        answer = yield Query(step, context(step, params, seen.state, math.inf), params)
    after: View = yield Txn("human_resolved", _write(word, receipt, answer), durable=True)
    return outcome_of(after.state, after.item)


def _open(tx: Transaction, item_id: int) -> tuple[TaskRow, View]:
    item = tx.item(item_id)
    if item is None:
        raise KeyError(f"no item {item_id} in this ledger's inbox")
    task = look(tx, item.task_id)
    item = tx.item(item_id)
    assert item is not None
    if item.resolution is not None:
        raise ResolutionRefused(f"item {item_id} was resolved as '{item.resolution}' by {item.resolver}")
    row = next(row for row in tx.steps(item.task_id) if row.step_seq == item.step_seq)
    seen = view(tx, task, row.step_path)
    assert seen is not None
    return task, seen


def _write(word: Word, receipt: str, answer: Sighting | None) -> Callable[[Transaction], View]:
    said: dict[str, object] = {
        "resolution": str(word.resolution),
        "resolver": word.resolver,
        "evidence": word.evidence,
    }
    if answer is not None:
        said["queried"] = type(answer).__name__
    if isinstance(answer, NoAnswer):
        said["error"] = answer.error

    def work(tx: Transaction) -> View:
        task, seen = _open(tx, word.item_id)
        state = seen.state
        target = _target(tx, state, word.resolution, answer)
        compensation = state.state is State.COMP_NEEDS_HUMAN
        after = write(
            tx,
            task,
            state,
            Kind.HUMAN_RESOLVED,
            target,
            attempt=state.comp_attempt if compensation else state.attempt,
            receipt=receipt if target is State.ACKED else None,
            said=said,
        )
        close(tx, task, word.item_id, Closing(str(word.resolution), word.resolver, word.evidence))
        if after.state is State.ACKED:
            after = finish(tx, task, after, receipt)
        return View(after, task.clock_ms)

    return work


def _target(tx: Transaction, state: StepState, resolution: Resolution, answer: Sighting | None) -> State:
    match state.state, resolution:
        case State.NEEDS_HUMAN, Resolution.IT_HAPPENED:
            if state.attempt == 0:
                raise ResolutionRefused(f"step '{state.step_path}' was never sent: it cannot have happened")
            return State.ACKED
        case State.NEEDS_HUMAN, Resolution.IT_DID_NOT_HAPPEN:
            _refuse_if_it_did(tx, state, answer)
            return State.ABSENT
        case State.NEEDS_HUMAN | State.COMP_NEEDS_HUMAN, Resolution.ABANDON:
            return State.ABANDONED
        case State.COMP_NEEDS_HUMAN, Resolution.IT_HAPPENED:
            return State.COMPENSATED
        case State.COMP_NEEDS_HUMAN, Resolution.NO_COMPENSATE:
            return State.ABANDONED
        case State.COMP_NEEDS_HUMAN, Resolution.COMPENSATE:
            if state.comp_attempt:
                raise ResolutionRefused(
                    f"the compensation of step '{state.step_path}' was sent once already: "
                    "say 'it_happened' or 'no_compensate'"
                )
            return State.DONE
        case _:
            raise ResolutionRefused(
                f"'{resolution}' says nothing of step '{state.step_path}', which is {state.state}"
            )


def _refuse_if_it_did(tx: Transaction, state: StepState, answer: Sighting | None) -> None:
    if state.acknowledged:
        raise ResolutionRefused(f"step '{state.step_path}' was acknowledged: it did happen")
    if isinstance(answer, Found | Pending):
        what = "finds it" if isinstance(answer, Found) else "finds it pending"
        raise ResolutionRefused(f"the query of step '{state.step_path}' {what}: it was not sent again")
    for row in tx.steps(state.task_id):
        if row.step_seq > state.step_seq and row.state == State.DONE:
            raise ResolutionRefused(
                f"step '{row.step_path}' came after step '{state.step_path}' and is done: "
                "sending the earlier one now would be out of order"
            )
