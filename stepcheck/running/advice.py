"""What a person can say of an inbox item, and the command that says it."""

import shlex
from collections.abc import Iterator

from stepcheck.executor.inbox import Resolution
from stepcheck.executor.states import State, StepState
from stepcheck.facts.effect import Effect
from stepcheck.running.places import DEFAULT, without_password

MEANINGS = {
    Resolution.IT_HAPPENED: "it happened",
    Resolution.IT_DID_NOT_HAPPEN: "it did not happen, and may be sent once more",
    Resolution.ABANDON: "give it up",
    Resolution.COMPENSATE: "make up for it after all",
    Resolution.NO_COMPENSATE: "leave it as it is",
}


def choices(state: StepState) -> Iterator[tuple[str, Resolution]]:
    """Yield what can be said of a step that waits for a person, each with what it means here."""
    if state.state is State.COMP_NEEDS_HUMAN:
        if state.comp_attempt == 0:
            yield MEANINGS[Resolution.COMPENSATE], Resolution.COMPENSATE
        else:
            yield "it has been made up for", Resolution.IT_HAPPENED
        yield MEANINGS[Resolution.NO_COMPENSATE], Resolution.NO_COMPENSATE
        return
    if state.attempt:
        yield MEANINGS[Resolution.IT_HAPPENED], Resolution.IT_HAPPENED
    if state.effect is Effect.READ:
        yield "read again", Resolution.IT_DID_NOT_HAPPEN
    elif state.attempt == 0:
        yield "it was not sent, and may be", Resolution.IT_DID_NOT_HAPPEN
    elif not state.acknowledged:
        yield MEANINGS[Resolution.IT_DID_NOT_HAPPEN], Resolution.IT_DID_NOT_HAPPEN
    yield MEANINGS[Resolution.ABANDON], Resolution.ABANDON


def commands(item_id: int, state: StepState, ledger: str, table: str) -> Iterator[tuple[str, str]]:
    """Yield each choice with the command that records it; NAME and TEXT are for the person to fill in."""
    for meaning, resolution in choices(state):
        words = ["stepcheck", "ledger", "resolve", str(item_id), str(resolution)]
        words += ["--by", "NAME", "--evidence", "TEXT"]
        if ledger != DEFAULT:
            words += ["--ledger", without_password(ledger)]
        if table and state.attempt and resolution is Resolution.IT_DID_NOT_HAPPEN:
            # With the table at hand the step's query is asked once more before anything is sent again.
            words += ["--table", table]
        yield meaning, shlex.join(words)
