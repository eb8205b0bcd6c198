"""Values that come out differently each time: what is meant can be told from how it is tried."""

import re

_MARK = re.compile(r"drawn-\d+(?:-[a-z]+)?|\b17\d{8}(?:\.\d+)?\b")
START = 1_764_000_000.0
"""Seconds since 1970; every reading of the clock is later than the one before."""


def meant(text: str) -> str:
    """A text without what was drawn or read from a clock: equal for two tries of one intent."""
    return _MARK.sub("*", text)


class Drawing:
    """Numbers what is drawn, over all processes of a run."""

    def __init__(self) -> None:
        self._count = 0

    def text(self) -> str:
        """Another text each time."""
        self._count += 1
        return f"drawn-{self._count}"

    def time(self) -> float:
        """Another time each time, in seconds."""
        self._count += 1
        return START + self._count
