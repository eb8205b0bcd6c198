"""The arrows between states: all that are drawn are taken, and no other."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from stepcheck.executor.events import Event, Kind
from stepcheck.executor.states import ARROWS, NotDrawn, State, StepState, apply, fold, from_json, to_json
from stepcheck.facts.effect import Effect
from tests.executor.test_ledgers import event

DRAWN = {
    "nothing": {"planned": ["PLANNED"]},
    "PLANNED": {"call_intent": ["IN_FLIGHT"], "done": ["DONE"], "needs_human": ["NEEDS_HUMAN"]},
    "IN_FLIGHT": {"acked": ["ACKED"], "failed": ["FAILED"], "uncertain": ["UNCERTAIN"]},
    "ACKED": {"done": ["DONE"], "needs_human": ["NEEDS_HUMAN"]},
    "UNCERTAIN": {
        "queried": ["ACKED", "UNCERTAIN"],
        "call_intent": ["IN_FLIGHT"],
        "absent": ["ABSENT"],
        "needs_human": ["NEEDS_HUMAN"],
        "late_evidence": ["ACKED"],
    },
    "ABSENT": {"call_intent": ["IN_FLIGHT"], "needs_human": ["NEEDS_HUMAN"], "late_evidence": ["ACKED"]},
    "NEEDS_HUMAN": {"late_evidence": ["ACKED"], "human_resolved": ["ABANDONED", "ABSENT", "ACKED"]},
    "DONE": {"comp_intent": ["COMP_IN_FLIGHT"], "comp_needs_human": ["COMP_NEEDS_HUMAN"]},
    "COMP_IN_FLIGHT": {
        "comp_done": ["COMPENSATED"],
        "comp_uncertain": ["COMP_UNCERTAIN"],
        "comp_needs_human": ["COMP_NEEDS_HUMAN"],
    },
    "COMP_UNCERTAIN": {"comp_done": ["COMPENSATED"], "comp_needs_human": ["COMP_NEEDS_HUMAN"]},
    "COMP_NEEDS_HUMAN": {
        "late_evidence": ["COMPENSATED"],
        "human_resolved": ["ABANDONED", "COMPENSATED", "DONE"],
    },
}
"""Written a second time, by hand, so that a slip in the table shows."""

INTENT = {"kind": Kind.CALL_INTENT, "status": "IN_FLIGHT"}

STATES: list[State | None] = [None, *State]


def standing(state: State, effect: Effect) -> StepState:
    """A step that stands in a state, at the attempts that every arrow out of it can follow."""
    planned = apply(None, event(effect_class=effect))
    compensating = state.startswith("COMP")
    return replace(
        planned,
        state=state,
        attempt=0 if state is State.PLANNED else 1,
        first_intent_ms=5,
        last_intent_ms=5,
        comp_attempt=1 if compensating else 0,
    )


def fitting(kind: Kind, target: State, state: StepState | None) -> Event:
    attempt = 0 if state is None else state.attempt
    if kind in (Kind.CALL_INTENT, Kind.COMP_INTENT):
        attempt += 1
    return event(kind, status=target.value, attempt=attempt, finished_at=9)


def takes(source: State | None, kind: Kind, target: State) -> bool:
    """Whether the arrow is taken by a step of some effect class."""
    for effect in Effect:
        state = None if source is None else standing(source, effect)
        try:
            after = apply(state, fitting(kind, target, state))
        except NotDrawn:
            continue
        assert after.state is target
        return True
    return False


def test_every_arrow_drawn_is_taken_and_every_other_refused() -> None:
    taken: dict[str, dict[str, list[str]]] = {}
    for source, kind, target in itertools.product(STATES, Kind, State):
        if takes(source, kind, target):
            name = source.value if source else "nothing"
            taken.setdefault(name, {}).setdefault(kind.value, []).append(target.value)
    assert {name: {kind: sorted(to) for kind, to in kinds.items()} for name, kinds in taken.items()} == DRAWN
    assert len(ARROWS) == sum(len(to) for kinds in DRAWN.values() for to in kinds.values())


def test_automation_never_leaves_a_state_that_is_terminal_for_it() -> None:
    by_people = {Kind.HUMAN_RESOLVED, Kind.LATE_EVIDENCE}
    for terminal in ("FAILED", "ABANDONED", "COMPENSATED", "NEEDS_HUMAN", "COMP_NEEDS_HUMAN"):
        assert {kind for source, kind, _ in ARROWS if source == terminal} <= by_people


@pytest.mark.parametrize(
    ("source", "effect", "next_event", "why"),
    [
        ("PLANNED", "read", {**INTENT, "attempt": 2}, "cannot follow"),
        ("UNCERTAIN", "non_idem_write", {**INTENT, "attempt": 2}, "never sent again"),
        ("ABSENT", "read", {**INTENT, "attempt": 3}, "cannot follow"),
        ("PLANNED", "idem_write", {"kind": Kind.DONE, "status": "DONE", "attempt": 0}, "only a read"),
        ("IN_FLIGHT", "idem_write", {"kind": Kind.FAILED, "status": "FAILED", "attempt": 2}, "first attempt"),
        ("UNCERTAIN", "idem_write", {"kind": Kind.ABSENT, "status": "ABSENT", "attempt": 1}, "proven for"),
        ("IN_FLIGHT", "non_idem_write", {"kind": Kind.ACKED, "status": "ACKED", "attempt": 2}, "attempt 2"),
        ("NEEDS_HUMAN", "read", {"kind": Kind.LATE_EVIDENCE, "status": "ACKED", "attempt": 9}, "attempt 9"),
    ],
)  # fmt: skip
def test_a_drawn_arrow_is_refused_when_its_guard_does_not_hold(
    source: str, effect: str, next_event: dict[str, Any], why: str
) -> None:
    state = standing(State(source), Effect(effect))
    with pytest.raises(NotDrawn, match=why):
        apply(state, event(**next_event, finished_at=9))


def test_what_was_never_sent_cannot_be_resolved_as_happened() -> None:
    state = replace(standing(State.NEEDS_HUMAN, Effect.NON_IDEM_WRITE), attempt=0)
    with pytest.raises(NotDrawn, match="what was never sent cannot have happened"):
        apply(state, event(Kind.HUMAN_RESOLVED, status="ACKED", attempt=0, finished_at=9))


def test_the_first_intent_is_kept_over_later_ones() -> None:
    state = fold(
        [
            event(effect_class="idem_write"),
            event(Kind.CALL_INTENT, status="IN_FLIGHT", attempt=1, at_ms=10, effect_class="idem_write"),
            event(Kind.UNCERTAIN, status="UNCERTAIN", attempt=1, at_ms=20),
            event(Kind.CALL_INTENT, status="IN_FLIGHT", attempt=2, at_ms=30),
        ]
    )
    assert state is not None
    assert (state.first_intent_ms, state.last_intent_ms, state.attempt) == (10, 30, 2)


def test_a_state_is_read_back_from_json() -> None:
    state = standing(State.UNCERTAIN, Effect.IDEM_WRITE)
    assert from_json(to_json(state)) == state


def test_an_unknown_state_is_refused() -> None:
    with pytest.raises(NotDrawn, match="'MAYBE' is no state of a step"):
        apply(None, event(status="MAYBE"))
