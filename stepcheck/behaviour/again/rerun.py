"""Which places of a file are begun again, and by whom: retried regions with all that they call, tasks, activities."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stepcheck.behaviour.again import regions
from stepcheck.behaviour.again.counted import counted
from stepcheck.behaviour.again.regions import Repeated
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.roles import Role, Runs
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.study import DEPTH, Study
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import Call, Constant, Flow, Point
from stepcheck.facts import Again, Evidence, Limit, Outcome


@dataclass(frozen=True, slots=True)
class Rerun:
    """Something that is begun again as a whole."""

    again: Again
    flow: int
    blocks: frozenset[int] | None
    """None for all of the function."""
    reach: frozenset[int]
    """The functions that it calls, through others too: they are begun again with it."""
    handled: bool
    """A broker, an engine or a sender does it, and not code that is seen."""
    sure: bool = True
    """That it is begun again is written down, or what the engine does unless it is told not to."""

    def holds(self, flow: int, point: Point) -> bool:
        """Whether what stands there is begun again with it."""
        if flow == self.flow:
            return self.blocks is None or point.block in self.blocks
        return flow in self.reach


def reruns(study: Study) -> tuple[Rerun, ...]:
    """Everything of a file that is begun again: what is written as a retry first, then what others run."""
    return (*_retried(study), *_handled(study))


def _retried(study: Study) -> Iterator[Rerun]:
    context = study.context
    found: list[Repeated] = list(study.repeated)
    for flow in study.flows:
        if flow.loops:
            found += regions.attempt_loops(context, flow)
            found += regions.handler_loops(context, flow)
            found += counted(context, flow)
    for one in found:
        reach = _reach(context, one.region.flow, one.region.blocks)
        yield Rerun(one.again, one.region.flow, one.region.blocks, reach, handled=False)


_RUN_AGAIN = frozenset({Role.TASK, Role.STEP, Role.CONSUMER, Role.WEBHOOK})
_UNLESS_TOLD = frozenset({"Prefect"})
"""Engines whose steps are not begun again unless that is written down, by their manuals."""
_OFTEN = key_words("task_options")
_NONE = key_words("task_bounds")


def _handled(study: Study) -> Iterator[Rerun]:
    for flow in study.flows:
        for runs in study.runs(flow):
            if runs.role not in _RUN_AGAIN or _never(runs):
                continue
            sure = runs.evidence is not Evidence.NAME and _surely(study.context, flow, runs)
            evidence = runs.evidence if sure else Evidence.NAME
            again = Again(runs.who, runs.span, Limit.OPAQUE, None, Outcome.UNKNOWN, "", evidence)
            yield Rerun(again, flow.index, None, _reach(study.context, flow.index, None), True, sure)
            break


def _never(runs: Runs) -> bool:
    """Whether it is written down that nobody runs it again, or is not written down where it has to be."""
    call = runs.made.call if runs.made is not None else None
    if runs.who in _UNLESS_TOLD:
        return call is None or not any(
            word.name.startswith("retr") or not word.name for word in call.keywords
        )
    if runs.role is not Role.TASK or call is None:
        return False
    given = {word.name: word.value for word in call.keywords}
    told = [given[name] for name in _NONE if name in given]
    off = [
        isinstance(one, Constant) and one.value in (0, False, None) and one.value is not None for one in told
    ]
    return bool(told) and all(off)


def _surely(context: Context, flow: Flow, runs: Runs) -> bool:
    """Whether retries or late acknowledgement are written down for a task; other things come again by themselves."""
    if runs.role is not Role.TASK:
        return True
    if words.last(runs.made.dotted if runs.made else "") == "actor":
        return True
    call = runs.made.call if runs.made is not None else None
    if call is not None and _OFTEN.intersection(word.name for word in call.keywords):
        return True
    return any(
        words.last(one.dotted) == "retry" and one.dotted.count(".") == 1 for _, one in context.calls(flow)
    )


def _reach(context: Context, start: int, blocks: Iterable[int] | None) -> frozenset[int]:
    """The functions that the code of a region calls, or hands on to be called."""
    inside = None if blocks is None else frozenset(blocks)
    flows = context.file.flows
    seen: set[int] = set()
    waiting = [(start, DEPTH)]
    while waiting:
        index, left = waiting.pop()
        if left <= 0:
            continue
        for point, call in context.calls(flows[index]):
            if index == start and inside is not None and point.block not in inside:
                continue
            for number in _runs(context, flows[index], call):
                if number not in seen and number != start:
                    seen.add(number)
                    waiting.append((number, left - 1))
    return frozenset(seen)


def _runs(context: Context, flow: Flow, call: Call) -> Iterator[int]:
    for helper in context.called(flow, call):
        yield helper.index
    for given in (*call.arguments, *(word.value for word in call.keywords)):
        yield from context.callees.named(flow, given)
