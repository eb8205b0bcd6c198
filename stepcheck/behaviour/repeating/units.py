"""Units that something runs again as a whole: what retriers, loops, task queues and brokers begin once more."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import begun, no_exception
from stepcheck.analysis.retry import Manner
from stepcheck.behaviour.again import regions
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.repeating import queues
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Attribute, Branch, EdgeKind, Flow, Point, Variable, walk
from stepcheck.facts import Again, Limit, Outcome

_TELLS = (Deed.WRITE, Deed.SETS, Deed.ASKS, Deed.LOOKUP, Deed.RECORD, Deed.DELETE)
"""What is done only where it is not the first attempt: then somebody minds what the first one left."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A function, or the turns of a loop in it, that is begun again from its beginning."""

    flow: Flow
    blocks: frozenset[int] | None
    """Of the flow; None for all of it."""
    again: Again
    redelivered: bool = False
    """A broker gives the work out once more whatever became of it, and not only after an exception."""

    def holds(self, point: Point) -> bool:
        """Whether what is there is run again when the unit is."""
        return self.blocks is None or point.block in self.blocks


def units(study: Study) -> Iterator[Unit]:
    """Every unit of the file that may be begun again although a part of it was done."""
    context = study.context
    flows = context.file.flows
    for one in study.repeated:
        flow = flows[one.region.flow]
        if one.region.manner is not Manner.SELF_CALL and one.again.doubtful and not context.large(flow):
            yield Unit(flow, one.region.blocks, one.again)
    for flow in study.flows:
        for loop in regions.handler_loops(context, flow):
            if loop.again.doubtful:
                yield Unit(flow, loop.region.blocks, loop.again)
    for one in queues.redelivered(context):
        yield Unit(flows[one.region.flow], None, one.again, redelivered=True)


def delivered(study: Study) -> Iterator[Unit]:
    """Functions that are given what comes again until it is acknowledged, told by who runs them."""
    for flow in study.flows:
        for runs in study.runs(flow):
            if runs.role is Role.CONSUMER:
                again = Again(
                    runs.who, runs.span, Limit.OPAQUE, None, Outcome.UNKNOWN, "", runs.evidence, pauses=True
                )
                yield Unit(flow, None, again, redelivered=True)
                break


def tells_repeats(study: Study, flow: Flow) -> bool:
    """Whether it does something else at its second attempt: `if attempt > 1: topic.publish(Restarted())`."""
    turns = {name for loop in flow.loops for name in loop.targets}
    for point, operation in flow.points():
        if not isinstance(operation, Branch) or not any(
            isinstance(part, Variable | Attribute) and words.attempts(part.name) and part.name not in turns
            for part in walk(operation.test)
        ):
            continue
        sides = [
            begun(flow, (Point(edge.target, 0),), (), no_exception)
            for edge in flow.blocks[point.block].edges
            if edge.kind in (EdgeKind.TRUE, EdgeKind.FALSE)
        ]
        found = [(act.deed, sum(act.point in side for side in sides)) for act in study.acts(flow)]
        if any(deed in _TELLS and count == 1 for deed, count in found) and (Deed.WRITE, len(sides)) in found:
            return True
    return False
