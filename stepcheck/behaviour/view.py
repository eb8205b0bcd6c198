"""Functions as one looks into them: with who runs them and what each call is for, for `stepcheck facts`."""

from stepcheck.behaviour.calls import keys
from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Flow, FlowKind
from stepcheck.facts.seen import Seen, SeenCall, SeenRun

_SHOWN = (FlowKind.FUNCTION, FlowKind.MODULE, FlowKind.LAMBDA)


def view(study: Study) -> tuple[Seen, ...]:
    """Every function of the file of which there is something to see; lambdas and the module's body, too."""
    found = (_seen(study, flow) for flow in study.flows if flow.kind in _SHOWN)
    return tuple(one for one in found if one.runs or one.calls)


def _seen(study: Study, flow: Flow) -> Seen:
    runs = tuple(SeenRun(one.role.value, one.who, one.span, one.evidence) for one in study.runs(flow))
    acts = {(act.span, act.deed): act for act in study.acts(flow)}
    calls = sorted((_call(study, flow, act) for act in acts.values()), key=lambda call: call.span)
    return Seen(flow.qualname, flow.span, runs, tuple(calls))


def _call(study: Study, flow: Flow, act: Act) -> SeenCall:
    key = ""
    if act.deed is Deed.WRITE and act.call is not None:
        key = keys.state(study.context, flow, act.call, act.point).value
    return SeenCall(
        act.name or "the call",
        act.span,
        act.deed.value,
        act.weak,
        act.subject,
        act.states,
        act.evidence,
        act.why,
        key,
    )
