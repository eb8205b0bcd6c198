"""The examples of a page in pairs, put through their situation: the bad one does harm, the good one none."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.harms import situations, tables
from stepcheck.harms.judge import Wrong
from stepcheck.harms.prepared import Prepared, prepared
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played, trial
from stepcheck.harms.twins import compare, most
from stepcheck.page import Example, Page

MOST_FAULTS = 2
NO_RUN = "none"


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
    return NO_RUN not in (pair.bad.run, pair.harm) and pair.good is not None


def show(pair: Pair) -> Shown:
    """Put both twins through their situation. Raises ValueError for an example that cannot be run."""
    if NO_RUN in (pair.bad.run, pair.harm):
        raise ValueError(f"example {pair.number} of {pair.rule} cannot be run")
    if pair.declared:
        return _table(pair)
    return _code(pair)


def _table(pair: Pair) -> Shown:
    situation, entry, twins = tables.show(pair.bad, pair.good, pair.harm, pair.told, MOST_FAULTS)
    return Shown(pair, situation, entry, "", twins.bad, twins.good, twins.wrong, twins.schedules)


def _code(pair: Pair) -> Shown:
    bad = prepared(pair.bad)
    if bad is None:
        raise ValueError(f"example {pair.number} of {pair.rule} is no code")
    situation = situations.of(bad, pair.bad.run)
    endures = pair.harm == "unbounded"
    good = None if pair.good is None else prepared(pair.good, bad)

    def twin(harmful: Played) -> Iterator[Played]:
        assert good is not None
        return trial(good, _of_twin(good, pair, situation), most(harmful), endures=endures)

    every = trial(bad, situation, MOST_FAULTS, endures=endures)
    twins = compare(pair.harm, pair.told, every, twin if good else None)
    return Shown(pair, situation, bad.entry, bad.role, twins.bad, twins.good, twins.wrong, twins.schedules)


def _of_twin(good: Prepared, pair: Pair, situation: Situation) -> Situation:
    """The twin's own situation where it is told by who runs it: a POST is not repeated like a GET."""
    return situation if pair.bad.run or not good.role else situations.of(good, "")
