"""What every family of facts starts from: a file under study, with its acts, retried regions and retried writes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from stepcheck.analysis.callgraph import summarise
from stepcheck.analysis.paths import RETURNED, START, begun
from stepcheck.behaviour.again.regions import Repeated
from stepcheck.behaviour.again.writes import Sent
from stepcheck.behaviour.calls.acts import Act, Deed, acts
from stepcheck.behaviour.calls.roles import Handed, Runs, handed, roles
from stepcheck.behaviour.context import Context
from stepcheck.code.flow import Call, Flow, Point
from stepcheck.facts import RetriedCall

DEPTH = 4
"""Helpers followed from a call to what it does."""


@dataclass(frozen=True, slots=True)
class Done:
    """What calling a function comes to."""

    may: frozenset[Deed] = frozenset()
    surely: frozenset[Deed] = frozenset()
    """Done on every path that returns."""


@dataclass(slots=True)
class Study:
    """One file under study."""

    context: Context
    sent: dict[int, tuple[Sent, ...]]
    """The strongly told writes to the outside, by the index of their flow."""
    repeated: tuple[Repeated, ...]
    """What decorators, helpers and self-calls retry."""
    retried: tuple[RetriedCall, ...]
    _acts: dict[int, tuple[Act, ...]] = field(default_factory=dict)
    _by_call: dict[int, dict[int, Act]] = field(default_factory=dict)
    _done: dict[int, Done] = field(default_factory=dict)
    _runs: dict[int, tuple[Runs, ...]] = field(default_factory=dict)
    _handed: Handed | None = None

    @property
    def flows(self) -> Iterator[Flow]:
        """The functions to look into: those that are not too long."""
        return (flow for flow in self.context.file.flows if not self.context.large(flow))

    def acts(self, flow: Flow) -> tuple[Act, ...]:
        """The acts of a function itself, each with its place."""
        if flow.index not in self._acts:
            self._acts[flow.index] = acts(self.context, flow)
        return self._acts[flow.index]

    def act(self, flow: Flow, call: Call) -> Act | None:
        """What a call of a function is for; None for a call of a function of the file."""
        if flow.index not in self._by_call:
            # Of several acts of one call the first one tells; the flow keeps its calls, so their identity holds.
            self._by_call[flow.index] = {id(act.call): act for act in reversed(self.acts(flow)) if act.call}
        return self._by_call[flow.index].get(id(call))

    def done(self, flow: Flow) -> Done:
        """What calling a function comes to, through the functions of the file that it calls."""
        if flow.index not in self._done:
            flows = self.context.file.flows
            known = self._done  # a long chain of calls is asked about from each of its links

            self._done |= summarise(
                [flow.index],
                lambda index: () if index in known else self._called(flows[index]),
                Done(),
                lambda index, others: known.get(index) or self._summary(index, others),
            )
        return self._done[flow.index]

    def through(self, flow: Flow, call: Call) -> Done:
        """What a call comes to, where it is of functions of this file; nothing for others."""
        found = [self.done(helper) for helper in self.context.called(flow, call)]
        if not found:
            return Done()
        may = frozenset[Deed]().union(*(one.may for one in found))
        return Done(may, frozenset[Deed].intersection(*(one.surely for one in found)))

    def runs(self, flow: Flow) -> tuple[Runs, ...]:
        """Who runs a function, and runs it again."""
        if self._handed is None:
            self._handed = handed(self.context)
        if flow.index not in self._runs:
            self._runs[flow.index] = roles(self.context, flow, self._handed)
        return self._runs[flow.index]

    def places(self, flow: Flow, *deeds: Deed, surely: bool = True) -> frozenset[Point]:
        """Where a function does such a thing: itself, or by a helper (surely, or perhaps)."""
        found = {act.point for act in self.acts(flow) if act.deed in deeds}
        for point, call in self.context.calls(flow):
            done = self.through(flow, call)
            if (done.surely if surely else done.may).intersection(deeds):
                found.add(point)
        return frozenset(found)

    def _called(self, flow: Flow) -> list[int]:
        return [
            helper.index for _, call in self.context.calls(flow) for helper in self.context.called(flow, call)
        ]

    def _summary(self, index: int, known: Callable[[int], Done]) -> Done:
        flow = self.context.file.flows[index]
        places: dict[Deed, set[Point]] = {}
        may: set[Deed] = set()
        for act in self.acts(flow):
            may.add(act.deed)
            places.setdefault(act.deed, set()).add(act.point)
        for point, call in self.context.calls(flow):
            for helper in self.context.called(flow, call):
                done = known(helper.index)
                may |= done.may
                for deed in done.surely:
                    places.setdefault(deed, set()).add(point)
        surely = {deed for deed, some in places.items() if RETURNED not in begun(flow, (START,), some)}
        return Done(frozenset(may), frozenset(surely))


Family: TypeAlias = Callable[[Study], Iterator[object]]
"""Gives the facts of one kind of mistakes; each fact is what rules are asked about, and nothing of it is syntax."""
