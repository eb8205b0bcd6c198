"""What harm a run did: judged by the world, the records, and what those who began it were told."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stepcheck.catalogue import undo
from stepcheck.catalogue.conclusions import Ended, of_flag, of_state
from stepcheck.harms.effects import Request, World, takes_back
from stepcheck.harms.life import End
from stepcheck.harms.standins.files import NOTHING
from stepcheck.harms.store import ADDED, Row, Store
from stepcheck.harms.thing import text_of

_LONG = 4_096
UNDER_WAY = frozenset(
    ["sending", "pending", "processing", "started", "running", "in_progress", "settling", "submitting"]
)
"""States of records that say that it has begun and is not over."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One harm, as pages name it, in a sentence."""

    harm: str
    text: str


@dataclass(frozen=True, slots=True)
class Final:
    """How all stands when everything is over."""

    world: World
    store: Store
    ends: Sequence[End]
    handed: Sequence[str] = ()
    """What was handed out piece by piece."""
    wanted: int = 1
    """How often each thing was wanted."""
    step: bool = False
    """It was one step of an engine, which is over as a whole or not at all."""
    undone: bool = False
    """All was to be taken back, and it was said that it is."""


def judge(final: Final) -> list[Wrong]:
    """Everything that is wrong at the end."""
    world, store, ends = final.world, final.store, final.ends
    return [
        *_duplicates(final),
        *(_fewer(world, final.wanted) if ends[-1].returned else ()),
        *_lost(world, store),
        *_false_failures(world, store, ends),
        *_ghosts(final),
        *_compensations(world),
        *(_halves(world, ends) if final.step else ()),
        *_liveness(world, store, ends),
        *_refused(world),
        *_bloated(store),
    ]


def _forward(world: World) -> list[str]:
    return [one.meant for one in world.forward()]


def _duplicates(final: Final) -> Iterator[Wrong]:
    world, store, wanted = final.world, final.store, final.wanted
    for piece, count in Counter(final.handed).items():
        if count > 1:
            yield Wrong("duplicate", f"{piece} is handed out {count} times")
    left = Counter(_forward(world))
    left.subtract(one.meant for one in world.removed)
    left.update(row["meant"] for table, _, row in store.every() if table == ADDED)
    for meant, count in left.items():
        if count > wanted:
            tries = list(dict.fromkeys(one.told for one in world.forward() if one.meant == meant))
            told = (
                f"{meant} happened {count} times"
                if len(tries) < 2
                else f"{' and '.join(tries)} are one thing"
            )
            yield Wrong("duplicate", told)


def _fewer(world: World, wanted: int) -> Iterator[Wrong]:
    for meant, count in Counter(_forward(world)).items():
        if count < wanted:
            yield Wrong("lost", f"{meant} was wanted {wanted} times, and happened {count} times")


def _lost(world: World, store: Store) -> Iterator[Wrong]:
    there = set(_forward(world))
    for one in world.acknowledged:
        if one.meant not in there and not one.undoes:
            yield Wrong("lost", f"{one.meant} was answered as done, and was taken for another one")
    for one in world.effects:
        if NOTHING in one.about:
            yield Wrong(
                "lost", f"{one.meant}: what arrives is empty, as the first try has read it to its end"
            )
    if Ended.DONE in _states(store) and not there and not world.acknowledged:
        yield Wrong("lost", "it is recorded as done, and it never happened")


def _false_failures(world: World, store: Store, ends: Sequence[End]) -> Iterator[Wrong]:
    done = [one.meant for one in world.forward() if one not in world.undone]
    if Ended.FAILED in _states(store) and done:
        yield Wrong("false-failure", f"it is recorded as failed, and {done[0]} happened")
    elif ends[-1].kind == "raised" and ends[-1].definite and done:
        yield Wrong("false-failure", f"it ends as a failure ({ends[-1].error}), and {done[0]} happened")


def _ghosts(final: Final) -> Iterator[Wrong]:
    world, store, ends = final.world, final.store, final.ends
    told = [text for text in _texts(store) if undo.done(text)]
    for request in world.asked if told else ():
        if request.undoes and request not in world.effects:
            yield Wrong("ghost", f"it is recorded as '{told[0]}', and {request.meant} never came through")
    if (ends[-1].kind == "raised" and (world.undos or world.unwinds)) or final.undone:
        left = [one for one in world.forward() if one not in world.undone]
        if left:
            yield Wrong("ghost", f"all is taken back, and {left[0].meant} is still there")


def _compensations(world: World) -> Iterator[Wrong]:
    places = [_place(world, request) for request, _ in world.undos]
    if len(places) > 1 and -1 not in places and places == sorted(set(places)):
        yield Wrong("wrong-compensation", "what was done first is taken back first")
    met = Counter(id(effect) for _, effect in world.undos if effect is not None)
    for request, effect in world.undos:
        asked = any(takes_back(request, one) for one in world.asked)
        if effect is None and not world.unwinds and (asked or undo.generic(request.name.rpartition(".")[2])):
            yield Wrong("wrong-compensation", f"{request.meant} made up for what had not happened")
    repeated = Counter(request.meant for request, _ in world.undos)
    if any(count > 1 for count in (*met.values(), *repeated.values())):
        yield Wrong("wrong-compensation", "it was made up for twice")


def _place(world: World, undoing: Request) -> int:
    """Which of the things that were done first in this run an undo takes back; -1 for none of a list."""
    owners = [one.name.rpartition(".")[0] for one in world.asked if not one.undoes]
    owner = undoing.name.rpartition(".")[0]
    return owners.index(owner) if "[" in owner and owner in owners else -1


def _liveness(world: World, store: Store, ends: Sequence[End]) -> Iterator[Wrong]:
    kinds = [end.kind for end in ends]
    if kinds[-1] == "answered an error" and len(kinds) > 2 and world.forward():
        yield Wrong("unbounded", "it is answered as failed again and again, and it had happened")
    if "endless" in kinds:
        yield Wrong("unbounded", "it is tried again and again, and nobody hears of it")
    if "hangs" in kinds:
        yield Wrong("stuck", "it waits for ever")
    waits = [value for value in _texts(store) if value in UNDER_WAY]
    if ends[-1].kind == "raised" and waits:
        yield Wrong("stuck", f"it stays recorded as '{waits[0]}', and nobody looks at it")
    claimed = any(row.get("claim") for _, _, row in store.every())
    if len(ends) > 1 and ends[-1].returned and claimed and not world.effects:
        yield Wrong("stuck", "the claim stays, and the work is never done")


def _states(store: Store) -> set[Ended | None]:
    return {of_state(text) for text in _texts(store)} | {
        of_flag(name) for _, _, row in store.every() for name, value in row.items() if value is True
    }


def _texts(store: Store) -> list[str]:
    return [text_of(value) for _, _, row in store.every() for value in _fields(row) if isinstance(value, str)]


def _fields(row: Row) -> list[object]:
    return [value for name, value in row.items() if name != "claim"]


def _bloated(store: Store) -> Iterator[Wrong]:
    for table, _, row in store.every():
        for value in _fields(row):
            if isinstance(value, str) and len(value) > _LONG:
                yield Wrong("bloat", f"a row of {table} holds {len(value)} characters")


def _refused(world: World) -> Iterator[Wrong]:
    for one in world.refused:
        yield Wrong("refused", f"the key of '{one.shown}' came before, and with another body")


def _halves(world: World, ends: Sequence[End]) -> Iterator[Wrong]:
    if world.half and ends[-1].kind != "returned":
        done = world.forward()
        if done and not world.undos and len(ends) == 1:
            told = f"whoever asks finds {done[0].meant}, and {world.half} never happened"
            yield Wrong("lost", told)
