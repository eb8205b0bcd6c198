"""The order of records, claims and writes: what is in the log when a call is made."""

from collections.abc import Iterator

from stepcheck.behaviour.calls.outward import outward
from stepcheck.behaviour.ledgering.claiming import Scene
from stepcheck.behaviour.ledgering.deleting import deleted
from stepcheck.behaviour.ledgering.deliveries import acknowledged_late, deliveries
from stepcheck.behaviour.ledgering.executing import executed
from stepcheck.behaviour.ledgering.holding import held
from stepcheck.behaviour.ledgering.ordering import ordered
from stepcheck.behaviour.ledgering.redelivering import delivered
from stepcheck.behaviour.ledgering.storing import stored
from stepcheck.behaviour.ledgering.transacting import outermost, transacted
from stepcheck.behaviour.ledgering.transactions import given, transactions
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import FlowKind


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    handed = given(study)
    late = acknowledged_late(study)
    for flow in study.flows:
        if flow.kind is FlowKind.CLASS or not study.context.calls(flow):
            continue
        scene = Scene(study, flow)
        writes = outward(study, flow)
        found = [*transactions(study, flow), *(one for one in [handed.get(flow.index)] if one is not None)]
        yield from executed(scene)
        if writes:
            yield from transacted(scene, writes, outermost(found))
            yield from ordered(scene, writes, tuple(found))
            yield from deleted(scene, writes)
        yield from held(scene, writes, tuple(found))
        yield from stored(scene, writes)
        for delivery in deliveries(study, flow, late):
            yield from delivered(scene, delivery)
