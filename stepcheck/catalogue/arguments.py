"""What is written in the argument list of a call, as far as facts about calls depend on it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Item,
    Result,
    Variable,
)
from stepcheck.code.flow.expression import dotted

HOLE: Final = "{}"
"""Stands in a text for a part that only a run could tell."""
_DEPTH = 8
"""Calls inside arguments that are looked into; deeper ones are opaque."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument."""

    value: str | int | float | bool | None = None
    """The literal, where it is one; of a text in parts (an f-string), with holes for the unknown ones."""
    literal: bool = False
    """`value` is what was written, but for holes."""
    whole: bool = False
    """All of it is written in the call: a literal, or a container of entries with nothing spread into it."""
    calls: tuple["Made", ...] = ()
    """The calls that give it, several where operators join them: `stop_after_attempt(3) | stop_after_delay(9)`."""
    words: frozenset[str] = frozenset()
    """Every text and name inside it, called ones with brackets too: `$inc`, `sqlalchemy.text`, `text()`."""

    @property
    def text(self) -> str | None:
        """The text written, or None."""
        return self.value if self.literal and isinstance(self.value, str) else None


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call."""

    positional: tuple[Argument, ...] = ()
    """Up to the first `*values`."""
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    open: bool = False
    """Something is spread into it: what is not seen here may be given all the same."""

    def get(self, name: str, position: int | None = None) -> Argument | None:
        """The argument of that name, or at that place (from 0), or None."""
        found = self.keywords.get(name)
        if found is None and position is not None and position < len(self.positional):
            return self.positional[position]
        return found

    def all(self) -> Iterator[Argument]:
        """Every argument that is seen."""
        yield from self.positional
        yield from self.keywords.values()


@dataclass(frozen=True, slots=True)
class Made:
    """A call whose answer is an argument."""

    name: str
    """Like `Call.qualified`, or as written."""
    arguments: Arguments


NOTHING: Final = Arguments(open=True)
"""Of a call whose arguments are not known."""


def read(
    call: Call,
    results: Mapping[int, Call] | None = None,
    follow: Callable[[Expression], Expression] = lambda value: value,
) -> Arguments:
    """The arguments of a call.

    `results` are the calls of the same flow by number, so that `text("...")` and `F("x")` are seen; `follow`
    may say what a variable is.
    """
    return _Reader(results or {}, follow).arguments(call, _DEPTH)


@dataclass(frozen=True, slots=True)
class _Reader:
    results: Mapping[int, Call]
    follow: Callable[[Expression], Expression]

    def arguments(self, call: Call, left: int) -> Arguments:
        positional: list[Argument] = []
        spread = False
        for value in call.arguments:
            if isinstance(value, Compound) and value.kind == "star":
                spread = True
                break
            positional.append(self.argument(value, left))
        keywords = {word.name: self.argument(word.value, left) for word in call.keywords if word.name}
        spread = spread or any(not word.name for word in call.keywords)
        return Arguments(tuple(positional), keywords, spread)

    def argument(self, value: Expression, left: int) -> Argument:
        value = self.follow(value)
        found: set[str] = set()
        self.words(value, left, found)
        words = frozenset(found)
        text = self.text(value, left)
        if text is not None:
            return Argument(text, literal=True, whole=True, words=words)
        if isinstance(value, Constant) and not value.kind:
            return Argument(value.value, literal=True, whole=True, words=words)
        return Argument(whole=_whole(value), calls=tuple(self.made(value, left)), words=words)

    def made(self, value: Expression, left: int) -> Iterator[Made]:
        """The calls that give a value."""
        match self.follow(value):
            case Result(number=number) if left > 0 and number in self.results:
                inner = self.results[number]
                yield Made(inner.qualified or inner.dotted, self.arguments(inner, left - 1))
            case Compound(kind="binary" | "choice", parts=parts):
                for part in parts:
                    yield from self.made(part, left)
            case _:
                return

    def text(self, value: Expression, left: int) -> str | None:
        """A text with holes; None for what is no text, or a hole altogether."""
        value = self.follow(value)
        match value:
            case Constant(value=str(text), kind=""):
                return text
            case Compound(kind="text", parts=parts):
                return "".join(self._part(part, left) for part in parts)
            case Compound(kind="binary", text=operator, parts=(first, *rest)):
                start = self.text(first, left)
                if operator == "%" and start is not None:
                    return re.sub(r"%(?:\(\w+\))?[sdrif]", HOLE, start)
                if operator == "+":
                    pieces = [start, *(self.text(part, left) for part in rest)]
                    known = any(piece is not None for piece in pieces)
                    return "".join(HOLE if piece is None else piece for piece in pieces) if known else None
                return None
            case Result(number=number) if left > 0 and number in self.results:
                inner = self.results[number]
                callee = inner.callee
                called = inner.qualified.rpartition(".")[2].lstrip("?:")
                name = callee.name if isinstance(callee, Attribute) else called
                if name in ("text", "SQL", "dedent") and inner.arguments:
                    return self.text(inner.arguments[0], left - 1)
                if name == "format" and isinstance(callee, Attribute):
                    start = self.text(callee.base, left - 1)
                    return None if start is None else re.sub(r"\{[^{}]*\}", HOLE, start)
                return None
            case _:
                return None

    def _part(self, part: Expression, left: int) -> str:
        text = self.text(part, left)
        return HOLE if text is None else text

    def words(self, value: Expression, left: int, found: set[str]) -> None:
        """Add every text and name inside a value to those that were found."""
        value = self.follow(value)
        match value:
            case Constant(value=str(text), kind=""):
                found.add(text)
            case Variable() | Attribute():
                if name := dotted(value):
                    found.add(name)
                    found.add(name.rpartition(".")[2])
                elif isinstance(value, Attribute):
                    found.add(value.name)
                    self.words(value.base, left, found)
            case Result(number=number) if left > 0 and number in self.results:
                self._words_of(self.results[number], left - 1, found)
            case Item(base=base, index=index):
                self.words(base, left, found)
                self.words(index, left, found)
            case Compound(parts=parts):
                for part in parts:
                    self.words(part, left, found)
            case _:
                return

    def _words_of(self, call: Call, left: int, found: set[str]) -> None:
        found.update([name for name in (call.qualified, call.dotted) if name])
        callee = call.callee
        last = callee.name if isinstance(callee, Attribute) else call.qualified or call.dotted
        found.add(last.rpartition(".")[2].lstrip(":?") + "()")
        found.update([word.name for word in call.keywords if word.name])
        for part in call.arguments:
            self.words(part, left, found)
        for word in call.keywords:
            self.words(word.value, left, found)
        if isinstance(callee, Attribute):
            self.words(callee.base, left, found)


def _whole(value: Expression) -> bool:
    """Whether a value is a constant or a container written out; what an entry holds is not looked at."""
    if isinstance(value, Compound) and value.kind in ("dict", "list", "tuple", "set"):
        entries = [part for part in value.parts if isinstance(part, Compound)]
        return not any(part.kind in ("spread", "star") for part in entries)
    return isinstance(value, Constant)
