"""What is seen of a function when one looks into it: who runs it, and what each of its calls is for."""

from dataclasses import dataclass

from stepcheck.facts.evidence import Evidence
from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class SeenRun:
    """One way in which the function is run."""

    role: str
    """`task`, `consumer`, `webhook`, `read`, `route`, `tool`, `step`, `workflow`."""
    who: str
    span: Span
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class SeenCall:
    """One call, or one assignment of a record's state."""

    name: str
    span: Span
    deed: str
    """`write`, `sets`, `asks`, `lookup`, `claim`, `lock`, `record`, `delete`, ..., `harmless`, `opaque`."""
    weak: bool
    subject: str
    states: tuple[str, ...]
    evidence: Evidence
    why: str
    key: str
    """What is known of its idempotency key, where it is a write; else nothing."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One function."""

    name: str
    span: Span
    runs: tuple[SeenRun, ...]
    calls: tuple[SeenCall, ...]
    """In the order of the text; calls of functions of the same file are not among them."""
