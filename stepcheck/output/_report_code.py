"""Places of a file as HTML: the lines they are on, with the places marked and what is said of them below."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape as quoted
from itertools import takewhile

from stepcheck.output._cells import escape, glyphs
from stepcheck.output._frames import Marked, Place, marks_of
from stepcheck.output._style import Look, look_of
from stepcheck.report import Finding
from stepcheck.web.code import Line, Mark, block

_LONG = 400
"""Characters of a line beyond which only the surroundings of its first place are shown."""
_BEFORE = 80
"""Characters that are shown before that place."""
_KINDS = {Look.ERROR: "error", Look.WARNING: "warning"}


def code(found: Finding, lines: dict[str, list[str]]) -> Iterator[str]:
    """A block for each file that a finding points into, its own place first; a file not at hand is named."""
    places = [Place(found.span, "", look_of(found.severity)), *related(found)]
    for path in dict.fromkeys(place.span.path for place in places):
        there = [place for place in places if place.span.path == path]
        source = lines.get(path, [])
        first = there[0].span
        yield f'<p class="at">{quoted(escape(path))}:{first.line}:{first.column}</p>'
        shown = list(_near(there, source))
        if shown:
            yield block(shown)
        for place in there:
            if place.label and not marks_of(place, source):
                yield f'<p class="soft">line {place.span.line}: {quoted(escape(place.label))}</p>'


def related(found: Finding) -> list[Place]:
    """The further places of a finding."""
    return [Place(other.span, other.message, Look.NOTE) for other in found.related]


def whole(places: Iterable[Place], source: Sequence[str]) -> str:
    """All lines of a file, with those places marked."""
    by_line = _by_line(places, source)
    return block([_line(number, text, by_line[number]) for number, text in enumerate(source, start=1)])


def _near(places: Iterable[Place], source: Sequence[str]) -> Iterator[Line]:
    """The lines of the places, and one before and behind each that is not empty."""
    by_line = _by_line(places, source)
    near = {line + step for line in by_line for step in (-1, 0, 1)}
    shown = [
        line
        for line in sorted(near)
        if 1 <= line <= len(source) and (line in by_line or source[line - 1].strip())
    ]
    indent = _indent([source[line - 1] for line in shown])
    for line in shown:
        yield _line(line, source[line - 1], by_line[line], indent)


def _indent(lines: Sequence[str]) -> int:
    """How many blanks or tabs all of them begin with, empty ones left aside."""
    beginnings = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    columns = zip(*beginnings, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _by_line(places: Iterable[Place], source: Sequence[str]) -> dict[int, list[Marked]]:
    found: dict[int, list[Marked]] = defaultdict(list)
    for place in places:
        for mark in marks_of(place, source):
            found[mark.line].append(mark)
    return found


def _line(number: int, text: str, marks: Sequence[Marked], indent: int = 0) -> Line:
    """The line as it can be printed, without so many blanks; marks count its characters as they are shown."""
    first = min((mark.column for mark in marks), default=1) - 1
    start = max(first - _BEFORE, indent) if len(text) > _LONG else indent
    part = text[start : start + _LONG]
    shown, at = "…" if start > indent else "", []
    for glyph in glyphs(part):
        at.append(len(shown))
        shown += glyph.text
    at.append(len(shown))
    shown += "…" if start + len(part) < len(text) else ""

    def place(column: int) -> int:
        return at[min(max(column - 1 - start, 0), len(part))]

    return Line(
        number,
        shown,
        tuple(
            Mark(
                place(mark.column),
                max(place(mark.end_column), place(mark.column) + 1),
                _KINDS.get(mark.place.look, "place"),
                escape(mark.place.label),
            )
            for mark in marks
        ),
    )
