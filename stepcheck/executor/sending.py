"""A write is sent: the intent first and synced, then one send, then what became of it."""

from collections.abc import Callable

from stepcheck.executor.answers import Answer, Refused, Reply, Unknown
from stepcheck.executor.decisions import Send, decide
from stepcheck.executor.events import Kind
from stepcheck.executor.ledger import Conflict, Fenced, TaskRow, Transaction
from stepcheck.executor.moves import Change, Job, context, give_to_person, make
from stepcheck.executor.ops import Call, Elapsed, Machine, Txn
from stepcheck.executor.outcome import Outcome, Result
from stepcheck.executor.outputs import NotStorable, encode, inline
from stepcheck.executor.record import (
    CAME_LATE,
    Claim,
    View,
    close,
    enter,
    finish,
    leased,
    look,
    open_item,
    park,
    renew,
    write,
)
from stepcheck.executor.settling import OUTPUT_LOST
from stepcheck.executor.states import State, StepState

DOUBTED = frozenset({State.UNCERTAIN, State.ABSENT, State.NEEDS_HUMAN})
"""States in which an answer to the last attempt is news."""


def send(job: Job, seen: View, attempt: int) -> Machine[tuple[View, str | None] | Outcome]:
    """Record the intent, then send at most once for it.

    The database lets one unresolved step hold a business identity, whichever worker comes first.
    """
    step, claim = job.step, job.claim
    started = yield Elapsed()
    try:
        intent = yield Txn("call_intent", _intent(job, seen, attempt), durable=step.effect.writes)
    except Conflict:
        # Another step's intent for the same business identity came first, unless it was something else.
        held = yield Txn("look", lambda tx: _held(tx, seen.state))
        if held is None:
            raise
        intent = held
    if isinstance(intent, Outcome):
        return intent
    written, seen = intent
    if not written:
        return seen, None
    send_before = started + step.send_within_ms / 1000
    reply: Reply = yield Call(step, context(step, job.params, seen.state, send_before), job.params)
    if isinstance(reply, Answer):
        return (yield from _acknowledge(claim, seen, reply.value))
    if isinstance(reply, Refused) and not step.effect.writes:
        return (yield from give_to_person(claim, seen, f"the read was refused: {reply.error}")), None
    if isinstance(reply, Refused) and attempt == 1:
        return (yield from make(claim, seen, "failed", _fail(reply))), None
    return (yield from make(claim, seen, "uncertain", doubt(reply))), None


def _intent(job: Job, seen: View, attempt: int) -> Callable[[Transaction], tuple[bool, View] | Outcome]:
    step, claim = job.step, job.claim

    def work(tx: Transaction) -> tuple[bool, View] | Outcome:
        task = enter(tx, claim)
        now = renew(tx, task, seen)
        # Decided again in the transaction that writes it: the clock has gone on, and evidence may have come.
        if decide(step, now.state, task.clock_ms, claim.fence) != Send(attempt):
            return False, now
        state = write(
            tx,
            leased(task, claim, step.send_within_ms + step.timeout_ms),
            now.state,
            Kind.CALL_INTENT,
            State.IN_FLIGHT,
            attempt=attempt,
            started_at=task.clock_ms,
            step_def_hash=step.definition_hash,
            said={"code": task.code_version},
        )
        return True, View(state, task.clock_ms)

    return work


def _held(tx: Transaction, state: StepState) -> Outcome | None:
    """Return that another step of the same business identity is not settled, None where none is."""
    holder = tx.holder(state.business_key) if state.business_key else None
    if holder is None or (holder.task_id, holder.step_path) == (state.task_id, state.step_path):
        return None
    reason = (
        f"step '{holder.step_path}' of task '{holder.task_id}' does the same to the same thing, "
        f"and is {holder.state}: nothing is sent until it is settled"
    )
    return Outcome(state.task_id, state.step_path, state.step_name, Result.HELD, state.attempt, reason=reason)


def _acknowledge(claim: Claim, seen: View, value: object) -> Machine[tuple[View, str | None]]:
    """Record the answer, before its output is stored; a fenced-off worker's counts for its own attempt.

    An output that is small enough for the event needs no storing: the step is DONE in the same transaction.
    """
    said: dict[str, object] = {}
    output: str | None = None
    try:
        output = encode(value)
    except NotStorable as error:
        said["error"] = str(error)
    short = inline(output)

    def work(tx: Transaction) -> tuple[View, int]:
        task = look(tx, claim.task_id)
        now = renew(tx, task, seen)
        state = now.state
        own = {"receipt": short, "said": said, "fence": claim.fence}
        if state.attempt == seen.state.attempt and state.state is State.IN_FLIGHT:
            state = write(tx, task, state, Kind.ACKED, State.ACKED, **own)
            state = state if short is None else finish(tx, task, state, short)
        elif state.attempt == seen.state.attempt and state.state in DOUBTED:
            state = write(tx, task, state, Kind.LATE_EVIDENCE, State.ACKED, **own)
            if now.item is not None:
                close(tx, task, now.item, CAME_LATE)
                if task.fence != claim.fence:
                    # Nobody may be running the task any more: what is known is put in order here.
                    state = _settle_late(tx, task, state)
        return View(state, task.clock_ms, open_item(tx, state)), task.fence

    after, fence = yield Txn("acked", work)
    if fence != claim.fence:
        raise Fenced(claim.task_id, claim.fence, fence)
    return after, output


def _settle_late(tx: Transaction, task: TaskRow, acked: StepState) -> StepState:
    if acked.receipt is not None:
        return finish(tx, task, acked, acked.receipt)
    why = acked.reason or OUTPUT_LOST
    return park(tx, task, acked, f"the answer came after all, and {why}")


def doubt(reply: Unknown | Refused) -> Change:
    """Return the change that records that nobody knows what became of the last attempt."""
    said: dict[str, object] = {"error": reply.error, "refused": isinstance(reply, Refused)}
    if isinstance(reply, Unknown) and reply.status is not None:
        said["status"] = reply.status
    return lambda tx, task, state: write(tx, task, state, Kind.UNCERTAIN, State.UNCERTAIN, said=said)


def _fail(reply: Refused) -> Change:
    """FAILED means the only send was definitely refused before any effect."""
    return lambda tx, task, state: write(
        tx, task, state, Kind.FAILED, State.FAILED, said={"reason": reply.error}
    )
