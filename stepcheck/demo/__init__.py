"""A rule's harm as it is shown: a story on each side, what happened in the world, and what the ledger says of it."""

import re
from dataclasses import dataclass

_DIGEST = re.compile("[0-9a-f]{17,}")
LEDGER, OTHER = "ledger", "other side"
"""Who takes part besides the executors."""


@dataclass(frozen=True, slots=True)
class Message:
    """One arrow, or a note where source and target are the same."""

    source: str
    target: str
    text: str
    lost: bool = False
    """It does not arrive."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One effect in the world."""

    seconds: float | None
    """After the run began; None where no clock is told of."""
    what: str
    key: str
    """As the other side saw it; nothing where none was sent."""


@dataclass(frozen=True, slots=True)
class Says:
    """What the ledger says of one step."""

    step: str
    words: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of the twins under the schedule."""

    sentences: tuple[str, ...]
    """The story; the last sentence says what came of it."""
    effects: tuple[Happened, ...]
    rows: tuple[Says, ...]
    messages: tuple[Message, ...]
    """The same as arrows between those who take part; none where there is nothing to draw."""
    harmed: bool
    code: str = ""
    """What is run, where that is an example of a page."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A mistake beside its good twin."""

    rule: str
    title: str
    """The mistake in a clause, lower case."""
    harm: str
    means: str
    """What the harm is, in a clause."""
    faults: tuple[str, ...]
    """What goes wrong in the schedule, in words: `answer lost`."""
    bad: Side
    good: Side


def participants(told: tuple[Message, ...]) -> tuple[str, ...]:
    """Return who takes part, the executors first and the other side last."""
    named = {name for one in told for name in (one.source, one.target)}
    workers = sorted(named - {LEDGER, OTHER})
    return (*workers, *(name for name in (LEDGER, OTHER) if name in named))


def short(key: str) -> str:
    """A digest's first letters, with what was added to it; any other key whole."""
    digest, space, rest = key.partition(" ")
    return f"{digest[:8]}…{space}{rest}" if _DIGEST.fullmatch(digest) else key
