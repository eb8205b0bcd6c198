"""One call with what is read from it before anything is known of it."""

from dataclasses import dataclass

from stepcheck.behaviour.calls.chains import Chain, chain
from stepcheck.behaviour.calls.given import Given
from stepcheck.behaviour.calls.named import sessions
from stepcheck.behaviour.calls.rows import Rows
from stepcheck.behaviour.context import Context
from stepcheck.catalogue.arguments import Arguments
from stepcheck.code.flow import Call, Flow, Point


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that is asked about."""

    point: Point
    call: Call
    chain: Chain
    name: str
    """As written, through the calls of its chain."""
    given: Arguments

    @property
    def last(self) -> str:
        """The last of its names."""
        return self.name.rpartition(".")[2]

    @property
    def receiver(self) -> str:
        """What it is called on, as written."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Asking:
    """The function whose calls are asked about."""

    context: Context
    flow: Flow
    given: Given
    rows: Rows
    sessions: frozenset[str]
    """What is committed, or executes statements, in the function."""

    @staticmethod
    def of(context: Context, flow: Flow) -> "Asking":
        """Begin with a function."""
        return Asking(context, flow, Given(context, flow), Rows(context, flow), sessions(context, flow))

    def asked(self, point: Point, call: Call) -> Asked:
        """A call of the function."""
        links = chain(self.context, self.flow, call)
        return Asked(point, call, links, links.written, self.given.of(point, call))
