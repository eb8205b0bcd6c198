"""The tables of calls, one file for each top-level package, read when the first call of it is asked about."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from stepcheck.catalogue.call_fact import CallFact, Key, Place, Repeat
from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.patterns import Patterns, parts
from stepcheck.facts import Duration, Effect, Evidence, parse_duration

_FOLDER: Final = Path(__file__).with_name("calls")
SHAPES: Final = "_shapes"
"""The table of calls that are told by their last names, whatever package they come from."""


@dataclass(frozen=True, slots=True)
class Condition:
    """An argument that decides the class; the first condition that holds wins."""

    argument: str
    """`*` for any."""
    position: int | None
    effect: Effect
    matches: str = ""
    """A regular expression that the text of the argument is searched for."""
    contains: frozenset[str] = frozenset()
    """Words of which one stands in the argument."""
    given: bool = False
    additive: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table says of the calls of one pattern."""

    fact: CallFact
    by: str
    """`sql` or `method`: the class is that of the statement or verb; nothing for one of its own."""
    when: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The calls of one package."""

    exact: Mapping[str, Entry]
    patterns: Patterns[Entry]
    """Those with `*`."""
    written: tuple[Entry, ...]
    """All, in the order of the file."""

    def find(self, name: str) -> Entry | None:
        """What is known of the call of that name."""
        if name in self.exact:
            return self.exact[name]
        return self.patterns.find(parts(name))


EMPTY: Final = Table({}, Patterns({}, ()), ())


@cache
def packages() -> frozenset[str]:
    """The top-level packages that there are tables of."""
    return frozenset(path.stem for path in _FOLDER.glob("[!_]*.toml"))


@cache
def table(package: str) -> Table:
    """The table of a package; an empty one where there is none."""
    if package not in packages() and package != SHAPES:
        return EMPTY
    return read_table(contents(f"calls/{package}"))


def read_table(written: Mapping[str, Any]) -> Table:
    """A table of what a file holds, or a user's configuration: `calls`, and what they have in common.

    Raises KeyError for a field that is missing, ValueError for a word that is none of those allowed.
    """
    entries = tuple(
        _entry(name, {**written, **group}) for group in written["calls"] for name in group["names"]
    )
    exact = {entry.fact.name: entry for entry in entries if "*" not in entry.fact.name}
    patterns = Patterns.of((entry.fact.name, entry) for entry in entries if "*" in entry.fact.name)
    return Table(exact, patterns, entries)


def _entry(name: str, written: Mapping[str, Any]) -> Entry:
    """An entry; what its group leaves out is as at the head of the file. An empty `client` is none."""
    effect = Effect(written["effect"])
    by = written.get("by", "")
    when = tuple(_condition(condition) for condition in written.get("when", ()))
    fact = CallFact(
        name=name,
        kind=written["kind"],
        effect=effect,
        settled=not by and not when,
        why="",
        evidence=Evidence.NAME if written.get("weak", False) else Evidence.KNOWN,
        source=written["source"],
        checked=written.get("checked", ""),
        key=_key(written["key"]) if "key" in written else None,
        repeat=Repeat(written["repeat"]) if "repeat" in written else None,
        lookup=tuple(written.get("lookup", ())),
        undo=tuple(written.get("undo", ())),
        client=written.get("client", ""),
        additive=written.get("additive", False),
        claims=written.get("claims", False),
        bound=written.get("bound", ""),
        note=written.get("note", ""),
    )
    return Entry(fact, by, when)


def _key(written: Mapping[str, Any]) -> Key:
    window: Duration | None = parse_duration(written["window"]) if "window" in written else None
    return Key(
        name=written["name"],
        place=Place(written["in"]),
        effect=Effect(written["effect"]),
        autofill=written.get("autofill", False),
        window=window,
        required=written.get("required", False),
    )


def _condition(written: Mapping[str, Any]) -> Condition:
    return Condition(
        argument=written["argument"],
        position=written.get("position"),
        effect=Effect(written["effect"]),
        matches=written.get("matches", ""),
        contains=frozenset(written.get("contains", ())),
        given=written.get("given", False),
        additive=written.get("additive", False),
    )
