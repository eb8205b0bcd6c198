"""An example put through every schedule of its situation, and what harm comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.harms import situations
from stepcheck.harms.drawn import Drawing
from stepcheck.harms.effects import World
from stepcheck.harms.judge import Final, Wrong, judge
from stepcheck.harms.left import left
from stepcheck.harms.outside import Beat, Outside
from stepcheck.harms.prepared import Prepared
from stepcheck.harms.recorded import records
from stepcheck.harms.schedule import Schedule, every
from stepcheck.harms.situations import Situation
from stepcheck.harms.store import Store

DELETED = ", deleted later"
"""Behind an effect that is there no more."""


@dataclass(frozen=True, slots=True)
class Played:
    """One schedule of an example, with what came of it."""

    faults: tuple[str, ...]
    moments: tuple[int, ...]
    """How many effects there were before each of the faults."""
    beats: tuple[Beat, ...]
    wrong: tuple[Wrong, ...]
    effects: tuple[tuple[str, str], ...]
    """What happened in the world, each with its key."""
    records: tuple[tuple[str, str], ...]
    """What is recorded: of what, and in words."""
    left: str = ""
    """What is open in the end, and who can see that; nothing where nothing is."""


def play(prepared: Prepared, situation: Situation, schedule: Schedule, *, endures: bool = False) -> Played:
    """Run an example under one schedule; with `endures`, the other side may stay down."""
    outside = Outside(
        World(undoing=prepared.undoing, unwinds=prepared.code.unwinds),
        Store(),
        Drawing(),
        schedule,
        endures=endures,
    )
    ends = situations.run(prepared, situation, outside)
    return Played(
        tuple(fault for fault, _ in outside.struck),
        tuple(before for _, before in outside.struck),
        tuple(outside.beats),
        tuple(
            judge(
                Final(
                    outside.world,
                    outside.store,
                    ends,
                    outside.handed,
                    2 if situation is Situation.TWICE else 1,
                    prepared.role == "step",
                    situation is Situation.UNDONE and ends[-1].returned,
                )
            )
        ),
        tuple(_effects(outside)),
        tuple(records(outside.store)),
        left(situation, outside, ends),
    )


def _effects(outside: Outside) -> Iterator[tuple[str, str]]:
    for one in outside.world.effects:
        gone = any(one is other for other in outside.world.removed)
        yield f"{one.told}{DELETED if gone else ''}", one.key
    yield from ((f"{piece} is handed out", "") for piece in outside.handed)


def trial(
    prepared: Prepared, situation: Situation, faults: int, *, endures: bool = False
) -> Iterator[Played]:
    """Run an example under every schedule of at most so many faults, those with the fewest first."""
    return every(lambda schedule: play(prepared, situation, schedule, endures=endures), faults)
