"""A scenario under given faults: a schedule run again, or the faults of another scenario as far as they fit."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from stepcheck.explorer.drive import Run
from stepcheck.explorer.explore import Schedule, begin
from stepcheck.explorer.faults import Fault, Way
from stepcheck.explorer.oracle import judge
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import State

W = TypeVar("W")

OF_PROCESSES = frozenset({Fault.DIES, Fault.SWITCH})
"""Faults that come to a process whatever it is about to do."""


@dataclass(frozen=True, slots=True)
class Strike:
    """One fault and where it strikes."""

    moment: str
    """The kind of moment."""
    way: Way
    nth: int = 0
    """How many moments of the kind are before it; it waits on for the first at which it can strike."""
    operation: int | None = None
    """Exactly the operation of this number, whatever its kind."""
    progress: tuple[int, int] | None = None
    """What comes to a process strikes where the run has come as far as this, if that is told."""


@dataclass(slots=True)
class _Script:
    """The faults still to come, in their order."""

    left: list[Strike]
    made: list[Strike] = field(default_factory=list)
    """Those that have struck, told by how many moments of their kind were before."""
    _met: Counter[str] = field(default_factory=Counter)

    @property
    def settled(self) -> bool:
        return not self.left

    def pick(self, moment: str, ways: Sequence[W], snapshot: Callable[[], State]) -> W:
        before = self._met[moment]
        self._met[moment] += 1
        due = self.left[0]
        state = snapshot()
        if due.operation is not None:
            strikes = state.operations == due.operation
        elif due.progress is not None and due.way.fault in OF_PROCESSES:
            strikes = _far(state, due.progress)
        else:
            strikes = due.moment == moment and before >= due.nth
        for way in ways if strikes else ():
            if way == due.way:
                self.made.append(Strike(moment, due.way, before, progress=_progress(state)))
                del self.left[0]
                return way
        return ways[0]


def _progress(state: State) -> tuple[int, int]:
    """How many effects there are, and how often it was recorded that a step is done."""
    return len(state.effects), sum(beat.kind in ("done", "acked") for beat in state.beats)


def _far(state: State, progress: tuple[int, int]) -> bool:
    effects, done = _progress(state)
    return effects >= progress[0] and done >= progress[1]


@dataclass(frozen=True, slots=True)
class Replay:
    """How a scenario went under given faults."""

    state: State
    schedule: Schedule
    struck: tuple[Strike, ...]
    missed: tuple[Strike, ...]
    """Faults that found no moment to strike."""


def exactly(schedule: Schedule) -> tuple[Strike, ...]:
    """Return the faults of a schedule as they struck in it."""
    each = zip(schedule.faults, schedule.struck, strict=True)
    return tuple(Strike(moment, way, operation=number) for (moment, way), number in each)


def replay(scenario: Scenario, strikes: Sequence[Strike]) -> Replay:
    """Run a scenario under these faults and no others."""
    script = _Script(list(strikes))
    state = Run(scenario, begin(scenario), script, len(strikes)).go()
    schedule = Schedule(state.faults, state.beats, tuple(judge(scenario, state)), state.struck)
    return Replay(state, schedule, tuple(script.made), tuple(script.left))
