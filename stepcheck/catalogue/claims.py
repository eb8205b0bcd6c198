"""Calls that only the first of several carries out: claims, which guard what comes after them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from stepcheck.catalogue import sql
from stepcheck.catalogue.arguments import NOTHING, Arguments
from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.patterns import Patterns, parts

_STATEMENTS = ("execute", "executemany", "exec_driver_sql", "fetchrow", "fetchval", "fetch", "fetch_one")


@dataclass(frozen=True, slots=True)
class Claim:
    """A call that only the first of several carries out."""

    name: str
    tells: str
    """How the answer says who was first."""
    lock: bool
    """It only keeps others out for a while: a second run comes to the same place."""
    compares: bool
    """Only where its condition names the state that its change ends: `filter(state=a).update(state=b)`."""
    source: str
    raises: bool = False
    """All but the first raise, so that nobody needs to look at the answer."""
    position: int | None = None
    """Which of the parts of the answer tells; None where it is the answer itself."""


@dataclass(frozen=True, slots=True)
class _Entry:
    claim: Claim
    when: Mapping[str, Any]


def claim(qualified: str, arguments: Arguments = NOTHING) -> Claim | None:
    """The claim that a call makes, by its name (as qualified, or as written) and arguments; None for others.

    An `INSERT` that leaves existing rows alone is one too, and `SELECT ... FOR UPDATE` a lock.
    """
    name = qualified.lstrip("?:")
    for entry in _named(name):
        if _given(entry.when, arguments):
            return entry.claim
    if parts(name)[-1] not in _STATEMENTS:
        return None
    first = arguments.get("query", 0)
    text = first.text if first is not None else None
    statement = sql.classify(text) if text else None
    if statement is not None and (statement.claims or statement.locks):
        how = "the row count is 0 for all but the first" if statement.claims else "others wait"
        return Claim(name, how, statement.locks, False, "the SQL of the call")
    if first is not None and "on_conflict_do_nothing()" in first.words:
        return Claim(name, "the row count is 0 for all but the first", False, False, "the SQL of the call")
    return None


@lru_cache(8192)
def _named(name: str) -> tuple[_Entry, ...]:
    """The entries for calls of that name, whatever their arguments are."""
    segments = parts(name)
    return (*_known().all(segments), *_known().all(("_", *segments)))


def _given(when: Mapping[str, Any], arguments: Arguments) -> bool:
    if not when:
        return True
    found = arguments.get(when["argument"], when.get("position"))
    if found is None:
        return False
    if "matches" in when:
        return found.literal and re.search(when["matches"], str(found.value)) is not None
    if "contains" in when:
        return any(word in text for word in when["contains"] for text in found.words)
    return True


@cache
def _known() -> Patterns[_Entry]:
    written = contents("claims")
    found: list[tuple[str, _Entry]] = []
    for group in written["claim"]:
        for name in group["names"]:
            made = Claim(
                name,
                group["tells"],
                group.get("lock", False),
                group.get("compares", False),
                group["source"],
                group.get("raises", False),
                group.get("position"),
            )
            found.append((name, _Entry(made, group.get("when", {}))))
    return Patterns.of(found)
