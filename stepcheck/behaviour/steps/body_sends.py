"""What a step's body sends, and how: without the key it was given, without a limit of time, two things in one."""

from collections.abc import Sequence

from stepcheck.analysis.paths import START, begun, completed, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.reach import Body, Place, Reached
from stepcheck.behaviour.concluding.unbounded import unbounded
from stepcheck.code.flow import Call, Delete, Flow, Parameter, ParameterKind, Variable, reads, variables
from stepcheck.facts import KeyParameter
from stepcheck.facts.bodies import BodyWrite
from stepcheck.facts.concluding import UnboundedWrite

Placed = Sequence[tuple[Reached, BodyWrite]]
"""What a body writes, with the way to it."""
_NOTES = (Deed.CLAIM, Deed.LOCK, Deed.COMMIT)


def dropped(body: Body, writes: Placed) -> KeyParameter | None:
    """A parameter named for a key that the body never reads, where something that a repeat does again is sent."""
    study, flow = body
    sent = next((one for _, one in writes if one.repeats and not one.ours), None)
    if sent is None:
        return None
    inner = [other for other in study.context.file.flows if other is flow or _inside(body, other)]
    for parameter in flow.parameters:
        if _takes_key(parameter) and not any(_reads(other, parameter.name) for other in inner):
            return KeyParameter(
                parameter.name, flow.qualname, parameter.span, sent.name, sent.begins, sent.evidence
            )
    return None


def _takes_key(parameter: Parameter) -> bool:
    return parameter.kind is not ParameterKind.DOUBLE_STAR and words.spaced(parameter.name) in words.ACCEPTED


def _inside(body: Body, inner: Flow) -> bool:
    flows, above = body[0].context.file.flows, inner.parent
    while above is not None:
        if above == body[1].index:
            return True
        above = flows[above].parent
    return False


def _reads(flow: Flow, name: str) -> bool:
    """Whether a function reads or drops a variable, or hands all of them on."""
    for _, operation in flow.points():
        if isinstance(operation, Delete) and isinstance(operation.target, Variable):
            if operation.target.name == name:
                return True
            continue
        if isinstance(operation, Call) and operation.qualified in ("builtins.locals", "builtins.vars"):
            return True
        if any(one.name == name for value in reads(operation) for one in variables(value)):
            return True
    return False


def endless(writes: Placed) -> UnboundedWrite | None:
    """The first write to the outside that nothing bounds."""
    for one, write in writes:
        if write.ours:
            continue
        for found in unbounded(one.place.study, one.place.flow):
            if found.span == write.span:
                return found
    return None


def second(writes: Placed) -> tuple[BodyWrite, BodyWrite] | None:
    """Two writes of which the second follows on the first when all goes well, with nothing noted in between."""
    sent = [(one, write) for one, write in writes if write.repeats and not write.ours]
    for number, (first, does) in enumerate(sent):
        for then, also in sent[number + 1 :]:
            places = _parting(first, then)
            if places is not None and _follows(*places):
                return does, also
    return None


def _parting(first: Reached, then: Reached) -> tuple[Place, Place] | None:
    """Where the ways to two acts part: two points of one function."""
    for one, other in zip((*first.way, first.place), (*then.way, then.place), strict=False):
        if one.flow is not other.flow:
            return None
        if one.point != other.point:
            return one, other
    return None


def _follows(first: Place, then: Place) -> bool:
    flow = first.flow
    notes = first.study.places(flow, *_NOTES)
    heads = {loop.head for loop in first.study.context.loops(flow) if first.point.block in loop.blocks}
    onwards = begun(
        flow,
        (completed(first.point),),
        notes,
        lambda block, edge: no_exception(block, edge) and edge.target not in heads,
    )
    return then.point in onwards and then.point in begun(flow, (START,), (), no_exception)
