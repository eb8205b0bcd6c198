"""The examples of a page in pairs, put through their situation: the bad one does harm, the good one none."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.harms import situations
from stepcheck.harms.judge import Wrong
from stepcheck.harms.prepared import Prepared, prepared
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played, trial
from stepcheck.page import Example, Page

MOST_FAULTS = 2
LIVENESS = frozenset({"stuck", "unbounded", "refused", "bloat"})
"""Harms that count on the pages alone that name them: a short example leaves much of the kind to whoever runs it."""
NO_RUN = "none"
_WORDS = {
    "answer lost": "answer",
    "crash": "crash",
    "late arrival": "late",
    "acknowledgement lost": "acknowledg",
}
"""By which word a page speaks of a fault."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A bad example of a page and its good twin."""

    rule: str
    number: int
    """From 1, in the page's order."""
    bad: Example
    good: Example | None
    harm: str
    told: str = ""
    """What the page says of the run."""

    @property
    def declared(self) -> bool:
        """Whether it is a step table, which the explorer runs, and not code alone."""
        return any(not name.endswith(".py") or "effect" in text for name, text in self.bad.files.items())


@dataclass(frozen=True, slots=True)
class Shown:
    """What a pair shows."""

    pair: Pair
    situation: Situation
    entry: str
    """What is called: `Bank.transfer`."""
    role: str
    """What that is run as, where it is more than a function: `task`, `read`."""
    bad: Played | None
    """The schedule with the fewest faults that does the harm; None where none does."""
    good: Played | None
    """The same faults where the good twin stands; None where there is no twin."""
    wrong: Wrong | None
    """What the good twin does all the same, at its worst."""
    schedules: int
    """How many were run of both."""


def pairs(page: Page) -> Iterator[Pair]:
    """The bad examples of a page, each with the good one behind it."""
    number = 0
    for at, example in enumerate(page.examples):
        if not example.bad:
            continue
        number += 1
        behind = page.examples[at + 1] if at + 1 < len(page.examples) else None
        good = behind if behind is not None and not behind.bad else None
        told = " ".join(page.sections.get("Demonstration", "").split())
        yield Pair(page.name, number, example, good, example.harm or page.harm, told)


def runs(pair: Pair) -> bool:
    """Whether a pair can be run."""
    return pair.bad.run != NO_RUN and not pair.declared and pair.good is not None


def show(pair: Pair) -> Shown:
    """Put both twins through their situation. Raises ValueError for an example that cannot be run."""
    bad = None if pair.bad.run == NO_RUN or pair.declared else prepared(pair.bad)
    if bad is None:
        raise ValueError(f"example {pair.number} of {pair.rule} cannot be run")
    situation = situations.of(bad, pair.bad.run)
    endures = pair.harm == "unbounded"
    count = 0
    harmful: Played | None = None
    tolerated: set[Wrong] = set()
    for played in trial(bad, situation, MOST_FAULTS, endures=endures):
        count += 1
        if harmful is not None and len(played.faults) > max(1, len(harmful.faults)):
            break
        tolerated.update(played.wrong)
        if any(wrong.harm == pair.harm for wrong in played.wrong):
            harmful = min(harmful or played, played, key=lambda one: _plain(one, pair.told))
    if harmful is None or pair.good is None:
        return Shown(pair, situation, bad.entry, bad.role, harmful, None, None, count)
    good = prepared(pair.good, bad)
    if good is None:
        return Shown(pair, situation, bad.entry, bad.role, harmful, None, None, count)
    twin: Played | None = None
    wrong: Wrong | None = None
    for played in trial(good, _of_twin(good, pair, situation), max(1, len(harmful.faults)), endures=endures):
        count += 1
        wrong = wrong or _new(played, pair.harm, tolerated)
        twin = max(twin or played, played, key=lambda one: _like(one, harmful))
    return Shown(pair, situation, bad.entry, bad.role, harmful, twin, wrong, count)


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


def _of_twin(good: Prepared, pair: Pair, situation: Situation) -> Situation:
    """The twin's own situation where it is told by who runs it: a POST is not repeated like a GET."""
    return situation if pair.bad.run or not good.role else situations.of(good, "")


def _new(played: Played, harm: str, tolerated: set[Wrong]) -> Wrong | None:
    """What a twin does that it must not: the page's harm, or another one that its bad twin does not do."""
    for wrong in played.wrong:
        if wrong.harm == harm or (wrong.harm not in LIVENESS and wrong not in tolerated):
            return wrong
    return None
