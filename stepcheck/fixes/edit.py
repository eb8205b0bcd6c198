"""Replacements in a text: made, trimmed, applied."""

from collections.abc import Iterable
from dataclasses import dataclass


class CannotFix(Exception):
    """A change that is left undone; the message completes "not fixed: "."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The characters from `start` to `end` (offsets from 0, end exclusive) become `text`."""

    start: int
    end: int
    text: str

    def clashes(self, other: "Edit") -> bool:
        """Whether the two cannot both be applied: they share characters, or insert at one place."""
        if self.start == other.start:
            return True
        first, second = sorted((self, other))
        return first.end > second.start


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not clash, in whatever order they come."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    parts.append(text[done:])
    return "".join(parts)


def difference(old: str, new: str, anchor: int = 0) -> Edit:
    """The smallest edit that makes `new` of `old`; an insertion stands as early as it can from `anchor`."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shorter - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end, text = len(old) - tail, new[start : len(new) - tail]
    while start == end and start > anchor and text and text[-1] == old[start - 1]:
        text = text[-1] + text[:-1]
        start = end = start - 1
    return Edit(start, end, text)
