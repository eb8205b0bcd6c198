"""Examples that are step tables, put through every schedule of faults on the executor that follows them."""

from collections.abc import Iterator, Sequence

from stepcheck.explorer.demo import SOUND
from stepcheck.explorer.explore import ends
from stepcheck.explorer.matrix.cells import OF_HARM
from stepcheck.explorer.oracle import Harm, judge, ledger_rows
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.sequence import arrows
from stepcheck.explorer.state import Effect, State
from stepcheck.explorer.story import sentence_of
from stepcheck.explorer.world import about
from stepcheck.harms.declared import Declared, declared, scenarios
from stepcheck.harms.executing import trial
from stepcheck.harms.judge import Wrong
from stepcheck.harms.loaded import loaded
from stepcheck.harms.outside import Beat
from stepcheck.harms.program import has_bodies, program
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played
from stepcheck.harms.twins import Twins, compare
from stepcheck.page import Example


def show(
    bad: Example, good: Example | None, harm: str, told: str, faults: int
) -> tuple[Situation, str, Twins]:
    """Put both twins through what their tables lead to; also what the bad one's run is about."""
    if harm == "refused":
        loads = None if good is None else lambda _: [loaded(good)]
        twins = compare(harm, told, [loaded(bad)], loads, tolerant=False)
        return Situation.LOADED, next(iter(bad.files)), twins
    steps = [one for one in declared(bad) if one.marked]
    names = [one.step.name for one in steps]
    if bad.run == Situation.STEP or (not bad.run and (harm == "bloat" or has_bodies(bad))):
        return Situation.STEP, "', '".join(names), _executed(bad, good, harm, told, faults)

    def twin(most: int) -> Iterator[Played]:
        assert good is not None
        every = declared(good)
        return schedules([one for one in every if one.step.name in names] or every, most)

    twins = compare(harm, told, schedules(steps, faults), twin if good else None, tolerant=False)
    return Situation.TABLE, "', '".join(names), twins


def _executed(bad: Example, good: Example | None, harm: str, told: str, faults: int) -> Twins:
    made, endures = program(bad), harm == "unbounded"

    def twin(most: int) -> Iterator[Played]:
        assert good is not None
        return trial(program(good, made), most, endures=endures)

    runs = trial(made, faults, endures=endures)
    return compare(harm, told, runs, twin if good else None)


def schedules(steps: Sequence[Declared], faults: int) -> Iterator[Played]:
    """Every schedule of at most so many faults of each step by itself, those with fewer first."""
    every = [scenario for one in steps for scenario in scenarios(one)]
    for number in range(faults + 1):
        for scenario in every:
            for state in ends(scenario, number):
                if len(state.faults) == number:
                    yield _played(scenario, state)


def _played(scenario: Scenario, state: State) -> Played:
    wrong = [one for one in judge(scenario, state) if one.harm in OF_HARM]
    return Played(
        tuple(way.fault.value for _, way in state.faults),
        state.struck,
        tuple(_beats(scenario, state)),
        tuple(Wrong("lost" if one.harm is Harm.DANGLING else one.harm.value, one.text) for one in wrong),
        tuple((_named(one), one.request.key or "") for one in state.effects),
        tuple((row.step, SOUND[row.standing]) for row in ledger_rows(scenario, state)),
    )


def _beats(scenario: Scenario, state: State) -> Iterator[Beat]:
    for beat in state.beats:
        sentence = sentence_of(scenario, beat)
        if sentence:
            yield Beat(sentence[0].upper() + sentence[1:], tuple(arrows(scenario, beat)))


def _named(effect: Effect) -> str:
    for_ = about(effect.request)
    return f"'{effect.request.step}'{f' for {for_}' if for_ else ''}"
