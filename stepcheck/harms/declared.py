"""The steps that an example declares, each with the scenarios that an executor of its table goes through."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from stepcheck import engine
from stepcheck.catalogue.names import names_run
from stepcheck.explorer.matrix.events import Event
from stepcheck.explorer.matrix.modelled import Doubts, Model, model
from stepcheck.explorer.scenario import Item, Job, Scenario
from stepcheck.explorer.skeleton_options import Skeleton, Then, Undo
from stepcheck.facts import Step, StepTable
from stepcheck.page import Example
from stepcheck.settings import Settings

_WANTED = ("A-1", "B-2")
"""What the two are about."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One step of an example's tables, as the linter sees it."""

    step: Step
    table: StepTable
    doubts: Doubts
    marked: bool
    """Whether a finding that the example expects is about it."""


def declared(example: Example) -> list[Declared]:
    """Read the tables of an example. Nothing of it is run."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in example.files.items():
            (root / name).write_text(text, "utf-8")
        settings = Settings(root=root)
        report = engine.check(settings, ["."], cwd=root)
        tables = engine.tables(settings, ["."], cwd=root)
    marks = {(mark.file, mark.line) for mark in example.marks}
    about = {one.step for one in report.findings if (one.span.path, one.span.line) in marks}
    return [
        Declared(
            step,
            table,
            Doubts(frozenset(one.rule for one in report.findings if one.step == step.name)),
            step.name in about,
        )
        for table in tables
        for step in table.steps
    ]


def scenarios(one: Declared) -> Iterator[tuple[str, Scenario]]:
    """The scenarios of a step, each with its kind; none where the step's effect class is not known."""
    made = model(one.step, one.table, one.doubts)
    for part in () if made is None else made.parts:
        kind = next(iter(part.events)).value if len(part.events) == 1 else "alone"
        kind += " after an outage" if part.scenario.downtime_ms else ""
        yield kind, _followed(one, part.scenario, part.events)
    if made is not None and one.step.identity.value is not None and one.step.writes:
        yield "two of it", _two(one.step, made)


def _followed(one: Declared, scenario: Scenario, events: frozenset[Event]) -> Scenario:
    """The same with an executor that does no more than the table says."""
    if scenario.skeleton is not None or events == {Event.SECOND_WORKER}:
        return scenario
    if events == {Event.COMPENSATION}:
        blind = one.doubts.by("blind-compensation")
        return replace(scenario, skeleton=Skeleton(undo=Undo(resends=True))) if blind else scenario
    nobody_to_ask = one.step.unguarded and one.step.may_resend
    return replace(scenario, skeleton=Skeleton(unknown=Then.CALL)) if nobody_to_ask else scenario


def _two(step: Step, made: Model) -> Scenario:
    """The step is wanted for two things in one task, and looked up by what the table calls its identity."""
    words = step.identity.value or ()
    tells = any(not names_run(word.text) for word in words)
    key = ("task", "name", "identity") if tells else ("task", "name")
    plan = tuple(Item(step.name, {"item": item}) for item in _WANTED)
    return replace(made.parts[0].scenario, jobs=((Job("t1", plan),),), skeleton=Skeleton(key=key))
