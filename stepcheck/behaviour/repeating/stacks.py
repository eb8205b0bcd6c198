"""Writes around which several things retry, each without knowing of the others."""

from collections.abc import Iterator

from stepcheck.behaviour.repeating.repeated_writes import reached
from stepcheck.behaviour.repeating.units import Unit
from stepcheck.behaviour.study import Study
from stepcheck.facts import Again, Effect, Evidence, KeyState, Limit, RetriedCall, Span
from stepcheck.facts.repeating import StackedRetries

_QUEUES = frozenset({"Celery", "the scheduler", "the broker"})


def stacks(study: Study, units: tuple[Unit, ...]) -> Iterator[StackedRetries]:
    """Every write that two or more things begin again after an unknown outcome, with no key."""
    calls: dict[Span, list[RetriedCall]] = {}
    for call in study.retried:
        if call.effect is not Effect.NON_IDEM_WRITE or call.key is not KeyState.ABSENT or call.queried:
            continue
        for span in (call.span, *call.others):
            calls.setdefault(span, []).append(call)
    back = _given_back(study, units) if calls else {}
    told: set[tuple[Span, ...]] = set()
    for span, some in sorted(calls.items(), key=lambda item: item[0]):
        layers = _layers(span, some, back.get(some[0].function))
        places = tuple(sorted(again.span for again in layers))
        if len(layers) > 1 and places not in told:
            told.add(places)
            first = next((one for one in some if one.span == span), None)
            weak = any(one.evidence is Evidence.NAME for one in some)
            yield StackedRetries(
                first.name if first else "the call", span, some[0].function, layers,
                Evidence.NAME if weak else some[0].evidence,
            )  # fmt: skip


def _given_back(study: Study, units: tuple[Unit, ...]) -> dict[str, Again]:
    """By their names, the functions whose message goes back to the broker when they fail."""
    return {
        flow.qualname: unit.again
        for unit in units
        if unit.redelivered and unit.again.limit is Limit.NONE
        for flow in reached(study, unit)
    }


def _layers(span: Span, some: list[RetriedCall], broker: Again | None) -> tuple[Again, ...]:
    """What retries, from the outside in: what is written above something else is taken for what is around it."""
    found: dict[Span, Again] = {} if broker is None else {broker.span: broker}
    for call in some:
        if call.again.doubtful:
            found.setdefault(call.again.span, call.again)
    layers = sorted(found.values(), key=lambda again: (again.span == span, again.span))
    asked = [again for again in layers if again.who == "'self.retry'"]
    if asked:  # a task that asks for it, and what its decorator says, are one authority
        layers = [again for again in layers if again not in asked[1:] and again.who not in _QUEUES]
    return tuple(again for number, again in enumerate(layers) if not _sibling(again, layers[:number]))


def _sibling(again: Again, before: list[Again]) -> bool:
    """Whether a queue stands here a second time: tasks that share a helper are roads to it, not layers around it."""
    return again.who in _QUEUES and any(other.who == again.who for other in before)
