"""What happens next to a step: a pure function of its state, its declaration and the ledger's clock."""

from dataclasses import dataclass
from typing import TypeAlias

from stepcheck.executor.states import State, StepState
from stepcheck.executor.step import ExecStep
from stepcheck.facts.effect import Effect

LEFT_IN_FLIGHT = "found by a new owner: the one before it may or may not have sent"


@dataclass(frozen=True, slots=True)
class Read:
    """Send a read, which needs no intent."""


@dataclass(frozen=True, slots=True)
class Send:
    """Record the intent of this attempt, then send once."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """Record that nobody knows what became of the last attempt."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the other side whether it happened."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing until the ledger's clock is there."""

    until_ms: int


@dataclass(frozen=True, slots=True)
class Believe:
    """Record that the effect is absent, with the proof."""

    proof: str


@dataclass(frozen=True, slots=True)
class Store:
    """Store the output of what was acknowledged."""


@dataclass(frozen=True, slots=True)
class Park:
    """Leave the step to a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing more to do here for an executor."""


Decision: TypeAlias = Read | Send | Doubt | Ask | Wait | Believe | Store | Park | Settled


def decide(step: ExecStep, state: StepState, clock_ms: int, fence: int) -> Decision:
    """Return what an owner with this fence does next with a step that nobody else is working on."""
    match state.state:
        case State.PLANNED:
            return Read() if step.effect is Effect.READ else Send(1)
        case State.IN_FLIGHT if state.fence == fence:
            return Doubt("the owner itself lost the answer")
        case State.IN_FLIGHT:
            return Doubt(LEFT_IN_FLIGHT)
        case State.UNCERTAIN:
            return _uncertain(step, state, clock_ms, fence)
        case State.ABSENT:
            return _absent(step, state)
        case State.ACKED:
            return Store()
        case _:
            return Settled()


def _uncertain(step: ExecStep, state: StepState, clock_ms: int, fence: int) -> Decision:
    if step.ask_person:
        return Park("its outcome is unknown, and the table says that a person decides then")
    match step.effect:
        case Effect.IDEM_WRITE:
            return _uncertain_idem(step, state, clock_ms, fence)
        case Effect.NON_IDEM_WRITE:
            return _uncertain_once(step, state, clock_ms)
        case Effect.READ:
            return Park("a read that a person had sent again has no answer")


def _uncertain_idem(step: ExecStep, state: StepState, clock_ms: int, fence: int) -> Decision:
    if step.query is not None and (state.verdict is None or state.verdict == "pending"):
        return _query_again(step, state, clock_ms)
    if (why_not := not_to_be_repeated(step, state, clock_ms, fence)) is None:
        pause = state.since_ms + step.backoff.delay_ms(state.idempotency_key, state.attempt)
        return Wait(pause) if clock_ms < pause else Send(state.attempt + 1)
    if step.query is not None and state.verdict == "no answer":
        return _query_again(step, state, clock_ms)
    return Park(f"its outcome is unknown, and it is not sent again: {why_not}")


def not_to_be_repeated(step: ExecStep, state: StepState, clock_ms: int, fence: int) -> str | None:
    """Return why an uncertain idem_write is not sent again with its key, None where it may be.

    At most one effect holds for a repeat provided that the other side deduplicates for its window.
    """
    if state.refused_late:
        return "a later attempt was refused, which says nothing of the first"
    if state.attempt >= max(step.max_attempts, state.authorised):
        return f"{_attempts(state.attempt)} are spent"
    if step.dedupe is None:
        return None if state.fence == fence else "no 'dedupe' says that its key is honoured after a restart"
    if step.dedupe.stored_errors and state.server_error:
        return "the other side gives a stored server error to every repeat of the key"
    within = step.repeat_within_ms
    if within is not None and clock_ms >= _first(state) + within:
        return "the other side may have forgotten the key"
    return None


def _uncertain_once(step: ExecStep, state: StepState, clock_ms: int) -> Decision:
    if step.query is None:
        return Park("its outcome is unknown, and no query can tell")
    if state.verdict != "absent":
        return _query_again(step, state, clock_ms)
    if step.settle_ms is None or state.last_intent_ms is None:
        return Park("the query found nothing, and no 'absence' says when that can be believed")
    settled = state.last_intent_ms + step.settle_ms
    if state.asked_ms is not None and state.asked_ms >= settled:
        return Believe(
            f"a query at {state.asked_ms} ms found nothing; it can be believed from {settled} ms on"
        )
    return Wait(settled) if clock_ms < settled else Ask()


def _query_again(step: ExecStep, state: StepState, clock_ms: int) -> Decision:
    if state.verdict is None:
        return Ask()
    if state.queries >= step.query_attempts:
        what = "is still pending" if state.verdict == "pending" else "gives no answer"
        return Park(f"its outcome is unknown: after {state.queries} queries it {what}")
    pause = state.since_ms + step.backoff.delay_ms(f"query {state.idempotency_key}", state.queries)
    return Wait(pause) if clock_ms < pause else Ask()


def _absent(step: ExecStep, state: StepState) -> Decision:
    if state.attempt < state.authorised:
        return Send(state.attempt + 1)
    if not step.retry_absent:
        return Park("it did not happen, and a person decides whether it is sent again")
    if state.attempt >= step.max_attempts:
        return Park(f"it did not happen, and its {_attempts(state.attempt)} are spent")
    return Send(state.attempt + 1)


def _attempts(number: int) -> str:
    return "1 attempt" if number == 1 else f"{number} attempts"


def _first(state: StepState) -> int:
    assert state.first_intent_ms is not None, "an uncertain step has an intent"
    return state.first_intent_ms
