"""How the naive executor makes up for what was done."""

import math
from dataclasses import replace

from stepcheck.executor.answers import Answer
from stepcheck.executor.ops import Call, Elapsed, Machine
from stepcheck.explorer.notes import Note, Notes
from stepcheck.explorer.rows import Standing
from stepcheck.explorer.skeleton import Turn, context, note

TRIES = 3


def undo(turn: Turn) -> Machine[None]:
    """Make up for one step; what is on record as begun is not begun again."""
    compensation = turn.step.compensation
    if compensation is None:
        return
    how = turn.how.undo
    row, begun, waits = yield note(
        "compensating",
        lambda notes: (
            notes.rows.get(turn.key),
            turn.address in notes.undo_intents,
            turn.address in notes.inbox,
        ),
    )
    if waits or (row is not None and row.standing is Standing.UNDONE):
        return
    row = row or Note(Standing.OPEN)
    if (how.recorded and begun) or (yield from _too_late(turn, row)):
        yield note("needs_human", lambda notes: _wait(notes, turn))
        return
    if how.recorded:
        yield note("comp_intent", lambda notes: _begin(notes, turn))
    for _ in range(TRIES if how.resends else 1):
        told = replace(context(turn, row), idempotency_key=f"undo {turn.key}")
        if isinstance((yield Call(compensation, told, turn.params, compensates=True)), Answer):
            if how.recorded:
                yield note("comp_done", lambda notes: _end(notes, turn, row))
            return
    yield note("needs_human", lambda notes: _wait(notes, turn))


def _too_late(turn: Turn, row: Note) -> Machine[bool]:
    now: float = yield Elapsed()
    within = turn.step.compensate_within_ms
    start = row.first_ms if turn.how.undo.from_first_intent else turn.started_ms
    limit = math.inf if within is None or not turn.how.undo.bounded else within
    return now * 1000 - start >= limit


def _begin(notes: Notes, turn: Turn) -> None:
    notes.undo_intents |= {turn.address}
    notes.believe(turn.address, turn.belief(Standing.UNDO_OPEN))


def _end(notes: Notes, turn: Turn, row: Note) -> None:
    notes.put(turn.key, replace(row, standing=Standing.UNDONE))
    notes.believe(turn.address, turn.belief(Standing.UNDONE))


def _wait(notes: Notes, turn: Turn) -> None:
    notes.inbox |= {turn.address}
    notes.believe(turn.address, turn.belief(Standing.UNDO_WAITING))
