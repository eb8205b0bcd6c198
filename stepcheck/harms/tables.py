"""Examples that are step tables, put through every schedule of faults on the executor that follows them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stepcheck.demo import LEDGER, Message
from stepcheck.explorer.demo import SOUND
from stepcheck.explorer.explore import ends
from stepcheck.explorer.faults import Fault
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
from stepcheck.harms.twins import Twins, compare, most
from stepcheck.page import Example

_NONE = re.compile(r"(?:, )?\('\w+', None\)|None,?")
_PART = re.compile(r"\('(\w+)', '([^']*)'\)")
_BRACKETS = str.maketrans("", "", "[]()',")


def show(
    bad: Example, good: Example | None, harm: str, told: str, faults: int
) -> tuple[Situation, str, Twins]:
    """Put both twins through what their tables lead to; also what the bad one's run is about."""
    if harm == "refused":
        loads = None if good is None else lambda _: [loaded(good)]
        twins = compare(harm, told, [loaded(bad)], loads, tolerant=False)
        return Situation.LOADED, next(iter(bad.files)), twins
    steps = declared(bad)
    steps = [one for one in steps if one.marked] or steps
    entry = "', '".join(one.step.name for one in steps)
    if bad.run == Situation.STEP or (not bad.run and (harm == "bloat" or has_bodies(bad))):
        return Situation.STEP, entry, _executed(bad, good, harm, told, faults)
    return Situation.TABLE, entry, _followed(steps, good, harm, told, faults)


def _executed(bad: Example, good: Example | None, harm: str, told: str, faults: int) -> Twins:
    made, endures = program(bad), harm == "unbounded"

    def twin(harmful: Played) -> Iterator[Played]:
        assert good is not None
        return trial(program(good, made), most(harmful), endures=endures)

    runs = trial(made, faults, endures=endures)
    return compare(harm, told, runs, twin if good else None)


def _followed(steps: Sequence[Declared], good: Example | None, harm: str, told: str, faults: int) -> Twins:
    kinds: list[tuple[Played, str]] = []
    others: list[Wrong] = []

    def runs() -> Iterator[Played]:
        for kind, played in schedules(steps, faults):
            if played.wrong:
                kinds.append((played, kind))
            yield played

    def twin(harmful: Played) -> Iterator[Played]:
        """Those of the same kind, which are looked at for what is like; all are looked at for harm."""
        assert good is not None
        names, every = {one.step.name for one in steps}, declared(good)
        found = [one for one in every if one.step.name in names] or every
        same = next(kind for played, kind in kinds if played is harmful)
        for kind, played in schedules(found, most(harmful)):
            if kind == same:
                yield played
            else:
                others.extend(played.wrong)

    twins = compare(harm, told, runs(), twin if good else None, tolerant=False)
    return replace(twins, wrong=twins.wrong or next(iter(others), None))


def schedules(steps: Sequence[Declared], faults: int) -> Iterator[tuple[str, Played]]:
    """Every schedule of at most so many faults of each step by itself, with its kind; fewer faults come first."""
    every = [scenario for one in steps for scenario in scenarios(one)]
    for number in range(faults + 1):
        for kind, scenario in every:
            for state in ends(scenario, number):
                if len(state.faults) == number:
                    yield kind, _played(scenario, state)


def _played(scenario: Scenario, state: State) -> Played:
    wrong = [one for one in judge(scenario, state) if one.harm in OF_HARM]
    struck = [beat.clock_ms for beat in state.beats if beat.way.fault is not Fault.NONE]
    return Played(
        tuple(way.fault.value for _, way in state.faults),
        tuple(sum(one.at_ms <= at for one in state.effects) for at in struck),
        tuple(_beats(scenario, state)),
        tuple(Wrong("lost" if one.harm is Harm.DANGLING else one.harm.value, one.text) for one in wrong),
        tuple((_named(one), _key(one.request.key or "")) for one in state.effects),
        tuple((row.step, SOUND[row.standing]) for row in ledger_rows(scenario, state)),
    )


def _beats(scenario: Scenario, state: State) -> Iterator[Beat]:
    before = state.beats[0].clock_ms if state.beats else 0
    for number, beat in enumerate(state.beats, start=1):
        sentence = sentence_of(scenario, beat)
        smooth = beat.way.fault is Fault.NONE
        if smooth and beat.kind == "reuse":
            told = f"The executor looks for '{beat.step}', finds it recorded as done, and does not call it"
            yield Beat(told, (Message("executor", LEDGER, f"{beat.step}: done already"),))
        elif (
            smooth and beat.kind == "comp_intent" and all(one.kind != "undo" for one in state.beats[number:])
        ):
            told = f"The executor may not make up for '{beat.step}' any more, and leaves it to a person"
            yield Beat(told, (Message("executor", LEDGER, f"{beat.step}: for a person"),))
        elif sentence:
            later = (beat.clock_ms - before) // 60_000 if beat.kind == "start" else 0
            told = f"{sentence[0].upper()}{sentence[1:]}" + (f", {later} minutes later" if later else "")
            yield Beat(told, tuple(arrows(scenario, beat)))
        before = beat.clock_ms


def _key(key: str) -> str:
    """A key that a naive executor makes, as people would write it: without what is not there."""
    return _PART.sub(lambda part: f"{part[1]}={part[2]}", _NONE.sub("", key)).translate(_BRACKETS).rstrip("/")


def _named(effect: Effect) -> str:
    for_ = about(effect.request)
    return f"'{effect.request.step}'{f' for {for_}' if for_ else ''}"
