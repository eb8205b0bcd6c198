"""What a call and a query can answer, and how an exception is told apart: definite only if it says so."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

NEVER_DEFINITE = frozenset({408, 409, 425, 429})
"""Timeout, conflict with a request under way, too early, too many: each can follow a send that landed."""


class Definite(Exception):
    """Raised by a `call`: the other side refused before any effect."""


class Ambiguous(Exception):
    """Raised by a `call`: no answer, or one that does not tell; `status` is the HTTP status, if any."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status


@dataclass(frozen=True, slots=True)
class Answer:
    """The other side acknowledged."""

    value: object


@dataclass(frozen=True, slots=True)
class Refused:
    """The other side refused before any effect."""

    error: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything that is neither an answer nor a definite refusal."""

    error: str
    status: int | None = None


Reply: TypeAlias = Answer | Refused | Unknown


@dataclass(frozen=True, slots=True)
class Found:
    """A query's answer: it happened; `receipt` is what the other side has of it."""

    receipt: object


@dataclass(frozen=True, slots=True)
class Absent:
    """A query's answer: nothing of it is there now."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A query's answer: it is there and not settled yet."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The query itself failed, or answered what cannot be read as one of the three answers."""

    error: str


Sighting: TypeAlias = Found | Absent | Pending | NoAnswer


def refusal(error: Exception, definite: Callable[[BaseException], bool] | None = None) -> Refused | Unknown:
    """Return what an exception from a call means; Unknown unless it is known to be definite.

    An exception that cannot be read, because reading it raises another, is Unknown.
    """
    try:
        return _read(error, definite)
    except Exception:
        return Unknown(told(error))


def told(error: BaseException) -> str:
    """Return an exception as its class and its words."""
    return f"{type(error).__name__}: {words(error)}"


def words(error: BaseException) -> str:
    """Return what an exception says, and that it says nothing where saying it raises another."""
    try:
        return str(error)
    except Exception:
        return "no words, because putting it into words raised another exception"


def _read(error: Exception, definite: Callable[[BaseException], bool] | None) -> Refused | Unknown:
    text = f"{type(error).__name__}: {error}"
    status = http_status(error)
    if status in NEVER_DEFINITE:
        return Unknown(text, status)
    if isinstance(error, Definite):
        return Refused(text)
    if definite is not None:
        try:
            if definite(error):
                return Refused(text)
        except Exception as second:
            return Unknown(f"{text} (and telling whether it is definite raised {told(second)})", status)
    return Unknown(text, status)


def http_status(error: BaseException) -> int | None:
    """Return the HTTP status an exception carries, None where it carries none that can be told."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            status = getattr(holder, name, None)
            if type(status) is int and 100 <= status <= 599:
                return status
    return None


def sighting(answer: object) -> Sighting:
    """Return what a query answered: None is Absent; what has two readings (a list, 0, {}) is no answer."""
    if isinstance(answer, Found | Absent | Pending | NoAnswer):
        return answer
    if answer is None:
        return Absent()
    if isinstance(answer, bool | int | float | list | tuple | set | frozenset) or inspect.isawaitable(answer):
        return NoAnswer(f"the query returned {answer!r}, which is none of Found(...), Absent() and Pending()")
    if isinstance(answer, str | bytes | Mapping) and not answer:
        return NoAnswer(
            f"the query returned the empty {answer!r}, which is none of Found(...), Absent() and Pending()"
        )
    return Found(answer)
