"""One file looked through for keys: what is begun again in it, and what the call at a place is for."""

from dataclasses import dataclass, field

from stepcheck.behaviour.again.rerun import Rerun, reruns
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Flow, Point


@dataclass(slots=True)
class Survey:
    """A study with what the questions about keys share, worked out where it is first asked for."""

    study: Study
    _reruns: tuple[Rerun, ...] | None = None
    _acts: dict[int, dict[Point, Act]] = field(default_factory=dict)

    @property
    def context(self) -> Context:
        """The file's flows with what is known of them."""
        return self.study.context

    @property
    def reruns(self) -> tuple[Rerun, ...]:
        """Everything that is begun again."""
        if self._reruns is None:
            self._reruns = reruns(self.study)
        return self._reruns

    def act(self, flow: Flow, point: Point) -> Act | None:
        """What the call at a place is for; None for a call of a function of the file."""
        if flow.index not in self._acts:
            self._acts[flow.index] = {act.point: act for act in self.study.acts(flow)}
        return self._acts[flow.index].get(point)

    def does(self, flow: Flow, point: Point, *deeds: Deed) -> bool:
        """Whether the call at a place is for one of these."""
        act = self.act(flow, point)
        return act is not None and act.deed in deeds
