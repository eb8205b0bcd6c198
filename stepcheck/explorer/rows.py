"""What a ledger says of each step when all is quiet, in one form for the reference and the naive executor."""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from stepcheck.executor.canonical import restore
from stepcheck.executor.events import Event, Kind
from stepcheck.executor.outputs import BLOB
from stepcheck.executor.states import State as StepStateName
from stepcheck.executor.states import fold_task
from stepcheck.explorer.state import Identity

if TYPE_CHECKING:
    from stepcheck.executor.memory import Image
    from stepcheck.explorer.notes import Notes


class Standing(Enum):
    """Where a step stands."""

    PLANNED = "planned"
    OPEN = "open"
    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting for a person"
    GIVEN_UP = "given up"
    UNDO_OPEN = "compensation open"
    UNDO_WAITING = "compensation waiting for a person"
    UNDONE = "compensated"


RESTING = frozenset({Standing.DONE, Standing.FAILED, Standing.GIVEN_UP, Standing.UNDONE})
"""Settled, with nobody waiting."""

UNSETTLED = frozenset({Standing.OPEN, Standing.WAITING, Standing.UNDO_OPEN, Standing.UNDO_WAITING})


@dataclass(frozen=True, slots=True)
class Row:
    """One step as the ledger leaves it."""

    task_id: str
    step_path: str
    step: str
    identity: Identity
    standing: Standing
    writes: bool
    intents: frozenset[int]
    """Attempts that the ledger knows were about to be sent."""
    absent_upto: int = 0
    """The last attempt that was taken for absent; 0 for none."""
    waits: bool = False
    """Whether an inbox row is open for it."""
    blob: str | None = None
    undo_intents: int = 0
    acknowledged: bool = False
    """Whether the ledger says that the other side has answered."""
    payload: str = ""
    """The recorded params, as requests carry them; empty where they are not recorded."""


_STANDINGS = {
    StepStateName.PLANNED: Standing.PLANNED,
    StepStateName.IN_FLIGHT: Standing.OPEN,
    StepStateName.UNCERTAIN: Standing.OPEN,
    StepStateName.ABSENT: Standing.OPEN,
    StepStateName.ACKED: Standing.OPEN,
    StepStateName.DONE: Standing.DONE,
    StepStateName.FAILED: Standing.FAILED,
    StepStateName.NEEDS_HUMAN: Standing.WAITING,
    StepStateName.ABANDONED: Standing.GIVEN_UP,
    StepStateName.COMP_IN_FLIGHT: Standing.UNDO_OPEN,
    StepStateName.COMP_UNCERTAIN: Standing.UNDO_OPEN,
    StepStateName.COMP_NEEDS_HUMAN: Standing.UNDO_WAITING,
    StepStateName.COMPENSATED: Standing.UNDONE,
}

_ANSWERED = frozenset({Kind.ACKED, Kind.DONE, Kind.LATE_EVIDENCE})


def of_ledger(image: "Image", identity: tuple[str, ...]) -> list[Row]:
    """Return the rows of the reference executor's ledger."""
    waiting = {(item.task_id, item.step_seq) for item in image.items.values() if item.resolution is None}
    rows = []
    for task_id, events in sorted(image.events.items()):
        for seq, state in sorted(fold_task(events).items()):
            own = [event for event in events if event.step_seq == seq]
            params = restore(state.params) if state.params is not None else {}
            assert isinstance(params, dict)
            row = Row(
                task_id,
                state.step_path,
                state.step_name,
                tuple(params.get(name) for name in identity),
                _STANDINGS[state.state],
                state.effect.writes,
                frozenset(event.attempt for event in own if event.kind is Kind.CALL_INTENT),
                max((event.attempt for event in own if event.kind is Kind.ABSENT), default=0),
                (task_id, seq) in waiting,
                _blob(state.output_ref),
                sum(event.kind is Kind.COMP_INTENT for event in own),
                any(_acknowledges(event) for event in own),
                repr(sorted(params.items())),
            )
            rows.append(row)
    return rows


def of_notes(notes: "Notes") -> list[Row]:
    """Return the rows of the naive ledger: what its tasks believe."""
    rows = []
    for address, belief in sorted(notes.beliefs.items()):
        intents = frozenset(attempt for *owner, attempt in notes.intents if tuple(owner) == address)
        row = Row(
            *address,
            belief.step,
            belief.identity,
            belief.standing,
            belief.writes,
            intents,
            waits=address in notes.inbox,
            blob=belief.blob,
            undo_intents=int(address in notes.undo_intents),
            acknowledged=belief.standing in (Standing.DONE, Standing.UNDONE),
        )
        rows.append(row)
    return rows


def _blob(output_ref: str | None) -> str | None:
    return output_ref.removeprefix(BLOB) if output_ref and output_ref.startswith(BLOB) else None


def _acknowledges(event: Event) -> bool:
    return event.kind in _ANSWERED or (event.kind is Kind.QUERIED and event.said.get("verdict") == "found")
