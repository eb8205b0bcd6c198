"""What an exception tells of the write that raised it, and which ones a library's writes raise for lost answers."""

from collections.abc import Iterable

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import conclusions, exceptions, names
from stepcheck.catalogue.imports import usual
from stepcheck.facts import Outcome

_CANCELS = frozenset({"CancelledError", "SoftTimeLimitExceeded", "TimeLimitExceeded"})
_BROAD = frozenset({"", "builtins.Exception", "builtins.BaseException"})

_AGAIN = frozenset({"retryable", "retriable", "transient", "temporary"})


def tells(context: Context, name: str) -> Outcome:
    """What an exception class (named like `Catch.types`) tells: as known, by its words, or by its bases."""
    last = words.last(name.lstrip("?:"))
    if last in _CANCELS:
        return Outcome.UNKNOWN
    if name in _BROAD:
        return Outcome.UNKNOWN
    known = exceptions.exception(name)
    if known is not None and known.outcome is not Outcome.OPAQUE:
        return known.outcome
    told = exceptions.outcome(name)
    if told is not None and told.outcome is not Outcome.OPAQUE:
        return told.outcome
    found = words.outcome(name)
    if found is Outcome.OPAQUE and name.startswith(":"):
        above = [base for base in context.exceptions.bases.get(name, ()) if base and base not in _BROAD]
        return words.worst(above) if above else found
    return found


def is_a(context: Context, kind: str, ancestor: str) -> bool | None:
    """Whether every exception of one class is one of the other, as `Hierarchy.is_a`; unbound names are usual ones."""
    return context.exceptions.is_a(usual(kind).lstrip("?"), usual(ancestor).lstrip("?"))


def broad(name: str) -> bool:
    """Whether a handler of that class takes whatever goes wrong, mistakes of ours included."""
    return name in _BROAD


def own(name: str) -> bool:
    """Whether it is a class of the project, and not one that is known."""
    return exceptions.exception(name) is None and not name.startswith("builtins.")


def leaves_open(context: Context, name: str) -> bool:
    """Whether by its words it is for what nobody knows, or for what may be tried again."""
    said = names.words(words.last(name.lstrip("?:")))
    return bool(_AGAIN.intersection(said)) or tells(context, name) is Outcome.UNKNOWN


def by_status(name: str) -> bool:
    """Whether it is an answer's status that tells more: `requests.HTTPError`."""
    known = exceptions.exception(name)
    return known is not None and known.by_status


def of_database(name: str) -> bool:
    """Whether a database raises it, whose transaction takes back what it does not carry out."""
    package = usual(name).lstrip("?:").partition(".")[0]
    last = words.last(name)
    return package in (
        "sqlalchemy",
        "django",
        "psycopg",
        "psycopg2",
        "sqlite3",
        "asyncpg",
        "pymongo",
        "redis",
    ) or (last in conclusions.listed("database_errors") or last in conclusions.listed("duplicate_errors"))


def cancels(name: str) -> bool:
    """Whether it says that the work was called off on this side."""
    return words.last(name.lstrip("?:")) in _CANCELS


def library(classes: Iterable[str]) -> str:
    """The library whose calls or exceptions the first of these are, where its lost answers are known, or nothing."""
    return next((found for name in classes if (found := conclusions.library(usual(name)))), "")


def shown(classes: Iterable[str]) -> str:
    """The classes as people write them, for messages."""
    made = [name.lstrip("?:").removeprefix("builtins.") or "every exception" for name in classes]
    return ", ".join(dict.fromkeys(made))
