"""Durations as other tools write them, and the ISO 8601 text that means the same."""

import re
from typing import Final

LIKE: Final = " such as 'PT10M'"
"""How a message about a text that is no duration ends; needless where the right one is suggested."""
_AMOUNT: Final = re.compile(r"(\d+)\s*([a-z]+)", re.ASCII)
_CLOCK: Final = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)", re.ASCII)
_UNITS: Final = (
    ("D", ("d", "day", "days")),
    ("H", ("h", "hr", "hrs", "hour", "hours")),
    ("M", ("m", "min", "mins", "minute", "minutes")),
    ("S", ("s", "sec", "secs", "second", "seconds")),
)
"""As Go's time.ParseDuration, systemd.time(7) and plain English have them, longest unit first."""


def iso_duration(text: str) -> str:
    """The ISO 8601 duration that `10m`, `1h30m`, `90 seconds`, `00:10:00`, `600` or `P10M` probably means.

    Nothing where that is not clear, or where the length is zero. `P10M` is ten months to ISO 8601 and ten
    minutes to nearly everyone who writes it; a bare number counts seconds.
    """
    written = text.strip().lower()
    if written.isascii() and written.isdigit():
        return _joined({"S": int(written)})
    if clock := _CLOCK.fullmatch(written):
        return _joined(dict(zip("HMS", (int(part) for part in clock.groups()), strict=True)))
    iso = written.startswith("p")
    rest = written.removeprefix("p").replace("t", "", 1) if iso else written
    if not re.fullmatch(r"(?:\d+\s*[a-z]+[\s,]*)+", rest, re.ASCII):
        return ""
    parts: dict[str, int] = {}
    for amount, unit in _AMOUNT.findall(rest):
        letter = next((letter for letter, names in _UNITS if unit in names), "")
        if not letter or letter in parts:
            return ""
        parts[letter] = int(amount)
    return _joined(parts)


def _joined(parts: dict[str, int]) -> str:
    minutes, seconds = divmod(parts.get("S", 0), 60)
    hours, minutes = divmod(parts.get("M", 0) + minutes, 60)
    hours += parts.get("H", 0)
    days = f"{parts['D']}D" if parts.get("D") else ""
    time = "".join(
        f"{amount}{unit}" for amount, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if amount
    )
    return f"P{days}{'T' if time else ''}{time}" if days or time else ""
