"""Names of calls as patterns: segments between dots, where `*` stands for one or more."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

_SEGMENT = re.compile(r"(?:[^.('\"]|\('[^']*'\)|\(\"[^\"]*\"\)|\(\))+")


def parts(name: str) -> tuple[str, ...]:
    """The segments of a name; dots inside quotes are none: `boto3.client('a.b').get` has three."""
    return tuple(_SEGMENT.findall(name)) if "('" in name else tuple(name.split("."))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A name with `*` in it."""

    segments: tuple[str, ...]

    @staticmethod
    def of(text: str) -> "Pattern":
        """The pattern that the text writes."""
        return Pattern(parts(text))

    @property
    def weight(self) -> tuple[int, int]:
        """Greater for the more specific of two: more whole segments, then fewer that stand for anything."""
        whole = [segment for segment in self.segments if "*" not in segment]
        return len(whole), -sum(segment == "*" for segment in self.segments)

    def fits(self, name: tuple[str, ...]) -> bool:
        """Whether the segments of a name are those of the pattern."""
        return _fits(self.segments, name)


@dataclass(frozen=True, slots=True)
class Patterns(Generic[T]):
    """Patterns with what each of them means, found by the last segment of a name."""

    by_last: Mapping[str, tuple[tuple[Pattern, T], ...]]
    """Those whose last segment is whole, the most specific first."""
    others: tuple[tuple[Pattern, T], ...]

    @staticmethod
    def of(found: Iterable[tuple[str, T]]) -> "Patterns[T]":
        """Of texts with their meanings; of two alike the earlier one wins."""
        made = sorted(((Pattern.of(text), meant) for text, meant in found), key=_weight, reverse=True)
        by_last: dict[str, list[tuple[Pattern, T]]] = {}
        others: list[tuple[Pattern, T]] = []
        for pattern, meant in made:
            last = pattern.segments[-1]
            (others if "*" in last else by_last.setdefault(last, [])).append((pattern, meant))
        return Patterns({last: tuple(group) for last, group in by_last.items()}, tuple(others))

    def find(self, name: tuple[str, ...]) -> T | None:
        """The meaning of the most specific pattern that the segments fit, a whole last segment before others."""
        return next(self.all(name), None)

    def all(self, name: tuple[str, ...]) -> Iterator[T]:
        """The meanings of every pattern that the segments fit, in that order."""
        for pattern, meant in (*self.by_last.get(name[-1], ()), *self.others):
            if pattern.fits(name):
                yield meant


def _weight(found: tuple[Pattern, object]) -> tuple[int, int]:
    return found[0].weight


def _fits(pattern: tuple[str, ...], name: tuple[str, ...]) -> bool:
    if not pattern:
        return not name
    if len(name) < len(pattern):
        return False
    first, rest = pattern[0], pattern[1:]
    if first == "*":
        return any(_fits(rest, name[taken:]) for taken in range(1, len(name) - len(rest) + 1))
    if not _alike(first, name[0]):
        return False
    return _fits(rest, name[1:])


def _alike(pattern: str, segment: str) -> bool:
    """Whether a segment is the one written, which may begin or end with `*`: `create_*`, `*Client`."""
    if "*" not in pattern:
        return pattern == segment
    start, _, end = pattern.partition("*")
    long_enough = len(segment) > len(start) + len(end)
    return long_enough and segment.startswith(start) and segment.endswith(end)
