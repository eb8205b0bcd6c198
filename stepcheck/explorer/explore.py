"""Explores a scenario: every schedule of at most so many faults, and what was wrong at the end of each."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stepcheck.executor.memory import Image
from stepcheck.explorer.choices import Choices, every_run
from stepcheck.explorer.drive import Run
from stepcheck.explorer.faults import Way
from stepcheck.explorer.notes import Notes
from stepcheck.explorer.oracle import Harm, Wrong, judge
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import Beat, State, Worker


@dataclass(frozen=True, slots=True)
class Schedule:
    """One run: its faults, what happened, and what was wrong at its end."""

    faults: tuple[tuple[str, Way], ...]
    beats: tuple[Beat, ...]
    wrong: tuple[Wrong, ...]
    struck: tuple[int, ...] = ()
    """For each fault the number of the operation that it struck."""


@dataclass(frozen=True, slots=True)
class Result:
    """What exploring a scenario has shown."""

    schedules: int
    by_faults: tuple[int, ...]
    """How many schedules had no fault, one fault, and so on."""
    harms: Mapping[Harm, int]
    """In how many schedules each harm was seen."""
    shortest: Mapping[Harm, Schedule]
    """For each harm the first schedule of those with the fewest faults, and then the fewest moments."""

    @property
    def clean(self) -> bool:
        """Whether nothing was wrong in any schedule."""
        return not self.harms


@dataclass(slots=True)
class _Found:
    schedules: int = 0
    by_faults: Counter[int] = field(default_factory=Counter)
    harms: Counter[Harm] = field(default_factory=Counter)
    shortest: dict[Harm, Schedule] = field(default_factory=dict)

    def add(self, schedule: Schedule) -> None:
        self.schedules += 1
        self.by_faults[len(schedule.faults)] += 1
        for harm in {wrong.harm: None for wrong in schedule.wrong}:
            self.harms[harm] += 1
            best = self.shortest.get(harm)
            if best is None or _length(schedule) < _length(best):
                self.shortest[harm] = schedule


def explore(scenario: Scenario, faults: int = 2) -> Result:
    """Run every schedule of at most `faults` faults. The same scenario gives the same result, always."""
    found = _Found()
    for state in ends(scenario, faults):
        found.add(Schedule(state.faults, state.beats, tuple(judge(scenario, state)), state.struck))
    counts = tuple(found.by_faults[number] for number in range(faults + 1))
    order = {harm: found.harms[harm] for harm in Harm if harm in found.harms}
    return Result(found.schedules, counts, order, {harm: found.shortest[harm] for harm in order})


def ends(scenario: Scenario, faults: int) -> Iterator[State]:
    """Return how each schedule of at most `faults` faults leaves the world and the ledger."""

    def go(state: State, choices: Choices[State]) -> State:
        return Run(scenario, state, choices, faults).go()

    return every_run(begin(scenario), go, faults, State.snapshot)


def begin(scenario: Scenario) -> State:
    """Return the state in which every run of a scenario begins."""
    image = Image() if scenario.skeleton is None else Notes()
    return State(image, tuple(Worker() for _ in range(scenario.workers)), offered=((),) * scenario.workers)


def _length(schedule: Schedule) -> tuple[int, int]:
    return len(schedule.faults), len(schedule.beats)
