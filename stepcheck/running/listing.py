"""A ledger's contents as text for a person and as JSON."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from stepcheck.executor.events import Event
from stepcheck.executor.ledger import Item
from stepcheck.running.contents import Counted, Waiting
from stepcheck.running.shown import waiting, waiting_lines
from stepcheck.running.words import columns, instant, one_line, short

HEAD = (
    "event",
    "task_id",
    "step_seq",
    "step_name",
    "status",
    "input_hash",
    "output_ref",
    "started_at",
    "finished_at",
    "effect_class",
    "idempotency_key",
)


def log_text(events: Sequence[Event]) -> Iterator[str]:
    """Yield one line an event: its number, then the ten fields; digests are cut short, times are UTC."""
    yield from columns([HEAD, *map(_cells, events)])


def _cells(event: Event) -> tuple[str, ...]:
    return (
        str(event.event_id),
        one_line(event.task_id),
        str(event.step_seq),
        one_line(event.step_name),
        event.status,
        short(event.input_hash),
        short(event.output_ref),
        instant(event.started_at),
        instant(event.finished_at),
        event.effect_class,
        short(event.idempotency_key),
    )


def log_json(events: Sequence[Event]) -> str:
    """All that each event holds; times are milliseconds of the ledger's clock."""
    return _json({"version": 1, "events": [_event(event) for event in events]})


def _event(event: Event) -> dict[str, Any]:
    return {
        "task_id": event.task_id,
        "step_seq": event.step_seq,
        "step_name": event.step_name,
        "status": event.status,
        "input_hash": event.input_hash,
        "output_ref": event.output_ref,
        "started_at": event.started_at,
        "finished_at": event.finished_at,
        "effect_class": event.effect_class,
        "idempotency_key": event.idempotency_key,
        "event_id": event.event_id,
        "step_path": event.step_path,
        "kind": str(event.kind),
        "attempt": event.attempt,
        "at": event.at_ms,
        "fence": event.fence,
        "input_ref": event.input_ref,
        "receipt": event.receipt,
        "output_sha256": event.output_sha256,
        "step_def_hash": event.step_def_hash,
        "body": event.said,
    }


def inbox_text(found: Sequence[Waiting], ledger: str) -> Iterator[str]:
    """Yield a paragraph for each item: an open one with what can be said of it, another with its end."""
    if not found:
        yield "nothing waits for a person"
    for number, each in enumerate(found):
        if number:
            yield ""
        if each.item.resolution is None:
            yield f"task '{one_line(each.item.task_id)}', since {instant(each.item.opened_ms)}"
            yield from waiting_lines(each.item, each.state, ledger, each.task.workflow)
        else:
            yield _resolved(each.item)


def _resolved(item: Item) -> str:
    return (
        f"item {item.item_id}, task '{one_line(item.task_id)}': {one_line(item.reason)}; "
        f"{item.resolution}, says {one_line(item.resolver or '')} at {instant(item.resolved_ms)}: "
        f"{one_line(item.evidence or '')}"
    )


def inbox_json(found: Sequence[Waiting], ledger: str) -> str:
    """Each item with its step, its resolution where it has one, and the commands where it has none."""
    return _json({"version": 1, "items": [_item(each, ledger) for each in found]})


def _item(each: Waiting, ledger: str) -> dict[str, Any]:
    item = each.item
    value = waiting(item, each.state, ledger, each.task.workflow)
    if item.resolution is not None:
        value["resolve"] = []
    return value | {
        "resolution": item.resolution,
        "resolver": item.resolver,
        "evidence": item.evidence,
        "resolved_at": item.resolved_ms,
    }


def tasks_text(found: Sequence[Counted]) -> Iterator[str]:
    """Yield one line a task."""
    rows = [("task_id", "status", "steps", "waiting", "clock", "table")]
    rows += [
        (
            one_line(each.task.task_id),
            each.task.status,
            ", ".join(f"{count} {state}" for state, count in _states(each)) or "none",
            str(each.waiting),
            instant(each.task.clock_ms),
            one_line(each.task.workflow),
        )
        for each in found
    ]
    yield from columns(rows)


def tasks_json(found: Sequence[Counted]) -> str:
    """Each task with how many of its steps are in which state."""
    value = [
        {
            "task": each.task.task_id,
            "status": each.task.status,
            "steps": dict(_states(each)),
            "waiting": each.waiting,
            "clock": each.task.clock_ms,
            "table": each.task.workflow,
            "code_version": each.task.code_version,
            "input_hash": each.task.input_hash,
            "input_ref": each.task.input_ref,
            "owner": each.task.owner,
            "lease_until": each.task.lease_until_ms,
            "fence": each.task.fence,
        }
        for each in found
    ]
    return _json({"version": 1, "tasks": value})


def _states(each: Counted) -> list[tuple[str, int]]:
    return sorted(Counter(row.state for row in each.steps).items())


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
