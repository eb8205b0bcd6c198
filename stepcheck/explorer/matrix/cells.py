"""From schedules to verdicts: what each event leads to, and the shortest schedule of each bad verdict."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from stepcheck.explorer.explore import Schedule, ends
from stepcheck.explorer.matrix.alike import named, nameless
from stepcheck.explorer.matrix.events import Event, event_of
from stepcheck.explorer.matrix.modelled import Doubts, Model, Part, model
from stepcheck.explorer.matrix.paths import Path, paths
from stepcheck.explorer.oracle import Harm, judge, ledger_rows
from stepcheck.explorer.rows import Row, Standing
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import State
from stepcheck.explorer.story import sentences
from stepcheck.facts import Effect, Span, Step, StepTable


class Verdict(StrEnum):
    """What an event leads to; worse ones later."""

    NONE = "-"
    """It cannot happen to this step."""
    ONCE = "once"
    REFUSED = "refused"
    UNDONE = "undone"
    PERSON = "waits for a person"
    STUCK = "stuck"
    UNBOUNDED = "for ever"
    FALSE_FAILURE = "false failure"
    LOST = "lost"
    GHOST = "ghost"
    WRONG_UNDO = "wrongly undone"
    TWICE = "twice"


OF_HARM = {
    Harm.DUPLICATE: Verdict.TWICE,
    Harm.GHOST: Verdict.GHOST,
    Harm.LOST: Verdict.LOST,
    Harm.DANGLING: Verdict.LOST,
    Harm.FALSE_FAILURE: Verdict.FALSE_FAILURE,
    Harm.STUCK: Verdict.STUCK,
    Harm.UNBOUNDED: Verdict.UNBOUNDED,
    Harm.WRONG_COMPENSATION: Verdict.WRONG_UNDO,
}
ORDER = list(Verdict)
BAD = frozenset(OF_HARM.values())


@dataclass(frozen=True, slots=True)
class Cell:
    """What one event leads to at one step."""

    verdict: Verdict
    story: int | None = None
    """The number of the shortest schedule that shows it, where it is bad."""

    @property
    def bad(self) -> bool:
        """Whether it duplicates, loses or forgets."""
        return self.verdict in BAD


@dataclass(frozen=True, slots=True)
class Told:
    """One bad schedule, told."""

    number: int
    step: str
    verdict: Verdict
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepMatrix:
    """One row of the matrix."""

    name: str
    span: Span
    effect: Effect | None
    follows: str
    schedules: int
    paths: tuple[Path, ...]
    """The ways it can go, for its diagram."""
    cells: Mapping[Event, Cell]
    """Empty for a step that cannot be simulated, because its effect class is not known."""

    @property
    def bad(self) -> bool:
        """Whether any cell is."""
        return any(cell.bad for cell in self.cells.values())


@dataclass(frozen=True, slots=True)
class TableMatrix:
    """The matrix of one table."""

    name: str
    span: Span
    faults: int
    steps: tuple[StepMatrix, ...]
    stories: tuple[Told, ...]

    @property
    def bad(self) -> bool:
        """Whether any schedule duplicates, loses or forgets."""
        return any(step.bad for step in self.steps)

    @property
    def schedules(self) -> int:
        """How many were run."""
        return sum(step.schedules for step in self.steps)


Begin = Callable[[int, int, str], object]
"""Told before a step is simulated which simulation it is, of how many, and the step's name."""


def matrix(
    table: StepTable,
    faults: int,
    doubts: Mapping[str, Doubts],
    begin: Begin = lambda _number, _of, _name: None,
) -> TableMatrix:
    """Simulate every step of a table through every schedule of at most `faults` faults.

    Steps that are declared alike but for their names are simulated once.
    """
    made = [model(nameless(step), table, doubts.get(step.name, Doubts())) for step in table.steps]
    different: list[Model] = []
    for one in made:
        if one is not None and one not in different:
            different.append(one)
    found: list[_Found] = []
    stories: list[Told] = []
    rows = []
    for step, one in zip(table.steps, made, strict=True):
        if one is None:
            rows.append(StepMatrix(step.name, step.span, None, "", 0, (), {}))
            continue
        at = different.index(one)
        if at == len(found):
            begin(at + 1, len(different), step.name)
            found.append(_found(one, faults))
        rows.append(_row(step, found[at], stories))
    return TableMatrix(table.name, table.span, faults, tuple(rows), tuple(stories))


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of a model, its stories numbered from 1."""

    made: Model
    schedules: int
    cells: Mapping[Event, Cell]
    stories: tuple[Told, ...]


@dataclass(slots=True)
class _Seen:
    """What the schedules of one step have shown."""

    schedules: int = 0
    good: dict[Event, dict[int, set[Verdict]]] = field(default_factory=dict)
    """How runs with an event ended well, by the number of their faults."""
    bad: dict[tuple[Verdict, frozenset[Event]], tuple[Scenario, Schedule, Harm]] = field(default_factory=dict)


def _found(made: Model, faults: int) -> _Found:
    seen = _Seen()
    for part in made.parts:
        _explore(part, faults, seen)
    minimal = _minimal(seen)
    stories: list[Told] = []
    cells = {event: _cell(event, seen, minimal, made, stories) for event in Event}
    return _Found(made, seen.schedules, cells, tuple(stories))


def _row(step: Step, found: _Found, stories: list[Told]) -> StepMatrix:
    before, made = len(stories), found.made
    stories += (
        Told(before + told.number, step.name, told.verdict, named(told.sentences, step.name))
        for told in found.stories
    )
    cells = {
        event: cell if cell.story is None else Cell(cell.verdict, before + cell.story)
        for event, cell in found.cells.items()
    }
    effect, ways = step.effect.value, paths(made)
    return StepMatrix(step.name, step.span, effect, made.follows, found.schedules, ways, cells)


def _explore(part: Part, faults: int, seen: _Seen) -> None:
    always = frozenset({Event.DOWN}) & part.events
    for state in ends(part.scenario, faults):
        seen.schedules += 1
        events = always | {event_of(moment, way) for moment, way in state.faults}
        wrong = tuple(judge(part.scenario, state))
        if not part.events & (events or {Event.NOTHING}):
            continue
        schedule = Schedule(state.faults, state.beats, wrong)
        for harm in {one.harm: None for one in wrong if one.harm in OF_HARM}:
            key = (OF_HARM[harm], events)
            best = seen.bad.get(key)
            if best is None or len(best[1].beats) > len(schedule.beats):
                seen.bad[key] = (part.scenario, schedule, harm)
        for event in (events or {Event.NOTHING}) & part.events if not wrong else ():
            by_faults = seen.good.setdefault(event, {})
            by_faults.setdefault(len(state.faults), set()).add(_ending(part.scenario, state))


def _minimal(seen: _Seen) -> dict[tuple[Verdict, frozenset[Event]], tuple[Scenario, Schedule, Harm]]:
    """Leave out what a part of the same events leads to all by itself."""
    return {
        (verdict, events): found
        for (verdict, events), found in seen.bad.items()
        if not any(other is verdict and fewer < events for other, fewer in seen.bad)
    }


def _cell(
    event: Event,
    seen: _Seen,
    minimal: Mapping[tuple[Verdict, frozenset[Event]], tuple[Scenario, Schedule, Harm]],
    made: Model,
    stories: list[Told],
) -> Cell:
    worst: Verdict | None = None
    shown: tuple[Scenario, Schedule, Harm] | None = None
    for (verdict, events), found in minimal.items():
        if event not in (events or {Event.NOTHING}):
            continue
        if worst is None or _worse(verdict, found, worst, shown):
            worst, shown = verdict, found
    if worst is None or shown is None:
        by_faults = seen.good.get(event, {})
        endings = by_faults[min(by_faults)] if by_faults else {Verdict.NONE}
        return Cell(max(endings, key=ORDER.index))
    return Cell(worst, _tell(made.step.name, worst, shown, stories))


def _worse(
    verdict: Verdict,
    found: tuple[Scenario, Schedule, Harm],
    worst: Verdict,
    shown: tuple[Scenario, Schedule, Harm] | None,
) -> bool:
    if verdict is not worst or shown is None:
        return ORDER.index(verdict) > ORDER.index(worst)
    return _length(found[1]) < _length(shown[1])


def _length(schedule: Schedule) -> tuple[int, int]:
    return len(schedule.faults), len(schedule.beats)


def _tell(step: str, verdict: Verdict, shown: tuple[Scenario, Schedule, Harm], stories: list[Told]) -> int:
    scenario, schedule, harm = shown
    told = tuple(sentences(scenario, schedule, harm))
    for one in stories:
        if (one.step, one.sentences) == (step, told):
            return one.number
    stories.append(Told(len(stories) + 1, step, verdict, told))
    return len(stories)


def _ending(scenario: Scenario, state: State) -> Verdict:
    rows = ledger_rows(scenario, state)
    return max((_of_row(row) for row in rows), key=ORDER.index, default=Verdict.REFUSED)


def _of_row(row: Row) -> Verdict:
    if row.waits:
        return Verdict.PERSON
    if row.standing is Standing.UNDONE:
        return Verdict.UNDONE
    return Verdict.ONCE if row.standing is Standing.DONE else Verdict.REFUSED


def clean(tables: Iterable[TableMatrix]) -> bool:
    """Whether no schedule of any table duplicates, loses or forgets."""
    return not any(table.bad for table in tables)
