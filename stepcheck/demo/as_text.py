"""A demonstration for a terminal: the mistake's story, what it leaves, then the good twin's."""

import textwrap
from collections.abc import Iterator

from stepcheck.demo import Demo, Happened, Side

_NARROW, _WIDE = 37, 60
"""Columns for what happened."""


def lines(demos: tuple[Demo, ...], columns: int = 100) -> Iterator[str]:
    """Return what to print, line by line; the first demonstration is told, the others are named."""
    first, *others = demos
    yield f"{first.rule}: {first.title}"
    yield ""
    yield f"Harm: {first.harm}. {first.means[0].upper()}{first.means[1:]}."
    yield f"What goes wrong on the way: {', '.join(first.faults) or 'nothing at all'}."
    yield ""
    yield "WITH THE MISTAKE"
    yield from _side(first.bad, columns)
    yield "WITHOUT IT, AND THE SAME GOING WRONG"
    yield from _side(first.good, columns)
    for other in others:
        yield f"See also: {other.title} ({other.harm})."


def _side(side: Side, columns: int) -> Iterator[str]:
    if side.code:
        yield ""
        yield from (f"    {line}".rstrip() for line in side.code.splitlines())
        yield ""
    digits = len(str(len(side.sentences)))
    for number, sentence in enumerate(side.sentences, start=1):
        first = f"  {number:>{digits}}. "
        yield from textwrap.wrap(sentence, columns, initial_indent=first, subsequent_indent=" " * len(first))
    yield ""
    happened = [_moment(one) + one.what for one in side.effects] or ["nothing"]
    says = [f"{row.step!r}: {row.words}" for row in side.rows] or ["nothing"]
    width = max(_NARROW, min(_WIDE, max(len(one) for one in happened)))
    yield f"     {'what happened in the world':<{width}} | what is recorded"
    for number in range(max(len(happened), len(says))):
        left = happened[number] if number < len(happened) else ""
        right = says[number] if number < len(says) else ""
        yield f"     {left:<{width}} | {right}".rstrip()
    yield ""


def _moment(one: Happened) -> str:
    return "" if one.seconds is None else f"{one.seconds:7.1f} s  "
