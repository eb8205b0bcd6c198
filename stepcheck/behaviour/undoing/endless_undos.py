"""Undos that are begun again without limit."""

from collections.abc import Iterator

from stepcheck.analysis.paths import START, begun
from stepcheck.behaviour.again import regions
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.undoing.unwinding import Unwinding
from stepcheck.catalogue import undo
from stepcheck.code.flow import EdgeKind, Flow
from stepcheck.facts import Evidence, Limit
from stepcheck.facts.undoing import EndlessUndo


def endless_undos(study: Study, flow: Flow, unwound: list[Unwinding]) -> Iterator[EndlessUndo]:
    """A function that undoes and is begun again for ever, and undos in a loop that ends only with a success."""
    generic = undo.generic(flow.qualname) and not undo.conditional(flow.qualname)
    for one in study.repeated:
        endless = one.region.flow == flow.index and one.again.limit is Limit.NONE
        if endless and generic and study.context.calls(flow):
            yield EndlessUndo(one.region.span, flow.qualname, flow.qualname, one.again, one.again.evidence)
            return
    if not flow.loops or not study.context.catches(flow):
        return
    runs = {point for one in unwound if one.undoes and one.flow.index == flow.index for point in one.runs}
    straight = begun(flow, (START,), (), lambda _, edge: edge.kind is not EdgeKind.CAUGHT)
    acts = {act.point: act for act in study.acts(flow)}
    for point, call in study.context.calls(flow):
        act = acts.get(point)
        if act is not None and act.deed in (Deed.ROLLBACK, Deed.HARMLESS, Deed.LOOKUP, Deed.PAUSE):
            continue
        named = undo.generic(call.dotted) or (
            bool(undo.verb(call.dotted)) and (generic or point not in straight)
        )
        if not (named or point in runs) or undo.local(call.dotted):
            continue
        found = regions.loop_repeats(study.context, flow, point)
        if found is not None and found[0].limit is Limit.NONE:
            yield EndlessUndo(call.span, flow.qualname, call.dotted or "the undo", found[0], Evidence.BODY)
            return
