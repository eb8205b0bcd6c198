"""What records say was done, and which words mean claims, transactions, and what stands outside of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words

_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Words:
    """The lists of `ledgers.toml`."""

    done: frozenset[str]
    past: Mapping[str, str]
    alike: tuple[frozenset[str], ...]
    tells: frozenset[str]
    ledgers: frozenset[str]
    logbooks: frozenset[str]
    steps: frozenset[str]
    logs: frozenset[str]
    calls: frozenset[str]
    claims: frozenset[str]
    notes: frozenset[str]
    releases: frozenset[str]
    sweeps: frozenset[str]
    refusals: frozenset[str]
    inside: frozenset[str]
    light: frozenset[str]
    adds: frozenset[str]
    machinery: frozenset[str]
    outside: frozenset[str]
    leaves: frozenset[str]
    hands_over: frozenset[str]
    references: frozenset[str]
    unused: frozenset[str]
    looking: frozenset[str]
    asking: frozenset[str]
    works: frozenset[str]
    results: frozenset[str]
    open: frozenset[str]
    keys: frozenset[str]
    queued: frozenset[str]
    carries: frozenset[str]
    vague_hooks: frozenset[str]
    hooks: frozenset[str]
    received: frozenset[str]
    missing: frozenset[str]
    duplicates: frozenset[str]
    tracers: frozenset[str]
    entered: frozenset[str]
    around: frozenset[str]
    runs: frozenset[str]
    aborted: frozenset[str]


@cache
def known() -> Words:
    """The lists, read once."""
    table = contents("ledgers")
    flat = {
        name: frozenset(found) for name, found in table.items() if isinstance(found, list) and name != "alike"
    }
    flat |= {name: frozenset(found) for name, found in table["transactions"].items()}
    alike = tuple(frozenset(group) for group in table["alike"])
    return Words(**flat | {"past": table["past"], "alike": alike})  # type: ignore[arg-type]


def over(state: str) -> bool:
    """Whether a state, or the name of a field that tells one, says that something is over: `done`, `is_processed`."""
    return bool(known().done.intersection(words(state)))


def says(state: str, verb: str) -> bool:
    """Whether a state says that just this was done: `sent` of `send` and of `email`, `charged_at` of `charge`."""
    return any(_same(verb, word) for word in words(state))


def claims(name: str) -> bool:
    """Whether something of that name lets only the first of several through, or keeps others out."""
    return bool(known().claims.intersection(words(name)))


def tells(name: str) -> bool:
    """Whether something of that name tells people of what is done already."""
    return bool(known().tells.intersection(words(name)))


@lru_cache(2048)
def _same(verb: str, past: str) -> bool:
    groups = [group for group in known().alike if verb in group]
    verbs = frozenset({verb}).union(*groups)
    if known().past.get(past) in verbs:
        return True
    return any(past in _past(one) for one in verbs)


def _past(verb: str) -> tuple[str, ...]:
    """What the verb's past may be, by its ending."""
    if verb.endswith("e"):
        return (verb + "d",)
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return (verb[:-1] + "ied",)
    return (verb + "ed", verb + verb[-1] + "ed")
