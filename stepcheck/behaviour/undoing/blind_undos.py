"""Undos that are sent because something failed, with no key and no record, so that a second one does harm."""

from collections.abc import Iterator

from stepcheck.analysis.paths import START, always_before, begun
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.alterations import alterations
from stepcheck.behaviour.calls.reach import Place, Reached
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import undo
from stepcheck.code.flow import Call, Constant, EdgeKind, Flow, walk
from stepcheck.facts import Evidence
from stepcheck.facts.undoing import BlindUndo

_RECORDS = frozenset({Deed.RECORD, Deed.CLAIM, Deed.LOCK})


def blind_undos(study: Study, flow: Flow) -> Iterator[BlindUndo]:
    """Those known to be sent to somebody else: in a handler, or in a function named for undoing."""
    generic = undo.generic(flow.name)
    if not generic and not study.context.catches(flow):
        return
    if not any(_undoes(call.dotted, call) for _, call in study.context.calls(flow)):
        return
    acts = study.acts(flow)
    straight = begun(flow, (START,), (), lambda _, edge: edge.kind is not EdgeKind.CAUGHT)
    for act in acts:
        if act.deed is not Deed.WRITE or act.weak or act.evidence is Evidence.NAME or act.call is None:
            continue
        if not (generic or act.point not in straight) or not _undoes(act.name, act.call):
            continue
        records = {one.point for one in acts if one.deed in _RECORDS}
        if records and always_before(flow, records, act.point):
            continue
        for write in alterations([Reached(act, Place(study, flow, act.point), ())]):
            if write.repeats:
                yield BlindUndo(write.span, flow.qualname, write)


def _undoes(name: str, call: Call) -> bool:
    """Whether it undoes something, by its name, its class, or its address: `stripe.Refund.create`, `/refunds`."""
    if undo.refunds(name):
        return True
    for value in call.arguments:
        for part in walk(value):
            if isinstance(part, Constant) and isinstance(part.value, str) and "/" in part.value:
                segments = [segment for segment in part.value.split("/") if segment]
                if segments and undo.additive(segments[-1].rstrip("s")):
                    return True
    return False
