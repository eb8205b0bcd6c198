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
from stepcheck.harms.store import ADDED, Row, Store
from stepcheck.harms.thing import shortened, text_of

_OURS = ("value", "claim", "meant")
"""Fields of rows that no example has written."""


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
        tuple((f"{one.shown}({shortened(one.about)})", one.key) for one in outside.world.effects),
        tuple((_named(table, key), _told(row)) for table, key, row in outside.store.every() if row),
    )


def _named(table: str, key: str) -> str:
    """A row by its key, where that is no number that the store has given."""
    return table if key == "row" or key.startswith(table) else f"{table}[{key}]" if table != ADDED else "rows"


def _told(row: Row) -> str:
    if set(row) == {"value0"}:
        return shortened(text_of(row["value0"]))
    told = [
        f"{name} {shortened(text_of(value))}" for name, value in row.items() if not name.startswith(_OURS)
    ]
    told += [shortened(text_of(value)) for name, value in row.items() if name.startswith("value")]
    return ", ".join(told) or "claimed"


def trial(
    prepared: Prepared, situation: Situation, faults: int, *, endures: bool = False
) -> Iterator[Played]:
    """Run an example under every schedule of at most so many faults, those with the fewest first."""
    return every(lambda schedule: play(prepared, situation, schedule, endures=endures), faults)
