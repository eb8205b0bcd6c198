"""Who begins what an example does, and who begins it again: the situations that a page can put it in."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from stepcheck.catalogue.conclusions import Ended, of_state
from stepcheck.harms.life import End, live
from stepcheck.harms.outside import Outside
from stepcheck.harms.prepared import MODULE, Prepared
from stepcheck.harms.process import Life
from stepcheck.harms.thing import text_of

MOST_TRIES = 3


class Situation(StrEnum):
    """Who begins it, and who again."""

    ONCE = "once"
    """Its caller, who does not begin it again."""
    AGAIN = "again"
    """Whoever gets no answer begins it again with the same arguments."""
    RECOVERED = "recovered"
    """After a crash or an error somebody looks into the records: what stands there is left to a person, unless it
    is recorded as failed; what does not is begun again."""
    DELIVERED = "delivered"
    """A broker or a sender delivers it until it is acknowledged, and may once more after that."""
    TRIED = "tried"
    """A broker tries it again when it fails, as often as it says."""
    TOGETHER = "together"
    """Two processes do it at the same time."""
    TWICE = "twice"
    """The same is wanted two times."""
    TWO = "two"
    """Two pieces of business, one after the other, that are written alike when nothing parts their names."""
    MODEL = "model"
    """A model that sees no answer calls it again, and fills in what it likes."""
    RESUMED = "resumed"
    """An engine begins it from its top after a stop, with the answers of its steps."""
    UNDONE = "undone"
    """It is done, and then taken back: the class's first method, and then the one that undoes it."""
    UNCERTAIN = "uncertain"
    """It is found as uncertain: it was sent before, and nobody knows whether it happened."""
    WORKERS = "workers"
    """Two workers of a server load the module."""
    TABLE = "table"
    """An executor follows what a step table declares."""
    LOADED = "loaded"
    """An executor is given a step table."""
    STEP = "step"
    """The reference executor runs a step table, with the bodies that the example has."""


OF_ROLE = {
    "task": Situation.DELIVERED,
    "consumer": Situation.DELIVERED,
    "webhook": Situation.DELIVERED,
    "read": Situation.DELIVERED,
    "route": Situation.ONCE,
    "step": Situation.AGAIN,
    "tool": Situation.MODEL,
    "workflow": Situation.RESUMED,
}
"""Where a page says nothing, what the linter believes tells."""


def of(prepared: Prepared, said: str) -> Situation:
    """The situation of an example: as its page says, or as it is run by what the linter believes of it."""
    if said:
        return Situation(said)
    if prepared.entry == MODULE:
        return Situation.WORKERS
    return OF_ROLE.get(prepared.role, Situation.ONCE)


def run(prepared: Prepared, situation: Situation, outside: Outside) -> list[End]:
    """Put an example into a situation; every life of it, with how it ended. What is late arrives at the end."""
    ends = _lives(prepared, situation, outside)
    outside.arrive()
    return ends


def _lives(prepared: Prepared, situation: Situation, outside: Outside) -> list[End]:
    def begin(**how: object) -> End:
        return live(prepared, outside, Life(**how))  # type: ignore[arg-type]

    match situation:
        case Situation.ONCE | Situation.UNCERTAIN | Situation.UNDONE | Situation.TWICE:
            return [begin(**_SINGLE[situation])]
        case Situation.AGAIN:
            return _until(begin, lambda end: end.returned)
        case Situation.RECOVERED:
            return _until(begin, lambda end: end.returned or _recorded(outside), ELSEWHERE)
        case Situation.DELIVERED:
            return _delivered(begin, outside, prepared.role == "read")
        case Situation.TRIED:
            return _until(
                lambda **how: begin(mortal=False, **how), lambda end: end.returned or end.tries == 1
            )
        case Situation.TOGETHER | Situation.WORKERS:
            outside.together = True
            return _together(begin)
        case Situation.TWO:
            return [begin(texts=_ALIKE[0]), begin(texts=_ALIKE[1])]
        case Situation.MODEL:
            return _until(begin, lambda end: end.returned, "The model calls it again", {"model": True})
        case Situation.RESUMED:
            return _until(
                lambda **how: begin(mortal=False, **how), lambda end: end.kind != "suspended", FROM_TOP
            )
        case _:
            raise ValueError(f"'{situation}' is a situation of step tables")


_SINGLE: Mapping[Situation, Mapping[str, object]] = {
    Situation.ONCE: {},
    Situation.UNCERTAIN: {"uncertain": True},
    Situation.UNDONE: {"undone": True},
    Situation.TWICE: {"calls": 2},
}
"""What is over after one life, with how that begins."""
ELSEWHERE = "It is begun again, in another process"
FROM_TOP = "It is begun again, from its top"
_REDELIVERED = "The acknowledgement is lost, and it is delivered again"
"""How it comes to be begun again."""
_ALIKE = (("1", "11"), ("11", "1"))
"""Texts of the arguments, in turn: next to each other they read the same in both."""


def _until(
    begin: Callable[..., End],
    settled: Callable[[End], bool],
    again: str = "It is begun again",
    later: Mapping[str, object] | None = None,
) -> list[End]:
    ends = [begin()]
    while not settled(ends[-1]) and ends[-1].again and len(ends) < MOST_TRIES:
        ends.append(begin(again=again, **(later or {})))
    return ends


def _delivered(begin: Callable[..., End], outside: Outside, read: bool) -> list[End]:
    ends = [begin()]
    while len(ends) < MOST_TRIES and ends[-1].again:
        again = ELSEWHERE
        if ends[-1].returned:
            if outside.schedule.pick(["nothing", "again"]) == "nothing":
                break
            outside.strike("asked again" if read else "acknowledgement lost")
            again = "A crawler asks for the same page" if read else _REDELIVERED
        elif ends[-1].tries <= len(ends) and ends[-1].tries and not ends[-1].crashed:
            break
        ends.append(begin(again=again))
    return ends


def _together(begin: Callable[..., End]) -> list[End]:
    others: list[End] = []
    first = begin(other=lambda: others.append(begin()))
    if not others:
        others.append(begin())
    return [first, *others]


def _recorded(outside: Outside) -> bool:
    """Whether the records tell that it was begun, and do not tell that it failed."""
    found = False
    for table, key, row in outside.store.every():
        if outside.store.seeded.get(table) == key and len(row) <= 1:
            continue
        states = [of_state(text_of(value)) for value in row.values() if isinstance(value, str)]
        if Ended.FAILED in states:
            return False
        found = True
    return found
