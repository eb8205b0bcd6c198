"""The part of a source line that is shown: laid out in cells, cut around a place where it is too long."""

from dataclasses import dataclass

from stepcheck.output._cells import Glyph, glyphs

CUT = "..."
_LONG = 4000
"""Characters past which only the surroundings of the place are laid out: a minified file is one line."""


@dataclass(frozen=True, slots=True)
class Window:
    """What is shown of a line, and the cells of it to mark: from `start` to before `end`, at least one."""

    text: str
    start: int
    end: int


def window(line: str, column: int, end_column: int, room: int) -> Window:
    """The line in at most `room` cells, with the place from `column` to before `end_column` in sight.

    Of a place that is wider than the room its start is shown. A place behind the line's end is marked there.
    """
    first = max(column - 1 - room, 0) if len(line) > _LONG else 0
    last = min(len(line), first + 4 * room) if len(line) > _LONG else len(line)
    layout = list(glyphs(line[first:last]))
    total = layout[-1].start + layout[-1].width if layout else 0
    start, end = (_cell(layout, at - 1 - first, total) for at in (column, end_column))
    end = max(end, start + 1)
    fits = first == 0 and last == len(line) and max(total, end) <= room
    left = 0 if fits else _left(start, end, total, room, cut=first > 0)
    shown = [glyph for glyph in layout if glyph.start >= left]
    before = CUT if first or left else ""
    shift = len(before) - (shown[0].start if shown else left)
    limit = room if last == len(line) and total + shift <= room else room - len(CUT)
    kept = [glyph for glyph in shown if glyph.start + glyph.width + shift <= limit]
    after = CUT if len(kept) < len(shown) or last < len(line) else ""
    text = before + "".join(glyph.text for glyph in kept) + after
    return Window(text.rstrip(), start + shift, max(min(end + shift, room), start + shift + 1))


def _cell(layout: list[Glyph], index: int, total: int) -> int:
    if index < len(layout):
        return layout[max(index, 0)].start
    return total + index - len(layout) if index == len(layout) else total


def _left(start: int, end: int, total: int, room: int, *, cut: bool) -> int:
    """The first cell to show of a line that does not fit."""
    inside = room - 2 * len(CUT)
    if not cut and end <= room - len(CUT):
        return 0
    around = (inside - min(end - start, inside)) // 2
    left = min(start - around, max(total, end) - room + len(CUT))
    return left if left > len(CUT) else 0
