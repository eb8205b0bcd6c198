"""What a name tells about the thing it names, compared word by word. A name is a hint, never proof."""

import difflib
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from stepcheck.catalogue.contents import contents

_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")


@dataclass(frozen=True, slots=True)
class _Known:
    """The lists of `names.toml`."""

    volatile: dict[str, str]
    runs: frozenset[str]
    bulky: frozenset[str]
    bulky_of_many: frozenset[str]
    small: frozenset[str]
    absolute_first: frozenset[str]
    absolute: frozenset[str]
    states: frozenset[str]
    moments: frozenset[str]
    no_states: frozenset[str]
    no_state_ends: frozenset[str]
    retries: frozenset[str]
    no_retries: frozenset[str]
    attempts: frozenset[str]


@lru_cache(16384)
def words(name: str) -> tuple[str, ...]:
    """The words of a snake, kebab, dotted or camel case name, in lower case: `nonIdempotent` is two."""
    return tuple(word.lower() for word in _WORD.findall(name))


def misspells(name: str, meant: str) -> bool:
    """Whether a name is clearly another one misspelt or in another case, and not one with words added."""
    written, wanted = words(name), words(meant)
    if set(wanted) < set(written):
        return False
    return difflib.SequenceMatcher(None, "".join(written), "".join(wanted), autojunk=False).ratio() >= 0.75


def why_volatile(name: str) -> str:
    """Why a parameter of that name differs at each attempt ("which ..."), or nothing.

    A dotted name is read from a record, whatever it is called, and so is nothing.
    """
    return "" if "." in name else _known().volatile.get("_".join(words(name)), "")


def names_run(name: str) -> bool:
    """Whether a parameter of that name says which run or step it is, and nothing else."""
    return "_".join(words(name)) in _known().runs


def why_bulky(name: str) -> str:
    """The word that makes a callable of that name return much, or nothing."""
    known, found = _known(), words(name.rpartition(".")[2])
    if known.small.intersection(found):
        return ""
    telling = known.bulky | known.bulky_of_many if _plural(found) else known.bulky
    return next((word for word in found if word in telling), "")


def states_outcome(name: str) -> bool:
    """Whether a callable of that name says what shall be, not what to add: `upsert_order`, `set_price`."""
    known, found = _known(), words(name.rpartition(".")[2])
    return bool(found) and (found[0] in known.absolute_first or bool(known.absolute.intersection(found)))


def retries(name: str) -> bool:
    """Whether something of that name calls again what it is given, or is put around."""
    known, found = _known(), words(name)
    return bool(known.retries.intersection(found)) and not known.no_retries.intersection(found)


def counts_attempts(name: str) -> bool:
    """Whether a variable of that name counts attempts."""
    return bool(_known().attempts.intersection(words(name)))


def tells_state(name: str) -> bool:
    """Whether a column, field or argument of that name says how far a record has come: `status`, `closed_at`."""
    known, found = _known(), words(name)
    if not found or known.no_states.intersection(found[:-1]) or found[-1] in known.no_state_ends:
        return False
    return bool(known.states.intersection(found)) or (
        len(found) == 2 and found[-1] in known.moments and found[0].endswith("ed")
    )


def said_state(name: str) -> str:
    """The state that a name says itself: `closed_at` says closed, `mark_as_sent` says sent; nothing for others."""
    known, found = _known(), words(name)
    telling = [
        word for word in found if word in known.states and word not in ("status", "state", "stage", "phase")
    ]
    if telling:
        return telling[-1]
    return found[0] if len(found) == 2 and found[-1] in known.moments and tells_state(name) else ""


def _plural(found: tuple[str, ...]) -> bool:
    return len(found) > 1 and found[-1].endswith("s") and not found[-1].endswith(("ss", "us", "is"))


@cache
def _known() -> _Known:
    table: dict[str, Any] = contents("names")
    return _Known(
        volatile={name: group["why"] for group in table["volatile"] for name in group["names"]},
        runs=frozenset(table["run"]["names"]),
        bulky=frozenset(table["bulky"]["alone"]),
        bulky_of_many=frozenset(table["bulky"]["of_many"]),
        small=frozenset(table["bulky"]["small"]),
        absolute_first=frozenset(table["absolute"]["first"]),
        absolute=frozenset(table["absolute"]["anywhere"]),
        states=frozenset(table["state"]["words"]),
        moments=frozenset(table["state"]["moments"]),
        no_states=frozenset(table["state"]["no_states"]),
        no_state_ends=frozenset(table["state"]["no_state_ends"]),
        retries=frozenset(table["again"]["retries"]),
        no_retries=frozenset(table["again"]["no_retries"]),
        attempts=frozenset(table["again"]["attempts"]),
    )
