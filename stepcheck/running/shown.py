"""How a task stands after a run, as text for a person and as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from stepcheck.executor.ledger import Item
from stepcheck.executor.states import State, StepState
from stepcheck.running.advice import commands
from stepcheck.running.places import without_password
from stepcheck.running.table_run import Standing
from stepcheck.running.words import columns, instant, one_line, short

SENTENCES = {
    "running": "not finished",
    "halted": "waits for a person",
    "done": "done",
    "failed": "failed, and nothing had to be made up for",
    "compensating": "waits for a person, who is needed to make up for what was done",
    "compensated": "failed, and what was done is made up for",
    "abandoned": "given up by a person",
}


def as_text(standing: Standing) -> Iterator[str]:
    """Yield the lines: the task, its steps, then what waits for a person and what to do about it."""
    asked = standing.asked
    how = SENTENCES.get(standing.status, standing.status)
    yield f"task '{asked.task_id}' in {without_password(asked.ledger)}: {how}"
    rows = [_row(each.state, standing) for each in standing.steps]
    rows += [("-", name, "not begun", "") for name in standing.ahead]
    yield from (f"  {line}" for line in columns(rows) if rows)
    if standing.stopped:
        yield ""
        yield f"stopped: {one_line(standing.stopped)}"
        yield "  nothing was sent: run it with the table and params it was begun with,"
        yield "  or begin a new task, with another --task"
    if standing.held is not None and not standing.items:
        yield ""
        yield f"step '{standing.held.step_name}' was not sent: {one_line(standing.held.reason)}"
        yield "  see 'stepcheck ledger inbox'; then run the same command again"
    by_seq = {each.state.step_seq: each.state for each in standing.steps}
    for item in standing.items:
        yield ""
        yield from waiting_lines(item, by_seq[item.step_seq], asked.ledger, asked.table)
    if standing.items:
        yield ""
        yield "then run the same command again"


def waiting_lines(item: Item, state: StepState, ledger: str, table: str) -> Iterator[str]:
    """Yield what waits, why, and a command for each thing a person can say of it."""
    made_up = state.state is State.COMP_NEEDS_HUMAN
    what = (
        f"the compensation of step {state.step_path} '{state.step_name}'"
        if made_up
        else (f"step {state.step_path} '{state.step_name}'")
    )
    yield f"item {item.item_id}: {what} waits for a person: {one_line(item.reason)}"
    if state.last_intent_ms is not None:
        yield f"  last sent at {instant(state.last_intent_ms)} with the key {state.idempotency_key}"
    for meaning, said in commands(item.item_id, state, ledger, table):
        yield f"  {meaning}:"
        yield f"    {said}"


def as_json(standing: Standing) -> str:
    """One object, the same for the same standing; digests in full, outputs by reference."""
    asked = standing.asked
    by_seq = {each.state.step_seq: each.state for each in standing.steps}
    value = {
        "version": 1,
        "task": asked.task_id,
        "ledger": without_password(asked.ledger),
        "status": standing.status,
        "steps": [_step(each.state, each.item) for each in standing.steps],
        "not_begun": list(standing.ahead),
        "waiting": [
            waiting(item, by_seq[item.step_seq], asked.ledger, asked.table) for item in standing.items
        ],
        "held": None
        if standing.held is None
        else {"step_name": standing.held.step_name, "reason": standing.held.reason},
        "stopped": standing.stopped or None,
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def waiting(item: Item, state: StepState, ledger: str, table: str) -> dict[str, Any]:
    """What waits for a person, as a JSON object."""
    return {
        "item": item.item_id,
        "task": item.task_id,
        "step_path": state.step_path,
        "step_name": state.step_name,
        "state": str(state.state),
        "reason": item.reason,
        "opened_at": item.opened_ms,
        "resolve": [said for _, said in commands(item.item_id, state, ledger, table)],
    }


def _row(state: StepState, standing: Standing) -> tuple[str, str, str, str]:
    held = standing.held
    what = short(state.output_ref) if state.output_ref else one_line(state.reason)
    if held is not None and held.step_path == state.step_path:
        what = one_line(held.reason)
    return state.step_path, state.step_name, str(state.state), what


def _step(state: StepState, item: int | None) -> dict[str, Any]:
    return {
        "step_seq": state.step_seq,
        "step_path": state.step_path,
        "step_name": state.step_name,
        "effect_class": str(state.effect),
        "status": str(state.state),
        "calls_sent": state.attempt,
        "output_ref": state.output_ref,
        "output_sha256": state.output_sha256,
        "idempotency_key": state.idempotency_key,
        "item": item,
        "reason": state.reason or None,
    }
