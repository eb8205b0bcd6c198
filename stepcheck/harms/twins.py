"""A bad example and its good twin compared: the bad one does the harm, the twin under as many faults does none."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stepcheck.harms.judge import Wrong
from stepcheck.harms.trial import Played

LIVENESS = frozenset({"stuck", "unbounded", "refused", "bloat"})
"""Harms that count on the pages alone that name them: a short example leaves much of the kind to whoever runs it."""
_WORDS = {
    "answer lost": "answer",
    "crash": "crash",
    "late arrival": "late",
    "acknowledgement lost": "acknowledg",
    "two at once": "at the same time",
}
"""By which word a page speaks of a fault."""


@dataclass(frozen=True, slots=True)
class Twins:
    """What came of both."""

    bad: Played | None
    """The schedule with the fewest faults that does the harm; None where none does."""
    good: Played | None
    """The same faults where the good twin stands; None where there is no twin."""
    wrong: Wrong | None
    """What the good twin does all the same, at its worst."""
    schedules: int
    """How many were run of both."""


def compare(
    harm: str,
    told: str,
    bad: Iterable[Played],
    good: Callable[[Played], Iterable[Played]] | None,
    *,
    tolerant: bool = True,
) -> Twins:
    """Run the schedules of the bad example, those with the fewest faults first, until some do the harm.

    `told` is what the page says of them; `good` gives the twin's schedules for the one that is shown. With
    `tolerant`, what the bad example does besides is left to both: it is not what parts them.
    """
    count = 0
    harmful: Played | None = None
    tolerated: set[Wrong] = set()
    for played in bad:
        count += 1
        if harmful is not None and len(played.faults) > max(int(tolerant), len(harmful.faults)):
            break
        tolerated.update(played.wrong if tolerant else ())
        if any(wrong.harm == harm for wrong in played.wrong):
            harmful = min(harmful or played, played, key=lambda one: _plain(one, told))
    if harmful is None or good is None:
        return Twins(harmful, None, None, count)
    twin: Played | None = None
    wrong: Wrong | None = None
    for played in good(harmful):
        count += 1
        wrong = wrong or _new(played, harm, tolerated)
        twin = max(twin or played, played, key=lambda one: _like(one, harmful))
    return Twins(harmful, twin, wrong, count)


def most(harmful: Played) -> int:
    """How many faults a twin has to bear: as many as do the harm, and one where none is needed."""
    return max(1, len(harmful.faults))


def _plain(played: Played, told: str) -> tuple[object, ...]:
    """How soon a reader sees what goes wrong: with few faults, such as the page speaks of, and a short story."""
    named = sum(_WORDS.get(fault, "?") in told for fault in played.faults)
    late = played.faults.count("late arrival")
    return len(played.faults), -named, late, len(played.beats)


def _like(played: Played, harmful: Played) -> tuple[bool, bool, int]:
    """How far a good twin's story goes like that of the bad one."""
    told = {beat.sentence for beat in harmful.beats}
    same = played.faults == harmful.faults
    return (
        same,
        same and played.moments == harmful.moments,
        sum(beat.sentence in told for beat in played.beats),
    )


def _new(played: Played, harm: str, tolerated: set[Wrong]) -> Wrong | None:
    """What a twin does that it must not: the page's harm, or another one that its bad twin does not do."""
    for wrong in played.wrong:
        if wrong.harm == harm or (wrong.harm not in LIVENESS and wrong not in tolerated):
            return wrong
    return None
