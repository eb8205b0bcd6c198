"""One value of a field read into a setting: words, numbers, durations, lists of names, callables."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from difflib import get_close_matches
from typing import Any, TypeAlias

from stepcheck.facts import (
    Duration,
    Effect,
    Invocation,
    Lambda,
    Mapping,
    Name,
    Opaque,
    Origin,
    Reference,
    Scalar,
    Sequence,
    Setting,
    Unlimited,
    Value,
    Word,
    parse_duration,
)
from stepcheck.frontends._resolver import Resolver

AnySetting: TypeAlias = Setting[Any]


@dataclass(frozen=True, slots=True)
class Written:
    """What stands behind one field of a step."""

    raw: Value
    """As written, at the place that messages point to."""
    value: Value
    """The same with names followed."""
    resolver: Resolver
    step_names: frozenset[str]

    def inner(self, raw: Value) -> "Written":
        """A part of it."""
        return Written(raw, self.resolver.value(raw), self.resolver, self.step_names)

    def read(self, value: Any) -> AnySetting:
        """It could be read."""
        return Setting(Origin.WRITTEN, value, self.raw.span)

    def opaque(self) -> AnySetting:
        """Only a run could tell."""
        return Setting(Origin.OPAQUE, None, self.raw.span)

    def wrong(self, why: str) -> AnySetting:
        """It can never be a value of the field; `why` completes "'...' "."""
        return Setting(Origin.WRONG, None, self.raw.span, why, shown(self.value))


Reader: TypeAlias = Callable[[Written], AnySetting]


def shown(value: Value) -> str:
    """A value in few characters, for messages."""
    match value:
        case Scalar(value=content):
            return str(content)
        case Name(dotted=dotted):
            return dotted
        case Invocation(function=function):
            return f"{function.dotted}(...)"
        case Mapping():
            return "{...}"
        case Sequence():
            return "[...]"
        case Lambda():
            return "lambda"
        case Opaque():
            return "..."


def unreadable(written: Written) -> bool:
    """Whether names were followed to something that only a run could tell."""
    return isinstance(written.value, Opaque | Name | Invocation | Lambda)


def none_or(read: Reader) -> Reader:
    """Read with `read`, but take an explicit `None` for "known to be absent"."""

    def reader(written: Written) -> AnySetting:
        if isinstance(written.value, Scalar) and written.value.value is None:
            return written.read(None)
        return read(written)

    return reader


def effect(written: Written) -> AnySetting:
    """An effect class, also as a member or constant whose definition cannot be seen (`Effect.READ`, `READ`)."""
    if unreadable(written):
        for value in (written.value, written.raw):
            constant = value is written.value and isinstance(value, Name) and value.dotted.isupper()
            if isinstance(value, Name) and ("." in value.dotted or constant):
                last = value.dotted.rpartition(".")[2].lower()
                if last in tuple(Effect):
                    return written.read(Effect(last))
        return written.opaque()
    return _one_of(written, tuple(Effect), Effect)


def word(*words: str) -> Reader:
    """One of a few words."""
    return lambda written: written.opaque() if unreadable(written) else _one_of(written, words, str)


def _one_of(written: Written, words: tuple[str, ...], make: Callable[[str], str]) -> AnySetting:
    text = written.value.value if isinstance(written.value, Scalar) else None
    if isinstance(text, str) and text in words:
        return written.read(make(text))
    return written.wrong(f"is not one of {', '.join(words)}")


def flag(written: Written) -> AnySetting:
    """True or false."""
    if unreadable(written):
        return written.opaque()
    if isinstance(written.value, Scalar) and isinstance(written.value.value, bool):
        return written.read(written.value.value)
    return written.wrong("is neither true nor false")


def text(written: Written) -> AnySetting:
    """Text that is not empty."""
    if unreadable(written):
        return written.opaque()
    if isinstance(written.value, Scalar) and isinstance(written.value.value, str):
        return written.read(written.value.value) if written.value.value else written.wrong("is empty")
    return written.wrong("is no text")


def attempts(written: Written) -> AnySetting:
    """A number of attempts from 1 upwards; `None`, infinity and "unlimited" are none."""
    if unreadable(written):
        return written.opaque()
    number = written.value.value if isinstance(written.value, Scalar) else ()
    match number:
        case None:
            return replace(written.read(Unlimited.UNLIMITED), why="a written None or null is no limit")
        case "unlimited" | math.inf:
            return written.read(Unlimited.UNLIMITED)
        case bool():
            return written.wrong("is no number of attempts")
        case int() if number >= 1:
            return written.read(number)
        case int():
            return written.wrong("is no number of attempts: the first one counts, so it starts at 1")
        case _:
            return written.wrong("is no number of attempts")


def deadline(written: Written) -> AnySetting:
    """A length of time as ISO 8601 text or `timedelta`; a bare number has no unit."""
    if unreadable(written):
        return written.opaque()
    number = written.value.value if isinstance(written.value, Scalar) else None
    if isinstance(number, int | float) and not isinstance(number, bool):
        return written.wrong("is a number without a unit")
    return _duration(written, number, zero=False)


def seconds(written: Written) -> AnySetting:
    """A length of time: ISO 8601 text, `timedelta`, or a number of seconds."""
    return _seconds(written, zero=False)


def bound(written: Written) -> AnySetting:
    """The same, where zero means "at once"."""
    return _seconds(written, zero=True)


def timeout(written: Written) -> AnySetting:
    """The same, where `None` and infinity mean that nothing bounds the call."""
    if isinstance(written.value, Scalar) and written.value.value in (None, math.inf):
        return written.read(Unlimited.UNLIMITED)
    return _seconds(written, zero=False)


def _seconds(written: Written, *, zero: bool) -> AnySetting:
    if unreadable(written):
        return written.opaque()
    number = written.value.value if isinstance(written.value, Scalar) else None
    if isinstance(number, int | float) and not isinstance(number, bool):
        if math.isnan(number):
            return written.wrong("is no length of time")
        try:
            return _duration(written, timedelta(seconds=number), zero=zero)
        except OverflowError:
            return written.wrong("is longer than a million years" if number > 0 else "is negative")
    return _duration(written, number, zero=zero)


def _duration(written: Written, value: object, *, zero: bool) -> AnySetting:
    match value:
        case timedelta():
            if value < timedelta(0):
                return written.wrong("is negative")
            return written.read(Duration(value)) if value or zero else written.wrong("is zero")
        case str():
            try:
                return written.read(parse_duration(value, zero=zero))
            except ValueError as error:
                return written.wrong(str(error))
        case _:
            return written.wrong("is no length of time")


def names(written: Written) -> AnySetting:
    """A list of names, each with its place."""
    if unreadable(written):
        return written.opaque()
    if not isinstance(written.value, Sequence):
        return written.wrong("is not a list of names")
    items = [written.inner(item) for item in written.value.items]
    if any(unreadable(item) for item in items):
        return written.opaque()
    words = []
    for item in items:
        if not isinstance(item.value, Scalar) or not isinstance(item.value.value, str):
            return item.wrong("is not a name")
        words.append(Word(item.value.value, item.raw.span))
    return written.read(tuple(words))


def callable_(written: Written) -> AnySetting:
    """A callable, or what the resolver takes for the name of one."""
    match written.value:
        case Mapping() | Sequence():
            return written.wrong("is no callable")
        case Scalar(value=content) if not isinstance(content, str):
            return written.wrong("is no callable")
        case Scalar(value=""):
            return written.wrong("is empty")
        case _:
            found: Reference | None = written.resolver.reference(written.raw, written.step_names)
            return written.opaque() if found is None else written.read(found)


COMPARED = 200
"""Steps of one table with which a name is compared at most: in a longer one each would be with thousands."""


def nearest(name: str, known: tuple[str, ...]) -> str:
    """The known name that was probably meant, or nothing."""
    close = get_close_matches(name, known, n=1, cutoff=0.7)
    return close[0] if close else ""
