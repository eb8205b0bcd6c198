"""What harm a step table did that the reference executor ran: judged by the world and the ledger's rows."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stepcheck.explorer.rows import Row, Standing, of_ledger
from stepcheck.harms.effects import Request, World
from stepcheck.harms.judge import Wrong
from stepcheck.harms.stepping import Kept, Sent

AFTER = "the next step"
"""A step that is refused, so that what was done before it is made up for."""


@dataclass(frozen=True, slots=True)
class Left:
    """How all stands when everything is over."""

    rows: tuple[Row, ...]
    """Of the table's own steps."""
    effects: tuple[Request, ...]
    sent: tuple[Sent, ...]
    ended: str
    """How the task stands; `endless` where it never ends."""
    long: Mapping[str, int]
    """Characters of what is stored in the row of a step that is to be stored there, where these are many."""
    never: tuple[str, ...]
    """Calls that the table declares, and that were not made."""

    def asked(self, path: str, *, undoes: bool) -> list[Request]:
        """All that the calls of one step have asked for, or those that make up for it."""
        every = [one for one in self.sent if (one.path, one.undoes) == (path, undoes)]
        return [request for one in every for request in one.requests]

    def happened(self, path: str, *, undoes: bool) -> list[Request]:
        """What came of it."""
        asked = self.asked(path, undoes=undoes)
        return [one for one in self.effects if any(one is each for each in asked)]


def left(kept: Kept, world: World, ended: str, replaced: tuple[str, ...]) -> Left:
    """Take together what a run leaves of a table that declares the calls `replaced`, and others by their names."""
    rows = of_ledger(kept.ledger.image, ())
    long = {
        row.step: len(kept.blobs.stored[row.blob])
        for row in rows
        if row.step in kept.inline and row.blob is not None
    }
    own = tuple(row for row in rows if row.step != AFTER)
    never = tuple(name for name in replaced if name not in kept.called)
    return Left(own, tuple(world.effects), tuple(kept.sent), ended, long, never)


def wrong(run: Left, smooth: Left) -> list[Wrong]:
    """Everything that is wrong at the end; `smooth` is how all stands where nothing went wrong on the way."""
    found = [
        *_duplicates(run),
        *(each for row in run.rows for each in _of_row(run, row, smooth)),
        *(
            Wrong("bloat", f"the row of '{step}' holds {count} characters")
            for step, count in run.long.items()
        ),
    ]
    if run.ended == "endless":
        found.append(Wrong("unbounded", "it is tried again and again, and nobody hears of it"))
    if run.ended == "done":
        told = "the task is done, and '{}', which its table declares, never happened"
        found += [Wrong("lost", told.format(name)) for name in run.never]
    return found


def _duplicates(run: Left) -> Iterator[Wrong]:
    forward = [one for row in run.rows for one in run.happened(row.step_path, undoes=False)]
    for called, count in Counter(_what(one) for one in forward).items():
        if count > 1:
            yield Wrong("duplicate", f"{called} happened {count} times")


def _of_row(run: Left, row: Row, smooth: Left) -> Iterator[Wrong]:
    done = run.happened(row.step_path, undoes=False)
    taken_back = run.happened(row.step_path, undoes=True)
    there = {one.meant for one in done}
    if row.standing is Standing.DONE and row.writes:
        for one in smooth.happened(row.step_path, undoes=False):
            if one.meant not in there:
                yield Wrong("lost", f"'{row.step}' is recorded as done, and {_what(one)} never happened")
    if row.standing is Standing.FAILED and done:
        yield Wrong("false-failure", f"'{row.step}' is recorded as failed, and {_what(done[0])} happened")
    if row.standing is Standing.UNDONE and done and not taken_back:
        yield Wrong("ghost", f"'{row.step}' is recorded as made up for, and {_what(done[0])} is still there")
    for called, count in Counter(_what(one) for one in taken_back).items():
        if count > 1:
            yield Wrong("wrong-compensation", f"{called} made up for '{row.step}' {count} times")
    for one in taken_back:
        if one.meant in there:
            yield Wrong(
                "wrong-compensation", f"what is there to undo '{row.step}' does {_what(one)} once more"
            )
    if taken_back and not done:
        yield Wrong("wrong-compensation", f"'{row.step}' is made up for, and had not happened")


def _what(one: Request) -> str:
    return f"'{one.shown}'" + (f" ({one.about})" if one.about else "")
