"""Two writes in one step: no one answer tells of both."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.repeating.repeated_writes import bare, claimed
from stepcheck.behaviour.repeating.units import Unit, tells_repeats
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Compound, Constant, Flow, Point, reads, walk
from stepcheck.facts import Evidence
from stepcheck.facts.repeating import SecondEffect

_EFFECTS = frozenset({"effect", "effect_class"})


def pairs(study: Study, units: tuple[Unit, ...]) -> Iterator[SecondEffect]:
    """The second of two writes of a step's function, once for each step."""
    told: set[int] = set()
    for flow, who in (*_steps(study), *((unit.flow, unit.again.who) for unit in units if unit.redelivered)):
        if flow.index in told or study.context.large(flow) or tells_repeats(study, flow):
            continue
        found = _pair(study, flow)
        if found is not None:
            told.add(flow.index)
            first, second = found
            evidence = (
                Evidence.NAME if Evidence.NAME in (first.evidence, second.evidence) else second.evidence
            )
            yield SecondEffect(second.name, second.span, flow.qualname, first.name, first.span, who, evidence)


def _steps(study: Study) -> Iterator[tuple[Flow, str]]:
    """Functions that are one step each: by their decorator, or as the `call` of a step table."""
    for flow in study.flows:
        for made in flow.decorators:
            declared = made.call is not None and any(word.name in _EFFECTS for word in made.call.keywords)
            if declared:
                yield flow, f"the engine of {made.dotted!r}"
    module = study.context.file.flows[0]
    for _, operation in module.points():
        for value in reads(operation):
            for part in walk(value):
                if isinstance(part, Compound) and part.kind == "dict":
                    yield from _of_table(study, module, part)


def _of_table(study: Study, module: Flow, step: Compound) -> Iterator[tuple[Flow, str]]:
    """`{"effect": "non_idem_write", "call": pay}`."""
    entries = {
        str(part.parts[0].value): part.parts[1]
        for part in step.parts
        if isinstance(part, Compound) and part.kind == "entry" and isinstance(part.parts[0], Constant)
    }
    if "call" in entries and _EFFECTS.intersection(entries):
        for index in study.context.callees.named(module, entries["call"]):
            yield study.context.file.flows[index], "the executor"


def _pair(study: Study, flow: Flow) -> tuple[Outward, Outward] | None:
    """Two writes of which the second follows on the first, with nothing noted in between."""
    found = bare(study, flow)
    notes = study.places(flow, Deed.CLAIM, Deed.LOCK, Deed.COMMIT)
    for first in found:
        if claimed(study, flow, flow, first.point):
            continue
        after = begun(flow, (completed(first.point),), notes, no_exception)
        back = {loop.head for loop in study.context.loops(flow) if first.point.block in loop.blocks}
        onwards = begun(
            flow,
            (completed(first.point),),
            notes,
            lambda block, edge, back=back: no_exception(block, edge) and edge.target not in back,  # type: ignore[misc]
        )
        for second in found:
            if second.span == first.span or second.point not in after or second.point not in onwards:
                continue
            if _handles(flow, second.point):
                continue
            return first, second
    return None


def _handles(flow: Flow, point: Point) -> bool:
    """Whether a place is come to only after something failed."""
    return point not in begun(flow, (Point(0, 0),), (), no_exception)
