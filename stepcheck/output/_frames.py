"""Frames: places of a file shown as source lines with marks beneath."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stepcheck.facts import Span
from stepcheck.output._cells import escape, width, wrap
from stepcheck.output._style import Look, Style
from stepcheck.output._window import CUT, Window, window

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNBOUNDED = 160
"""Columns that source lines are cut to where no terminal says how wide it is."""
_WHOLE = 3
"""Lines up to which a place of several is shown whole; of a longer one, the first and the last."""


@dataclass(frozen=True, slots=True)
class Place:
    """A span to mark, with what it has to do with the finding."""

    span: Span
    label: str
    look: Look
    mark: str = "-"


@dataclass(frozen=True, slots=True)
class Canvas:
    """What frames are drawn on."""

    style: Style
    columns: int
    """Of the terminal; 0 where there is none: labels are not wrapped."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The part of a place that stands on one line; the last part has the label."""

    place: Place
    line: int
    column: int
    end_column: int


def split_lines(text: str) -> list[str]:
    """A file's lines as Python counts them: form feeds and Unicode's own line ends do not end one."""
    return _LINE_END.split(text)


def draw(
    places: Iterable[Place], notes: Iterable[tuple[str, str]], lines: dict[str, list[str]], canvas: Canvas
) -> Iterator[str]:
    """The places' frames, one a file in the order in which the files come; then the notes by name.

    A place whose source is not at hand is named and told without it.
    """
    marks = {place: marks_of(place, lines.get(place.span.path, [])) for place in places}
    gutter = len(str(max((mark.line for found in marks.values() for mark in found), default=1)))
    for number, path in enumerate(dict.fromkeys(place.span.path for place in marks)):
        there = {place: found for place, found in marks.items() if place.span.path == path}
        first = next(iter(there)).span
        arrow = canvas.style.paint(":::" if number else "-->", Look.NOTE)
        yield f"{' ' * gutter}{arrow} {escape(path)}:{first.line}:{first.column}"
        yield from _frame(
            [mark for found in there.values() for mark in found], lines.get(path, []), gutter, canvas
        )
        for place, found in there.items():
            if place.label and not found:
                yield from _note(f"line {place.span.line}", place.label, gutter, canvas)
    for name, text in notes:
        yield from _note(name, text, gutter, canvas)


def _note(name: str, text: str, gutter: int, canvas: Canvas) -> Iterator[str]:
    paint, lead = canvas.style.paint, " " * (gutter + 1)
    plain = f"{lead}= {name}: "
    first, *rest = wrap(escape(text), canvas.columns, first=plain, rest=f"{lead}  ")
    yield f"{lead}{paint('=', Look.NOTE)} {paint(f'{name}:', Look.STRONG)} {first[len(plain) :]}"
    yield from rest


def marks_of(place: Place, lines: Sequence[str]) -> list[Marked]:
    """A mark for each line of a short place, for the first and last of a long one; the last has the label."""
    span = place.span
    if not 1 <= span.line <= len(lines):
        return []
    end_line, end_column = span.end_line, span.end_column
    if end_column == 1 and end_line > span.line:
        end_line, end_column = end_line - 1, len(lines[min(end_line - 1, len(lines)) - 1]) + 1
    if end_line > len(lines):
        end_line, end_column = len(lines), len(lines[-1]) + 1
    if end_line <= span.line:
        return [Marked(place, span.line, span.column, end_column if end_line == span.line else span.column)]
    found = []
    for line in range(span.line, end_line + 1):
        text = lines[line - 1]
        if not text.strip() or (end_line - span.line >= _WHOLE and span.line < line < end_line):
            continue
        column = span.column if line == span.line else len(text) - len(text.lstrip()) + 1
        end = end_column if line == end_line else len(text.rstrip()) + 1
        found.append(Marked(replace(place, label=""), line, column, max(end, column)))
    return [*found[:-1], replace(found[-1], place=place)] if found else [Marked(place, span.line, 1, 1)]


def _frame(marks: list[Marked], lines: list[str], gutter: int, canvas: Canvas) -> Iterator[str]:
    if not marks:
        return
    empty = _row("", gutter, canvas)
    yield empty
    before = 0
    for line in sorted({mark.line for mark in marks}):
        if before and line == before + 2:
            yield _row(window(lines[before], 1, 1, _room(gutter, canvas)).text, gutter, canvas, before + 1)
        elif before and line > before + 1:
            yield canvas.style.paint(CUT, Look.NOTE)
        yield from _line(line, lines[line - 1], [mark for mark in marks if mark.line == line], gutter, canvas)
        before = line
    yield empty


def _line(line: int, text: str, marks: list[Marked], gutter: int, canvas: Canvas) -> Iterator[str]:
    """A source line, each of its marks on a row of its own; shown again for a mark that was out of sight."""
    shown = ""
    for mark in marks:
        part = window(text, mark.column, mark.end_column, _room(gutter, canvas))
        if mark is marks[0] or part.text != shown:
            yield _row(part.text, gutter, canvas, line)
            shown = part.text
        for row in _under(mark.place, part, _room(gutter, canvas), canvas):
            yield _row(row, gutter, canvas)


def _under(place: Place, part: Window, room: int, canvas: Canvas) -> Iterator[str]:
    """The rows under a source line: the mark, with its label beside it where there is room, else below."""
    paint = canvas.style.paint
    marks = " " * part.start + paint(place.mark * (part.end - part.start), place.look)
    label = escape(place.label)
    if label and (not canvas.columns or part.end + 1 + width(label) <= room):
        yield f"{marks} {paint(label, place.look)}"
        return
    yield marks
    if label:
        indent = min(part.start, max(room - 40, 0))
        yield from (" " * indent + paint(line, place.look) for line in wrap(label, room - indent))


def _row(text: str, gutter: int, canvas: Canvas, line: int | None = None) -> str:
    number = canvas.style.paint(f"{'' if line is None else line:>{gutter}}", Look.NOTE)
    return f"{number} {canvas.style.paint('|', Look.NOTE)} {text}".rstrip()


def _room(gutter: int, canvas: Canvas) -> int:
    """Columns for source, right of the gutter."""
    return max((canvas.columns or _UNBOUNDED) - gutter - 3, 16)
