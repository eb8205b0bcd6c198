"""What names, states, texts and statuses say of how something ended."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.exceptions import of_status
from stepcheck.catalogue.names import words
from stepcheck.facts import Outcome


class Ended(Enum):
    """What is said of how something ended."""

    FAILED = "failed"
    """It is over and did not happen."""
    WRONG = "wrong"
    """Something went wrong; the word is used for failures and for what is not known alike."""
    DONE = "done"
    UNCERTAIN = "uncertain"
    """Nobody knows."""
    OPEN = "open"
    """It is not over: something or someone looks at it again."""


_MOST_WORDS = 4
_SHORT = 40


@lru_cache(8192)
def of_state(text: str) -> Ended | None:
    """What a state of that name says: `failed`, `PAYMENT_DECLINED`, `needs_review`; None for others.

    A longer text is none. What leaves it open wins over what ends it: `failed_retryable`.
    """
    if len(text) > _SHORT:
        return None
    found = words(text)
    if not found or len(found) > _MOST_WORDS:
        return None
    known = _known()
    joined = {*found, "".join(found[-2:])}
    if "not" in found or "no" in found:
        return None
    for ended, telling in known.states:
        if telling & joined:
            return ended
    return None


@lru_cache(8192)
def of_flag(name: str) -> Ended | None:
    """What a flag of that name says when it is true: `sent`, `is_paid`, `failed`."""
    found = words(name)
    if not found or len(found) > _MOST_WORDS:
        return None
    known = _known()
    if known.done.intersection(found):
        return Ended.DONE
    return Ended.FAILED if known.failed.intersection(found) else None


@lru_cache(8192)
def holds_state(name: str) -> bool:
    """Whether something of that name holds how a thing stands: `status`, `payment_state`."""
    found = words(name)
    if found[1:] and found[-1] == "id":
        found = found[:-1]
    return bool(found) and found[-1] in _known().holders and "code" not in found


@lru_cache(8192)
def records(name: str) -> bool:
    """Whether a function of that name writes something down, by its first word: `mark_failed`."""
    found = words(name)
    return bool(found) and found[0] in _known().records


@lru_cache(8192)
def only_tells(name: str) -> bool:
    """Whether a function of that name only tells of it, or decides about it."""
    found = words(name)
    return bool(found) and found[0] in _known().tells


@lru_cache(8192)
def hands_over(name: str) -> bool:
    """Whether a function of that name (its dotted one) gives what is not known to a person, or to what asks."""
    found = words(name)
    return bool(_known().hands_over & {*found, *("".join(pair) for pair in pairwise(found))})


def of_answer(text: str) -> Ended | None:
    """What a sentence that is answered says: FAILED, OPEN where it leaves it open, or nothing."""
    known = _known()
    if known.says_open.search(text):
        return Ended.OPEN
    return Ended.FAILED if known.says_failed.search(text) else None


def plainly_failed(text: str) -> bool:
    """Whether a sentence says that it did not happen, in words that are not said of anything else."""
    return of_answer(text) is Ended.FAILED and _known().says_plainly.search(text) is not None


def of_code(status: int) -> Ended | None:
    """What an HTTP status that is answered says: a 4xx that nothing was done, 202 and 409 that it is open."""
    if not 400 <= status < 500:
        return Ended.OPEN if status == 202 else None
    return Ended.FAILED if of_status(status) is Outcome.REFUSED else Ended.OPEN


@cache
def listed(name: str) -> frozenset[str]:
    """One of the lists of `conclusions.toml`, by its name there."""
    return frozenset(_table()[name])


def library(name: str) -> str:
    """The library of a call or an exception (like `Call.qualified`) whose lost answers are known, or nothing."""
    package = name.lstrip("?:").partition(".")[0]
    package = _table()["same"].get(package, package)
    return package if package in _table()["lost"] else ""


def lost(package: str) -> tuple[str, ...]:
    """What the library raises when an answer is lost."""
    return tuple(_table()["lost"].get(package, ()))


def status_error(package: str) -> str:
    """What the library raises for the status of an answer, or nothing."""
    return str(_table()["status"].get(package, ""))


@dataclass(frozen=True, slots=True)
class _Words:
    """The lists of `conclusions.toml`."""

    states: tuple[tuple[Ended, frozenset[str]], ...]
    """In the order in which they win."""
    done: frozenset[str]
    failed: frozenset[str]
    holders: frozenset[str]
    records: frozenset[str]
    tells: frozenset[str]
    hands_over: frozenset[str]
    says_failed: re.Pattern[str]
    says_open: re.Pattern[str]
    says_plainly: re.Pattern[str]


@cache
def _table() -> dict[str, Any]:
    return contents("conclusions")


@cache
def _known() -> _Words:
    table = _table()
    order = (Ended.UNCERTAIN, Ended.OPEN, Ended.FAILED, Ended.WRONG, Ended.DONE)

    def joined(name: str) -> re.Pattern[str]:
        return re.compile("|".join(table[name]), re.IGNORECASE)

    return _Words(
        states=tuple((ended, frozenset(table[ended.value])) for ended in order),
        done=frozenset(table["done"]),
        failed=frozenset(table["failed"]),
        holders=frozenset(table["holders"]),
        records=frozenset(table["records"]),
        tells=frozenset(table["tells"]),
        hands_over=frozenset(table["hands_over"]),
        says_failed=joined("says_failed"),
        says_open=joined("says_open"),
        says_plainly=joined("says_plainly"),
    )
