"""What a dotted name turned out to mean, once it was followed across files."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias

from stepcheck.code.module import Binding, Class, Function
from stepcheck.facts import Span, Target


@dataclass(frozen=True, slots=True)
class Found:
    """A callable that was looked for by its dotted name. Fields as in `facts.Reference`."""

    target: Target
    """FUNCTION, OUTSIDE, MISSING or UNKNOWN."""
    identity: str = ""
    definition: Span | None = None
    why: str = ""
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A module or package of the project."""

    path: str
    """Of the `.py` file; of the folder for a package without `__init__.py`."""
    dotted: str
    """As it was looked for."""
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or class of the project."""

    path: str
    item: Function | Class
    through: str = ""
    """For a method reached through an instance: the instance, as an identity."""


@dataclass(frozen=True, slots=True)
class Held:
    """A name that holds a value: everything that happens to it in its scope, in order."""

    path: str
    scope: int
    name: str
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """Something of a package that is no part of the project."""

    dotted: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Something the project does not define, where it would have to."""

    why: str
    """Completes "there is "."""
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Unbound:
    """A name that nothing in its file binds."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something only a run could tell."""


Thing: TypeAlias = File | Defined | Held | Outside | Missing | Unbound | Unknown


def nearest_name(name: str, known: list[str]) -> str:
    """The known name that was probably meant, or nothing.

    Names are compared word by word: `creat_order` is near `create_order`, `create_a` is not near `create_b`.
    """
    ratio, best = max(
        ((_nearness(name, other), other) for other in known if other != name), default=(0.0, "")
    )
    return best if ratio > 0 else ""


def _nearness(name: str, other: str) -> float:
    if abs(len(name) - len(other)) > 3 or not set(name) & set(other):
        return 0.0
    words, others = name.lower().split("_"), other.lower().split("_")
    if len(words) != len(others):
        ratio = _ratio("".join(words), "".join(others))
        return ratio if ratio >= 0.9 and len(name) >= 6 else 0.0
    ratios = [_ratio(word, otherword) for word, otherword in zip(words, others, strict=True)]
    pairs = zip(words, others, ratios, strict=True)
    if all(ratio == 1 or (ratio >= 0.8 and min(len(a), len(b)) >= 4) for a, b, ratio in pairs):
        return _ratio(name, other)
    return 0.0


def _ratio(left: str, right: str) -> float:
    return SequenceMatcher(None, left, right, autojunk=False).ratio()
