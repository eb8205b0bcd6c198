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
    deciding: tuple[Binding, ...]
    """Those among them that may have given it what it holds, from the last that surely did."""


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
    if abs(len(name) - len(other)) > 3:
        return 0.0
    words, others = name.lower().split("_"), other.lower().split("_")
    if len(words) != len(others):
        if len(name) < 6:
            return 0.0
        return _ratio("".join(words), "".join(others), 0.9)
    for word, otherword in zip(words, others, strict=True):
        if word != otherword and (min(len(word), len(otherword)) < 4 or not _ratio(word, otherword, 0.8)):
            return 0.0
    return _ratio(name, other, 0.0)


def _ratio(left: str, right: str, least: float) -> float:
    """How alike two words are, from 0 to 1; 0 where that is below the least."""
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if least and (2 * min(len(left), len(right)) < least * (len(left) + len(right))):
        return 0.0
    if matcher.quick_ratio() < least:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0.0
