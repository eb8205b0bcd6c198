"""The states of a step, the arrows between them as data, and the fold that makes a state out of events."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from operator import attrgetter
from typing import Any

from stepcheck.executor.events import Event, Kind
from stepcheck.facts.effect import Effect


class State(StrEnum):
    """Where a step stands."""

    PLANNED = "PLANNED"
    IN_FLIGHT = "IN_FLIGHT"
    ACKED = "ACKED"
    UNCERTAIN = "UNCERTAIN"
    ABSENT = "ABSENT"
    DONE = "DONE"
    FAILED = "FAILED"
    NEEDS_HUMAN = "NEEDS_HUMAN"
    ABANDONED = "ABANDONED"
    COMP_IN_FLIGHT = "COMP_IN_FLIGHT"
    COMP_UNCERTAIN = "COMP_UNCERTAIN"
    COMPENSATED = "COMPENSATED"
    COMP_NEEDS_HUMAN = "COMP_NEEDS_HUMAN"


OPEN = frozenset({State.IN_FLIGHT, State.UNCERTAIN, State.ABSENT, State.ACKED})
"""Sent, or about to be, and not yet settled."""

WAITING = frozenset({State.NEEDS_HUMAN, State.COMP_NEEDS_HUMAN})
"""A person decides; automation never leaves these."""

HOLDING = OPEN | {State.NEEDS_HUMAN}
"""States in which a step keeps others of the same business identity from being sent."""

COMPENSATING = frozenset({State.COMP_IN_FLIGHT, State.COMP_UNCERTAIN})

ARROWS: frozenset[tuple[State | None, Kind, State]] = frozenset(
    {
        (None, Kind.PLANNED, State.PLANNED),
        (State.PLANNED, Kind.CALL_INTENT, State.IN_FLIGHT),
        (State.PLANNED, Kind.DONE, State.DONE),
        (State.PLANNED, Kind.NEEDS_HUMAN, State.NEEDS_HUMAN),
        (State.IN_FLIGHT, Kind.ACKED, State.ACKED),
        (State.IN_FLIGHT, Kind.FAILED, State.FAILED),
        (State.IN_FLIGHT, Kind.UNCERTAIN, State.UNCERTAIN),
        (State.ACKED, Kind.DONE, State.DONE),
        (State.ACKED, Kind.NEEDS_HUMAN, State.NEEDS_HUMAN),
        (State.UNCERTAIN, Kind.QUERIED, State.ACKED),
        (State.UNCERTAIN, Kind.QUERIED, State.UNCERTAIN),
        (State.UNCERTAIN, Kind.CALL_INTENT, State.IN_FLIGHT),
        (State.UNCERTAIN, Kind.ABSENT, State.ABSENT),
        (State.UNCERTAIN, Kind.NEEDS_HUMAN, State.NEEDS_HUMAN),
        (State.UNCERTAIN, Kind.LATE_EVIDENCE, State.ACKED),
        (State.ABSENT, Kind.CALL_INTENT, State.IN_FLIGHT),
        (State.ABSENT, Kind.NEEDS_HUMAN, State.NEEDS_HUMAN),
        (State.ABSENT, Kind.LATE_EVIDENCE, State.ACKED),
        (State.NEEDS_HUMAN, Kind.LATE_EVIDENCE, State.ACKED),
        (State.NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.ACKED),
        (State.NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.ABSENT),
        (State.NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.ABANDONED),
        (State.DONE, Kind.COMP_INTENT, State.COMP_IN_FLIGHT),
        (State.DONE, Kind.COMP_NEEDS_HUMAN, State.COMP_NEEDS_HUMAN),
        (State.COMP_IN_FLIGHT, Kind.COMP_DONE, State.COMPENSATED),
        (State.COMP_IN_FLIGHT, Kind.COMP_UNCERTAIN, State.COMP_UNCERTAIN),
        (State.COMP_IN_FLIGHT, Kind.COMP_NEEDS_HUMAN, State.COMP_NEEDS_HUMAN),
        (State.COMP_UNCERTAIN, Kind.COMP_DONE, State.COMPENSATED),
        (State.COMP_UNCERTAIN, Kind.COMP_NEEDS_HUMAN, State.COMP_NEEDS_HUMAN),
        (State.COMP_NEEDS_HUMAN, Kind.LATE_EVIDENCE, State.COMPENSATED),
        (State.COMP_NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.COMPENSATED),
        (State.COMP_NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.ABANDONED),
        (State.COMP_NEEDS_HUMAN, Kind.HUMAN_RESOLVED, State.DONE),
    }
)
"""Every step a ledger accepts, and none beside them."""


class NotDrawn(Exception):
    """An event that no arrow allows in the state of its step; the ledger refuses it, nothing changes."""


@dataclass(frozen=True, slots=True)
class StepState:
    """All that the events of one step say together. Times are milliseconds of the ledger's clock."""

    task_id: str
    step_seq: int
    step_path: str
    step_name: str
    effect: Effect
    state: State
    attempt: int
    """Of the last intent; 0 before any."""
    fence: int
    """Of the owner who planned it or wrote its last intent."""
    idempotency_key: str
    input_hash: str
    input_ref: str | None
    params: str | None
    """The recorded params in canonical form; None where `input_ref` says where they are."""
    step_def_hash: str
    business_key: str | None
    last_event_id: int
    since_ms: int
    """When the last event was written."""
    first_intent_ms: int | None = None
    last_intent_ms: int | None = None
    acknowledged: bool = False
    """Whether an answer or a query has said that the write happened; no person's word can take that back."""
    answered: bool = False
    """Whether `receipt` is the whole output."""
    receipt: str | None = None
    output_ref: str | None = None
    output_sha256: str | None = None
    queries: int = 0
    """Queries since the last intent that gave no verdict: still pending, or no answer."""
    verdict: str | None = None
    """What the last query since the last intent said: 'absent', 'pending' or 'no answer'."""
    asked_ms: int | None = None
    """When that query was sent."""
    server_error: bool = False
    """Whether the last attempt ended in an answer of 500 or above."""
    refused_late: bool = False
    """Whether an attempt after the first was refused, which says nothing of the attempts before it."""
    authorised: int = 0
    """The attempt a named person has allowed beyond what the table allows."""
    comp_attempt: int = 0
    comp_fence: int = 0
    comp_key: str | None = None
    comp_authorised: bool = False
    """Whether a named person has allowed the compensation after its deadline."""
    reason: str = ""
    """Why it waits for a person, was refused, or has an answer that cannot be stored."""


def fold(events: Iterable[Event]) -> StepState | None:
    """Return the state that the events of one step lead to, None for none. Raises NotDrawn."""
    state: StepState | None = None
    for event in events:
        state = apply(state, event)
    return state


def fold_task(events: Iterable[Event], start: dict[int, StepState] | None = None) -> dict[int, StepState]:
    """Return the state of every step of a task by `step_seq`; `start` is what earlier events led to."""
    states = dict(start or {})
    for event in events:
        states[event.step_seq] = apply(states.get(event.step_seq), event)
    return states


def apply(state: StepState | None, event: Event) -> StepState:
    """Return the state after one more event. Raises NotDrawn where no arrow leads there."""
    before = None if state is None else state.state
    try:
        target = State(event.status)
    except ValueError:
        raise NotDrawn(f"'{event.status}' is no state of a step") from None
    if (before, event.kind, target) not in ARROWS:
        raise NotDrawn(f"no arrow leads from {before or 'nothing'} to {target} by '{event.kind}'")
    if state is None:
        return _planned(event)
    _guard(state, event)
    changes: dict[str, Any] = {
        "state": target,
        "last_event_id": event.event_id,
        "since_ms": event.at_ms,
        "reason": "",
    }
    return StepState(**to_json(state) | changes | _changes(state, event, target))


def _changes(state: StepState, event: Event, target: State) -> dict[str, Any]:
    """Return what an event says beside the state it leads to."""
    match event.kind:
        case Kind.CALL_INTENT:
            return _intended(state, event)
        case Kind.DONE:
            return {
                "receipt": state.receipt if event.receipt is None else event.receipt,
                "output_ref": event.output_ref,
                "output_sha256": event.output_sha256,
                "answered": True,
            }
        case Kind.QUERIED if target is State.UNCERTAIN:
            return _asked(state, event)
        case Kind.HUMAN_RESOLVED if target is State.ABSENT:
            return {"authorised": event.attempt + 1}
        case Kind.HUMAN_RESOLVED if target is State.DONE:
            return {"comp_authorised": True}
        case _ if target is State.ACKED:
            return {
                "receipt": event.receipt,
                "answered": event.receipt is not None,
                "acknowledged": state.effect.writes,
                "reason": event.said.get("error", ""),
            }
        case Kind.UNCERTAIN:
            refused = bool(event.said.get("refused")) and event.attempt > 1
            return {
                "server_error": (event.said.get("status") or 0) >= 500,
                "refused_late": state.refused_late or refused,
            }
        case Kind.COMP_INTENT:
            return {
                "comp_attempt": event.attempt,
                "comp_fence": event.fence,
                "comp_key": event.idempotency_key,
            }
        case Kind.NEEDS_HUMAN | Kind.COMP_NEEDS_HUMAN | Kind.FAILED:
            return {"reason": event.said.get("reason", "")}
        case _:
            return {}


def _guard(state: StepState, event: Event) -> None:
    """Refuse what the arrow alone does not; these guards need no declaration, so the log itself has them."""
    forward = not event.kind.startswith("comp_") and state.state not in COMPENSATING
    wrong: str | None = None
    match event.kind:
        case Kind.CALL_INTENT if event.attempt != state.attempt + 1:
            wrong = f"attempt {event.attempt} cannot follow attempt {state.attempt}"
        case Kind.CALL_INTENT if state.state is State.UNCERTAIN and state.effect is not Effect.IDEM_WRITE:
            wrong = f"an uncertain {state.effect} step is never sent again"
        case Kind.DONE if state.state is State.PLANNED and state.effect is not Effect.READ:
            wrong = "only a read is done without an intent"
        case Kind.FAILED if event.attempt != 1:
            wrong = "a refusal is definite on the first attempt only"
        case Kind.ABSENT if state.effect is Effect.IDEM_WRITE:
            wrong = "absence is proven for non_idem_write steps only"
        case Kind.HUMAN_RESOLVED if event.status == State.ACKED and state.attempt == 0:
            wrong = "what was never sent cannot have happened"
        case Kind.HUMAN_RESOLVED if event.status == State.ABSENT and state.acknowledged:
            wrong = "what was acknowledged did happen"
        case _ if forward and event.kind is not Kind.CALL_INTENT and event.attempt != _attempt(state):
            wrong = f"'{event.kind}' speaks of attempt {event.attempt}, and the step is at {_attempt(state)}"
    if wrong:
        raise NotDrawn(wrong)


def _attempt(state: StepState) -> int:
    return state.comp_attempt if state.state is State.COMP_NEEDS_HUMAN else state.attempt


def _planned(event: Event) -> StepState:
    return StepState(
        task_id=event.task_id,
        step_seq=event.step_seq,
        step_path=event.step_path,
        step_name=event.step_name,
        effect=Effect(event.effect_class),
        state=State.PLANNED,
        attempt=0,
        fence=event.fence,
        idempotency_key=event.idempotency_key,
        input_hash=event.input_hash,
        input_ref=event.input_ref,
        params=event.said.get("params"),
        step_def_hash=event.step_def_hash,
        business_key=event.said.get("business_key"),
        last_event_id=event.event_id,
        since_ms=event.at_ms,
    )


def _intended(state: StepState, event: Event) -> dict[str, Any]:
    return {
        "attempt": event.attempt,
        "fence": event.fence,
        "first_intent_ms": event.at_ms if state.first_intent_ms is None else state.first_intent_ms,
        "last_intent_ms": event.at_ms,
        "queries": 0,
        "verdict": None,
        "asked_ms": None,
        "server_error": False,
    }


def _asked(state: StepState, event: Event) -> dict[str, Any]:
    verdict = event.said.get("verdict")
    silent = verdict != "absent"
    return {"verdict": verdict, "asked_ms": event.started_at, "queries": state.queries + silent}


_NAMES = tuple(field.name for field in fields(StepState))
_values = attrgetter(*_NAMES)


def to_json(state: StepState) -> dict[str, Any]:
    """Return the state as a JSON object, for snapshots."""
    return dict(zip(_NAMES, _values(state), strict=True))


def from_json(data: dict[str, Any]) -> StepState:
    """Read back what `to_json` wrote."""
    return StepState(**{**data, "effect": Effect(data["effect"]), "state": State(data["state"])})
