"""The ways that a modelled step can go between its states, for its diagram."""

from dataclasses import dataclass

from stepcheck.executor.states import State
from stepcheck.explorer.matrix.modelled import Model
from stepcheck.explorer.skeleton_options import Then
from stepcheck.facts import Effect


@dataclass(frozen=True, slots=True)
class Path:
    """One arrow: from where, to where, on what; whether it is one that no executor should go."""

    source: State
    target: State
    label: str
    bad: bool = False


def paths(model: Model) -> tuple[Path, ...]:
    """Return the arrows of a step, in the order in which they are drawn."""
    if model.step.effect is Effect.READ:
        again = (Path(State.PLANNED, State.PLANNED, "tried for ever", bad=True),) if model.follows else ()
        give_up = Path(State.PLANNED, State.NEEDS_HUMAN, "attempts spent")
        return (Path(State.PLANNED, State.DONE, "answer"), *(again or (give_up,)))
    forward = (
        Path(State.PLANNED, State.IN_FLIGHT, "intent"),
        Path(State.IN_FLIGHT, State.ACKED, "answer"),
        Path(State.ACKED, State.DONE, "stored"),
        Path(State.IN_FLIGHT, State.FAILED, "refused"),
        Path(State.IN_FLIGHT, State.UNCERTAIN, "no answer"),
    )
    return (*forward, *_uncertain(model), *_undoing(model))


def _uncertain(model: Model) -> tuple[Path, ...]:
    step, skeleton = model.step, model.skeleton
    found = Path(State.UNCERTAIN, State.ACKED, "found")
    person = Path(State.UNCERTAIN, State.NEEDS_HUMAN, "unknown")
    if skeleton is not None:
        asked = skeleton.absent is Then.CALL
        label = "nothing found" if asked else "sent again"
        bad = Path(State.UNCERTAIN, State.IN_FLIGHT, label, bad=True)
        return (found, bad, person) if asked else (bad, person)
    if step.ask_person:
        return (Path(State.UNCERTAIN, State.NEEDS_HUMAN, "a person decides"),)
    ways = [found] if step.query is not None else []
    if step.effect is Effect.IDEM_WRITE:
        ways.append(Path(State.UNCERTAIN, State.IN_FLIGHT, "same key"))
    if step.retry_absent:
        ways += [
            Path(State.UNCERTAIN, State.ABSENT, "absence proven"),
            Path(State.ABSENT, State.IN_FLIGHT, "sent again"),
        ]
    return (*ways, person)


def _undoing(model: Model) -> tuple[Path, ...]:
    if model.undo is None:
        return ()
    endless = model.endless
    ways = [
        Path(State.DONE, State.COMP_IN_FLIGHT, "at any time" if endless else "in time", bad=endless),
        Path(State.COMP_IN_FLIGHT, State.COMPENSATED, "answer"),
        Path(State.COMP_IN_FLIGHT, State.COMP_UNCERTAIN, "no answer"),
        Path(State.COMP_UNCERTAIN, State.COMP_NEEDS_HUMAN, "unknown"),
    ]
    if model.undo.query is not None:
        ways.append(Path(State.COMP_UNCERTAIN, State.COMPENSATED, "found"))
    if not endless:
        ways.append(Path(State.DONE, State.COMP_NEEDS_HUMAN, "too late"))
    return tuple(ways)
