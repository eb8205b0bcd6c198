"""What functions are declared to do, by annotations, routes and names, where their bodies do more."""

from dataclasses import dataclass

from stepcheck.facts.bodies import BodyWrite
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint about a tool that a model calls, and what the tool's body does."""

    span: Span
    """Of the hint, or of what sets it."""
    function: str
    name: str
    """As the protocol has it: `readOnlyHint`, `idempotentHint`."""
    writes: tuple[BodyWrite, ...]
    """In the order of the bodies."""

    @property
    def contradicts(self) -> BodyWrite | None:
        """The first write that makes the hint untrue."""
        if self.name == "readOnlyHint":
            return next((one for one in self.writes if not one.fills), None)
        return next((one for one in self.writes if one.repeats), None)


@dataclass(frozen=True, slots=True)
class ReadRoute:
    """A function that answers requests which only read, and what it writes."""

    span: Span
    """Of the decorator, or of the method's name."""
    function: str
    who: str
    """Who repeats such requests, for messages: `browsers, proxies and crawlers`."""
    what: str
    """`a GET`, `an MCP resource`."""
    evidence: Evidence
    writes: tuple[BodyWrite, ...]


@dataclass(frozen=True, slots=True)
class Toggle:
    """A function whose name says which state shall be, and whose body turns the state round."""

    span: Span
    """Where it is turned round."""
    function: str
    word: str
    """Of the name: `enable`."""
    field: str
    """As written: `alarm.active`."""
    named: Span
    """The function's name."""
