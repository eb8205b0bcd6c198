"""What a file writes down, as plain data: the one tree that Python, YAML, TOML and JSON are all read into.

A value is as written: names are not yet resolved (that is linking), duplicate keys are kept, and what cannot be
read without running it is `Opaque`. Every node knows its place.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """A constant. `timedelta(...)` of constants is one too: its value is what was written, computed."""

    value: str | int | float | bool | timedelta | None
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping, or (with no key) something spread or merged into it, like `**COMMON`."""

    key: "Value | None"
    value: "Value"
    conditional: bool = False
    """Written under an `if`, `try` or loop: it may or may not be there when the table is used."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict, a YAML or JSON mapping, a TOML table: its entries in the order written, duplicates included."""

    entries: tuple[Entry, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, tuple, set or array."""

    items: tuple["Value", ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A dotted name, read in the scope of the module it stands in: `create`, `calls.create`, `Effect.READ`."""

    dotted: str
    span: Span


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call that was written: `Step(name="x", effect="read")`, `partial(create, currency="EUR")`."""

    function: Name
    arguments: tuple["Value", ...]
    keywords: tuple[Entry, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function without a name."""

    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """Written, but only a run could tell what it is. `why` completes the sentence "it is ..."."""

    why: str
    span: Span


Value: TypeAlias = Scalar | Mapping | Sequence | Name | Invocation | Lambda | Opaque
