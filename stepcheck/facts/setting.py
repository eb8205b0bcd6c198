"""One setting of a step, in the four states a setting can be in."""

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from stepcheck.facts.span import Span

T = TypeVar("T")


class Origin(Enum):
    """How a setting came to be."""

    WRITTEN = "written"
    """It stands in the file, and was read."""
    DEFAULT = "default"
    """Nothing is written; `Setting.why` says whose default holds."""
    OPAQUE = "opaque"
    """Something is written, but only a run could tell what. It never makes a finding and is always counted."""
    WRONG = "wrong"
    """Something is written that can never be a value of this field; `Setting.why` says why."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A value with its origin and its place. `value` holds for WRITTEN and DEFAULT only."""

    origin: Origin
    value: T | None
    span: Span
    """Of the value; for a default, of the step's name."""
    why: str = ""
    text: str = ""
    """A wrong value as it was written, for messages."""

    @property
    def written(self) -> bool:
        """Whether it stands in the file and could be read (an explicit `None` included)."""
        return self.origin is Origin.WRITTEN

    @property
    def opaque(self) -> bool:
        """Whether only a run could tell."""
        return self.origin is Origin.OPAQUE

    @property
    def wrong(self) -> bool:
        """Whether it can never be right."""
        return self.origin is Origin.WRONG

    @property
    def absent(self) -> bool:
        """Whether it is known that there is nothing: not written, or written as `None`."""
        return self.origin in (Origin.WRITTEN, Origin.DEFAULT) and self.value is None

    @property
    def present(self) -> bool:
        """Whether it is known that there is something. An opaque setting is neither absent nor present."""
        return self.origin in (Origin.WRITTEN, Origin.DEFAULT) and self.value is not None
