"""What became of a step, and of a task, as whoever asked for it is told."""

from dataclasses import dataclass
from enum import StrEnum

from stepcheck.executor.states import State, StepState


class Result(StrEnum):
    """What became of a step."""

    DONE = "DONE"
    """The other side acknowledged, and the output is readable and matches its digest."""
    FAILED = "FAILED"
    """The only send was definitely refused before any effect."""
    NEEDS_HUMAN = "NEEDS_HUMAN"
    """It is in the inbox; nothing happens until a person resolves it."""
    ABANDONED = "ABANDONED"
    """A person gave it up."""
    COMPENSATED = "COMPENSATED"
    """It was done, and its compensation was acknowledged."""
    HELD = "HELD"
    """Nothing was sent or recorded: something else must be settled first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one step."""

    task_id: str
    step_path: str
    step_name: str
    state: Result
    calls_sent: int = 0
    """Intents of the step's writes so far, each for at most one send."""
    output_ref: str | None = None
    output_sha256: str | None = None
    receipt: str | None = None
    """The output itself as JSON, where it is small."""
    inbox_item: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What became of a task: the outcomes of the steps that were reached, in order."""

    task_id: str
    status: str
    steps: tuple[Outcome, ...]


_RESULTS = {
    State.DONE: Result.DONE,
    State.FAILED: Result.FAILED,
    State.NEEDS_HUMAN: Result.NEEDS_HUMAN,
    State.COMP_NEEDS_HUMAN: Result.NEEDS_HUMAN,
    State.ABANDONED: Result.ABANDONED,
    State.COMPENSATED: Result.COMPENSATED,
}


def outcome_of(state: StepState, item: int | None = None) -> Outcome:
    """Return the outcome of a settled step; of one that is not, that it is held by whoever works on it."""
    done = state.state is State.DONE
    return Outcome(
        task_id=state.task_id,
        step_path=state.step_path,
        step_name=state.step_name,
        state=_RESULTS.get(state.state, Result.HELD),
        calls_sent=state.attempt,
        output_ref=state.output_ref,
        output_sha256=state.output_sha256,
        receipt=state.receipt if done else None,
        inbox_item=item,
        reason=state.reason,
    )
