"""The facts of one file: its functions, what they send, how that is begun again, and with which keys."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stepcheck.analysis.retry import Manner
from stepcheck.behaviour import concluding, declaring, keying, ledgering, remembering, repeating, undoing
from stepcheck.behaviour.again import policies, regions, streams, successes, waiting, writes
from stepcheck.behaviour.again.regions import Repeated
from stepcheck.behaviour.context import Context, study
from stepcheck.behaviour.repeating import defaults, queues
from stepcheck.behaviour.study import Family, Study
from stepcheck.behaviour.view import view
from stepcheck.catalogue.call_table import EMPTY, Table
from stepcheck.code.flow import FileFlow, Flow, FlowKind
from stepcheck.facts import Function, Limit, Outcome, RetriedCall, RetryRegion, Span
from stepcheck.facts.seen import Seen

_FAMILIES: tuple[Family, ...] = (
    keying.facts,
    ledgering.facts,
    remembering.facts,
    concluding.facts,
    repeating.facts,
    undoing.facts,
    declaring.facts,
)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the functions of a file do."""

    facts: tuple[object, ...]
    """What rules are asked about."""
    functions: tuple[Function, ...]
    seen: tuple[Seen, ...] = ()
    """Who runs the functions, and what each call is for, where that is to be shown."""


def behaviour(file: FileFlow, own: Table = EMPTY, *, show: bool = False) -> Behaviour:
    """Look into every function of a file; `own` is what the user says of calls.

    With `show`, tell what each call is for, too: only who looks into a file wants to know.
    """
    context = study(file, own)
    sent = writes.sent(context)
    repeated = (*regions.regions(context), *queues.queued(context))
    every = [*writes.retried(context, sent, repeated), *policies.policies(context, sent)]
    retried = [*_merged([*every, *defaults.defaults(context, sent)])]
    facts: list[object] = [*_once(retried), *_regions(context, sent, repeated, retried)]
    facts += streams.streams(context, repeated)
    facts += successes.successes(context)
    studied = Study(context, sent, repeated, tuple(retried))
    for family in _FAMILIES:
        facts += family(studied)
    functions = tuple(
        Function(
            flow.qualname,
            flow.span,
            () if context.large(flow) else writes.outside(context, sent, flow),
            _spent(context, flow),
        )
        for flow in file.flows
        if flow.kind is FlowKind.FUNCTION
    )
    return Behaviour(tuple(facts), functions, view(studied) if show else ())


def _spent(context: Context, flow: Flow) -> str:
    return flow.spent or ("calls too many things" if context.large(flow) else "")


def _merged(retried: list[RetriedCall]) -> Iterator[RetriedCall]:
    """The same with those that one retry does again in one function as one: the first tells of the others."""
    groups: dict[tuple[str, Span], list[RetriedCall]] = {}
    for call in retried:
        if call.unguarded:
            groups.setdefault((call.function, call.again.span), []).append(call)
        else:
            yield call
    for group in groups.values():
        first, *others = sorted(group, key=lambda call: call.span)
        spans = dict.fromkeys(one.span for one in others if one.span != first.span)
        yield replace(first, others=tuple(spans))


def _once(retried: list[RetriedCall]) -> Iterator[RetriedCall]:
    """The same with one for each unguarded write: that several things begin it again is told apart."""
    told: set[tuple[Span, bool]] = set()
    for call in retried:
        about = (call.span, call.again.default)
        if call.unguarded and about in told:
            continue
        told.add(about)
        yield call


def _regions(
    context: Context, sent: dict[int, tuple[writes.Sent, ...]], repeated: tuple[Repeated, ...],
    retried: list[RetriedCall],
) -> Iterator[RetryRegion]:  # fmt: skip
    """What is retried for ever; a write of which more is to be said is left to that."""
    told = {call.again.span for call in retried if call.unguarded}
    said: set[Span] = set()
    writing = {flow: frozenset(one.call.span for one in some) for flow, some in sent.items()}
    for one in repeated:
        if one.again.limit is not Limit.NONE or one.again.span in told:
            continue
        manual = one.region.manner is Manner.SELF_CALL and one.again.outcome is not Outcome.UNKNOWN
        if not manual and not waiting.waits(context, one, writing):
            flow = context.file.flows[one.region.flow]
            calls = tuple(
                [
                    call.dotted
                    for point, call in context.calls(flow)
                    if call.dotted and one.holds(flow.index, point)
                ]
            )
            yield RetryRegion(flow.qualname, one.region.span, one.again, calls)
            if calls:
                said.add(one.again.span)
    for call in retried:
        if call.again.limit is Limit.NONE and call.again.span not in told | said:
            yield RetryRegion(call.function, call.span, call.again, (call.name,))
            said.add(call.again.span)
