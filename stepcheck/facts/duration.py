"""ISO 8601 durations of a fixed length."""

import re
from dataclasses import dataclass
from datetime import timedelta

_DURATION = re.compile(
    r"P(?:(?P<weeks>\d+(?:[.,]\d+)?)W"
    r"|(?:(?P<days>\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+(?:[.,]\d+)?)H)?(?:(?P<minutes>\d+(?:[.,]\d+)?)M)?(?:(?P<seconds>\d+(?:[.,]\d+)?)S)?)?)",
    re.ASCII,
)
_CALENDAR = re.compile(r"P(?=\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T.*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time, with the text it was written as (empty for a `timedelta`)."""

    length: timedelta
    text: str = ""


def parse_duration(text: str, *, zero: bool = False) -> Duration:
    """Read an ISO 8601 duration made of weeks, or of days and a time: `PT10M`, `P1DT2H`, `P2W`.

    Raises ValueError, with a message that completes "'...' ", for years and months (no fixed length), for
    zero (unless `zero` allows it) and negative lengths, and for all other text. ISO 8601-1:2019 §5.5.2.
    """
    found = _DURATION.fullmatch(text)
    if found is None or text == "P":
        if _CALENDAR.fullmatch(text):
            raise ValueError("counts years or months, which have no fixed length")
        if text.startswith("-") and _DURATION.fullmatch(text[1:]):
            raise ValueError("is negative")
        raise ValueError("is not an ISO 8601 duration such as 'PT10M'")
    parts = {unit: float(amount.replace(",", ".")) for unit, amount in found.groupdict().items() if amount}
    try:
        length = timedelta(**parts)
    except OverflowError:
        raise ValueError("is longer than a million years") from None
    if not length and not zero:
        raise ValueError("is zero")
    return Duration(length, text)
