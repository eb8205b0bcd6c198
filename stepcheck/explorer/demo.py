"""A demonstration run: the shortest schedule that does the harm, and the good twin under the same faults."""

from dataclasses import replace
from typing import Any

from stepcheck.demo import Demo, Happened, Says, Side
from stepcheck.explorer.demonstrations import Demonstration
from stepcheck.explorer.faults import Fault, Way
from stepcheck.explorer.oracle import Harm, ledger_rows
from stepcheck.explorer.rows import Row, Standing
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.script import Replay, Strike, exactly, replay
from stepcheck.explorer.sequence import messages
from stepcheck.explorer.state import START_MS, Effect
from stepcheck.explorer.story import ENDS, told
from stepcheck.explorer.world import about

SOUND = {
    Standing.DONE: "recorded as done",
    Standing.FAILED: "recorded as failed",
    Standing.UNDONE: "made up for",
    Standing.WAITING: "with a person: it is in the inbox",
    Standing.UNDO_WAITING: "its compensation is with a person",
    Standing.GIVEN_UP: "given up by a person",
    Standing.PLANNED: "not begun",
    Standing.OPEN: "unknown",
    Standing.UNDO_OPEN: "its compensation is unknown",
}
"""What a row of the ledger says, for readers who do not know its states."""


FAULTS = {
    Fault.DIES: "the process dies",
    Fault.HANGS: "the other side never answers",
    Fault.REFUSED: "the other side refuses",
}
"""What goes wrong, where its name alone does not say it."""
ALIKE: dict[Fault, dict[str, Any]] = {
    Fault.HANGS: {"way": Way(Fault.REQUEST_LOST)},
    Fault.HALF: {"way": Way(Fault.REQUEST_LOST), "nth": 1},
}
"""What becomes of a fault where the call is bounded, or has one effect: no answer, and that of the second step."""


def demo(rule: str, shown: Demonstration) -> Demo:
    """Run a demonstration: the shortest schedule that does the harm, and the good twin under the same faults."""
    shortest = shown.run().shortest[shown.harm]
    bad = replay(shown.bad, exactly(shortest))
    good = _under(shown.good, bad.struck)
    return Demo(
        rule,
        shown.title,
        shown.harm.value,
        ENDS[shown.harm][0].lower() + ENDS[shown.harm][1:],
        (*_outage(shown.bad), *(FAULTS.get(way.fault, way.fault.value) for _, way in shortest.faults)),
        _side(shown.bad, bad, shown.harm),
        _side(shown.good, good, shown.harm),
    )


def _outage(scenario: Scenario) -> tuple[str, ...]:
    return ("the other side is down",) if any(one.down for one in scenario.other_sides.values()) else ()


def _under(scenario: Scenario, strikes: tuple[Strike, ...]) -> Replay:
    """The good twin under the same faults: at the same place, else at the first moment of the kind."""
    alike = tuple(replace(one, **ALIKE.get(one.way.fault, {})) for one in strikes)
    by_kind = tuple(replace(one, progress=None) for one in strikes)
    runs = [replay(scenario, one) for one in (strikes, alike, by_kind)]
    sound = [run for run in runs if not run.schedule.wrong] or runs
    return min(sound, key=lambda run: len(run.missed))


def _side(scenario: Scenario, run: Replay, harm: Harm) -> Side:
    sentences = list(told(scenario, run.schedule))
    if run.missed:
        missed = ", ".join(FAULTS.get(one.way.fault, one.way.fault.value) for one in run.missed)
        sentences.append(f"There is no moment here for what went wrong there: {missed}")
    wrong = sorted(run.schedule.wrong, key=lambda one: one.harm is not harm)
    if wrong:
        sentences.append(f"{ENDS[wrong[0].harm]}: {wrong[0].text}")
    else:
        sentences.append("All is as the ledger says, and nothing happened more often than it was wanted")
    return Side(
        tuple(sentences),
        tuple(_happened(effect) for effect in run.state.effects),
        tuple(_says(row) for row in ledger_rows(scenario, run.state)),
        messages(scenario, run.schedule),
        bool(wrong),
    )


def _happened(effect: Effect) -> Happened:
    request = effect.request
    for_ = f" for {about(request)}" if about(request) else ""
    return Happened((effect.at_ms - START_MS) / 1000, f"{request.step!r}{for_}", request.key or "")


def _says(row: Row) -> Says:
    if row.standing in (Standing.WAITING, Standing.UNDO_WAITING) and not row.waits:
        return Says(row.step, "nothing that anybody would look at")
    return Says(row.step, SOUND[row.standing])
