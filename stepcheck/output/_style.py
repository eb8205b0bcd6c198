"""How the parts of a report look in colour."""

from dataclasses import dataclass
from enum import Enum

from stepcheck.rule import Severity


class Look(Enum):
    """What a piece of a report is, by the escape sequence (ECMA-48 SGR) that shows it."""

    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;34"
    STRONG = "1"
    CODE = "36"
    GOOD = "1;32"


@dataclass(frozen=True, slots=True)
class Style:
    """Paints, or leaves text as it is."""

    color: bool

    def paint(self, text: str, look: Look) -> str:
        """The text in that look; the same text where there is no colour or nothing to see."""
        return f"\x1b[{look.value}m{text}\x1b[0m" if self.color and text.strip() else text


def look_of(severity: Severity) -> Look:
    """How findings of that severity are painted."""
    return Look.ERROR if severity is Severity.ERROR else Look.WARNING
