"""What an exception tells of the call that raised it, and which classes are which: per library."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.names import words
from stepcheck.facts import Evidence, Outcome

_UNKNOWN_STATUSES = frozenset({408, 409, 425, 429})
_ORDER = (
    ("not_sent", Outcome.NOT_SENT),
    ("broad", Outcome.UNKNOWN),
    ("refused", Outcome.REFUSED),
    ("unknown", Outcome.UNKNOWN),
)


@dataclass(frozen=True, slots=True)
class ExceptionFact:
    """What is known of an exception class."""

    name: str
    """The name that the others stand for."""
    bases: tuple[str, ...]
    outcome: Outcome
    """What it tells at the worst; opaque for one that no call to the outside raises."""
    by_status: bool
    """The status of the answer tells more: `of_status`."""
    evidence: Evidence
    source: str


def exception(name: str) -> ExceptionFact | None:
    """What is known of the class of that name (like `Call.qualified`), by its own name or another."""
    found = _known().get(usual(name))
    if found is not None and name.startswith("?"):
        return replace(found, evidence=Evidence.NAME)
    return found


def outcome(name: str) -> ExceptionFact | None:
    """The same, or what the words of its name suggest: `PspDeclined`, `GatewayTimeout`.

    None where neither tells anything.
    """
    found = exception(name)
    if found is not None and found.outcome is not Outcome.OPAQUE:
        return found
    meant = _by_words(name.rpartition(".")[2].lstrip(":?"))
    if meant is None:
        return found
    return ExceptionFact(name, (), meant, False, Evidence.NAME, "the words of its name")


def _by_words(last: str) -> Outcome | None:
    """What the words of a class's name tell; None for nothing."""
    inside = set(words(last))
    listed = _words()
    if last in listed["never_sent"]:
        return Outcome.NOT_SENT
    late = "timeout" in inside or {"timed", "out"} <= inside
    for group, meant in _ORDER:
        if group == "broad":
            if last in listed["broad"]:
                return meant
            continue
        if late and meant is Outcome.REFUSED:
            continue
        if any(set(together.split()) <= inside for together in listed[group]):
            return meant
    return Outcome.UNKNOWN if late else None


def of_status(status: int) -> Outcome:
    """What the status of an HTTP answer tells: a 4xx is a refusal, but for 408, 409, 425 and 429.

    RFC 9110 section 15.5; those four, and every 5xx, may come after the work was done or begun.
    """
    refused = 400 <= status < 500 and status not in _UNKNOWN_STATUSES
    return Outcome.REFUSED if refused else Outcome.UNKNOWN


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    table = contents("exceptions")
    return {name: tuple(listed) for name, listed in table.items() if name != "source"}


@cache
def bases() -> Mapping[str, tuple[str, ...]]:
    """Every class with its bases, for `handlers.hierarchy`; two names of one class are each other's base."""
    table: dict[str, tuple[str, ...]] = {}
    for name, found in _known().items():
        if name == found.name:
            others = tuple(other for other in _names()[name] if other != name)
            table[name] = (*found.bases, *others)
        else:
            table[name] = (found.name,)
    return MappingProxyType(table)


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for name, found in _known().items():
        groups.setdefault(found.name, []).append(name)
    return {name: tuple(group) for name, group in groups.items()}


@cache
def _known() -> Mapping[str, ExceptionFact]:
    kinds = {
        "not_sent": Outcome.NOT_SENT,
        "refused": Outcome.REFUSED,
        "unknown": Outcome.UNKNOWN,
        "status": Outcome.UNKNOWN,
        "-": Outcome.OPAQUE,
    }
    table: dict[str, ExceptionFact] = {}
    for line in Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        names, above, kind, source = line.split("\t")
        first, *others = names.split(" ")
        known = () if above == "-" else tuple(above.split(" "))
        fact = ExceptionFact(first, known, kinds[kind], kind == "status", Evidence.KNOWN, source)
        for name in (first, *others):
            table[name] = fact
    return table
