"""An example put through every schedule of its situation, and what harm comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.harms import situations
from stepcheck.harms.drawn import Drawing
from stepcheck.harms.effects import World
from stepcheck.harms.judge import Final, Wrong, judge
from stepcheck.harms.outside import Beat, Outside
from stepcheck.harms.prepared import Prepared
from stepcheck.harms.schedule import Schedule, every
from stepcheck.harms.situations import Situation
from stepcheck.harms.store import Store


@dataclass(frozen=True, slots=True)
class Played:
    """One schedule of an example, with what came of it."""

    faults: tuple[str, ...]
    beats: tuple[Beat, ...]
    wrong: tuple[Wrong, ...]
    effects: tuple[str, ...]
    records: tuple[str, ...]


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
        tuple(outside.struck),
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
        tuple(one.meant for one in outside.world.effects),
        tuple(f"{key}: {row}" for _, key, row in outside.store.every()),
    )


def trial(
    prepared: Prepared, situation: Situation, faults: int, *, endures: bool = False
) -> Iterator[Played]:
    """Run an example under every schedule of at most so many faults, those with the fewest first."""
    return every(lambda schedule: play(prepared, situation, schedule, endures=endures), faults)
