"""What a stream can show: whether it wants colour, how wide it is, and how each part of a report looks."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import IO, Any, Literal

from stepcheck.rule import Severity

Choice = Literal["auto", "always", "never"]


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


def wants_color(stream: IO[Any], choice: Choice, environ: Mapping[str, str]) -> bool:
    """Whether to write colour to the stream.

    An explicit choice decides. Else a non-empty NO_COLOR forbids it (no-color.org), a non-empty FORCE_COLOR
    demands it (force-color.org), and without both it is for terminals that are not `dumb`. Whoever prints
    through click must hand this on (`click.echo(..., color=...)`): it strips colour by rules of its own.
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and _is_terminal(stream)


def terminal_width(stream: IO[Any], environ: Mapping[str, str]) -> int:
    """The columns to lay text out for: COLUMNS where it is set, else the terminal's, else 0."""
    columns = environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    if not _is_terminal(stream):
        return 0
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def terminal_height(stream: IO[Any]) -> int:
    """The terminal's lines, 0 where the stream is no terminal."""
    try:
        return os.get_terminal_size(stream.fileno()).lines if _is_terminal(stream) else 0
    except (OSError, ValueError):
        return 0


def _is_terminal(stream: IO[Any]) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
