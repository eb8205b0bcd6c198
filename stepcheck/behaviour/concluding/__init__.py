"""What is concluded from how a write ended: failures, successes, absences."""

from collections.abc import Iterator

from stepcheck.behaviour.calls.outgoing import writes
from stepcheck.behaviour.concluding import (
    abandoned,
    doubts,
    duplicates,
    failures,
    statuses,
    swallowing,
    threads,
    unbounded,
    uncertain,
)
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Call, EdgeKind, Flow, Leave


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    for flow in study.flows:
        if duplicates.spoken(flow, study.context.catches(flow)):
            yield from duplicates.duplicates(study, flow)
        yield from unbounded.unbounded(study, flow)
        if threads.spoken(flow):
            yield from abandoned.abandoned(study, flow)
        guarded = _guarded(study, flow)
        if not guarded and not uncertain.spoken(flow) and not statuses.spoken(flow):
            continue
        made = writes(study, flow)
        if guarded and made:
            yield from failures.failures(study, flow, made)
            yield from failures.narrow(study, flow, made)
            yield from swallowing.swallowed(study, flow, made)
        yield from statuses.statuses(study, flow, made)
        yield from doubts.doubts(study, flow, made)


def _guarded(study: Study, flow: Flow) -> bool:
    """Whether something is done in the function when something in it raises."""
    if study.context.catches(flow):
        return True
    if any(edge.kind is EdgeKind.RERAISE for block in flow.blocks for edge in block.edges):
        return True
    return any(
        (isinstance(one, Leave) and one.failing)
        or (isinstance(one, Call) and one.keyword("return_exceptions"))
        for _, one in flow.points()
    )
