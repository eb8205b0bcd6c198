"""The bodies of what steps name: followed through the project, and told as facts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stepcheck.behaviour.again import regions
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.alterations import placed
from stepcheck.behaviour.calls.reach import Body, reached
from stepcheck.behaviour.steps.bodies import Bodies
from stepcheck.behaviour.steps.body_sends import dropped, endless, second
from stepcheck.behaviour.steps.emptiness import empty
from stepcheck.behaviour.steps.newest import newest
from stepcheck.facts import Again, Duration, Limit, Reference, Step, StepTable, Target
from stepcheck.facts.bodies import Part, StepBody


def step_bodies(tables: Iterable[StepTable], bodies: Bodies) -> Iterator[StepBody]:
    """A fact for each callable that a step names and whose body could be read."""
    made: dict[tuple[Step, Part], StepBody] = {}
    for table in tables:
        for step in table.steps:
            for part in Part:
                reference = _reference(step, part)
                if reference is None or (step, part) in made:
                    continue
                told = _told(step, part, reference, bodies)
                if told is not None:
                    made[step, part] = replace(
                        told, twin=_twin(table, step, reference), others_bounded=_bounds(table)
                    )
    yield from made.values()


def _reference(step: Step, part: Part) -> Reference | None:
    """The callable, where its own body is what runs."""
    setting = {Part.CALL: step.call, Part.QUERY: step.query, Part.COMPENSATE: step.compensate}[part]
    reference = setting.value
    if reference is None or reference.target not in (Target.FUNCTION, Target.UNNAMED):
        return None
    return reference


def _told(step: Step, part: Part, reference: Reference, bodies: Bodies) -> StepBody | None:
    body = bodies.at(reference.definition or reference.span)
    if body is None:
        return None
    study, flow = body
    found = reached(study, flow, bodies.called)
    bodies.opaque.update(one.act.span for one in found if one.act.deed is Deed.OPAQUE)
    writes = placed(found)
    return StepBody(
        span=reference.span,
        step=step,
        part=part,
        name=reference.name,
        definition=reference.definition or reference.span,
        writes=tuple(write for _, write in writes),
        empty=empty(study, flow),
        newest=newest(study, flow, _identity(step)) if part is Part.QUERY else None,
        dropped=dropped(body, writes),
        unbounded=endless(writes),
        second=second(writes),
        again=_for_ever(body),
    )


def _bounds(table: StepTable) -> bool:
    """Whether the table gives some step a timeout."""
    return any(isinstance(step.timeout.value, Duration) for step in table.steps)


def _for_ever(body: Body) -> Again | None:
    """What begins all of the body again without limit."""
    study, flow = body
    around = [one for one in regions.regions(study.context) if one.region.flow == flow.index]
    around += regions.handler_loops(study.context, flow)
    return next((one.again for one in around if one.again.limit is Limit.NONE), None)


def _twin(table: StepTable, step: Step, reference: Reference) -> str:
    """The step, of those declared writes, that has the callable for its call."""
    for other in (step, *table.steps):
        if other.writes and other.call.value is not None and reference.same_as(other.call.value):
            return other.name
    return ""


def _identity(step: Step) -> tuple[str, ...]:
    return tuple(word.text for word in step.identity.value or ())
