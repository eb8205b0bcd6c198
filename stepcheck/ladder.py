"""How far each step has climbed the adoption ladder, and the next thing to do.

A step has reached a stage when no rule of that stage or of one below finds anything about it: the verdict is that
of `stepcheck check --stage N`. Only a step whose effect class nobody can read stands at no stage, although no rule
can say anything about it. What would be better still is a hint, and holds no step back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stepcheck.catalogue.names import states_outcome
from stepcheck.facts import Effect, Span, Step, StepTable
from stepcheck.report import Finding

TOP = 5
TITLES = (
    "not on the ladder yet",
    "every step with its effect class",
    "the event log, as far as a table shows it: outputs by reference",
    "keys, writes first",
    "a query for each write, or a person",
    "compensation with a deadline",
)
"""What a step has that stands at each stage, from 0 to the top."""


@dataclass(frozen=True, slots=True)
class Next:
    """The next thing to do for a step."""

    stage: int
    """The stage that it is needed for."""
    what: str
    rule: str = ""
    """The rule that asks for it, where one does."""


@dataclass(frozen=True, slots=True)
class StepRung:
    """How far one step has come."""

    name: str
    span: Span
    effect: Effect | None
    stage: int
    """The highest stage reached; 0 for none."""
    next: Next | None
    """Nothing where the step has reached the top."""
    hints: tuple[Next, ...] = ()
    """What no rule asks for, and would make the step safer or plainer."""


@dataclass(frozen=True, slots=True)
class TableRung:
    """How far the steps of one table have come."""

    name: str
    span: Span
    steps: tuple[StepRung, ...]

    @property
    def stage(self) -> int:
        """The stage that every step of the table has reached."""
        return min((step.stage for step in self.steps), default=0)


def climb(tables: Iterable[StepTable], findings: Sequence[Finding]) -> tuple[TableRung, ...]:
    """Each table with its steps, in the order of their places."""
    ordered = sorted(tables, key=lambda table: (table.span, table.name))
    return tuple(
        TableRung(table.name, table.span, tuple(_rung(step, about(step, findings)) for step in table.steps))
        for table in ordered
    )


def reached(rungs: Iterable[TableRung]) -> dict[int, int]:
    """How many steps stand at each stage, from 0 to the top."""
    stages = [step.stage for rung in rungs for step in rung.steps]
    return {stage: stages.count(stage) for stage in range(TOP + 1)}


def about(step: Step, findings: Iterable[Finding]) -> list[Finding]:
    """The findings about a step, the lowest stage first. What a field's own file says is found there."""
    places = {setting.span for setting in step.settings().values()} | {step.span, step.retry.span}
    return sorted(
        (
            finding
            for finding in findings
            if finding.step == step.name
            and (
                finding.home == step.span
                if finding.home
                else finding.span in places or finding.span.within(step.body)
            )
        ),
        key=lambda finding: (finding.stage, finding.span, finding.rule),
    )


def _rung(step: Step, findings: Sequence[Finding]) -> StepRung:
    first = findings[0] if findings else None
    todo = Next(first.stage, first.message, first.rule) if first else None
    if step.effect.value is None and (todo is None or todo.stage > 1):
        todo = Next(1, "declare its effect class where it can be read: read, idem_write or non_idem_write")
    stage = todo.stage - 1 if todo else TOP
    told = {finding.stage for finding in findings}
    hints = tuple(hint for hint in _hints(step) if hint.stage not in told)
    return StepRung(step.name, step.span, step.effect.value, stage, todo, hints)


def _hints(step: Step) -> Iterable[Next]:
    """What the stages are about and a step does not show, lowest stage first."""
    effect = step.effect.value
    if effect is None or not effect.writes:
        return
    called = step.call.value.name if step.call.value else ""
    named = states_outcome(step.name) or states_outcome(called)
    keyed = step.keyed or step.identity.present
    if not keyed and not (effect is Effect.IDEM_WRITE and named):
        yield Next(
            3,
            "name in identity the params that say what it is about (without it, all of them make the key), "
            "or in dedupe who honours its key",
        )
    if effect is Effect.NON_IDEM_WRITE and not (step.query.present or step.left_to_person or step.keyed):
        yield Next(
            4,
            "give it a query that can be read, or leave its unknown outcome to a person: on_uncertain: human",
        )
    if not step.compensate.absent and not step.compensate_deadline.present:
        yield Next(5, "say in compensate_deadline until when it may be undone automatically")
