"""The code of a finding as HTML: the lines of its places, with one around them, and the places marked."""

from collections import defaultdict
from collections.abc import Iterator
from html import escape as quoted

from stepcheck.output._cells import escape, glyphs
from stepcheck.output._frames import Marked, Place, marks_of
from stepcheck.output._style import Look
from stepcheck.report import Finding
from stepcheck.web.code import Line, Mark, block

_LONG = 400
"""Characters of a line beyond which only the surroundings of its first place are shown."""
_BEFORE = 80
"""Characters that are shown before that place."""


def code(found: Finding, lines: dict[str, list[str]]) -> Iterator[str]:
    """A block for each file that the finding points into, its own place first; a file not at hand is named."""
    places = [Place(found.span, "", Look.ERROR)]
    places += [Place(related.span, related.message, Look.NOTE) for related in found.related]
    for path in dict.fromkeys(place.span.path for place in places):
        there = [place for place in places if place.span.path == path]
        source = lines.get(path, [])
        first = there[0].span
        yield f'<p class="at">{quoted(escape(path))}:{first.line}:{first.column}</p>'
        marks = [mark for place in there for mark in marks_of(place, source)]
        if marks:
            yield block(list(_shown(marks, source, found.severity)))
        for place in there:
            if place.label and not marks_of(place, source):
                yield f'<p class="soft">line {place.span.line}: {quoted(escape(place.label))}</p>'


def _shown(marks: list[Marked], source: list[str], severity: str) -> Iterator[Line]:
    by_line: dict[int, list[Marked]] = defaultdict(list)
    for mark in marks:
        by_line[mark.line].append(mark)
    near = {line + step for line in by_line for step in (-1, 0, 1)}
    wanted = [line for line in sorted(near) if 1 <= line <= len(source)]
    for line in wanted:
        if line in by_line or source[line - 1].strip():
            yield _line(line, source[line - 1], by_line[line], severity)


def _line(number: int, text: str, marks: list[Marked], severity: str) -> Line:
    """The line as it can be printed; marks count its characters as they are shown."""
    first = min((mark.column for mark in marks), default=1) - 1
    start = max(first - _BEFORE, 0) if len(text) > _LONG else 0
    part = text[start : start + _LONG]
    shown, at = "…" if start else "", []
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
                severity if mark.place.look is Look.ERROR else "place",
                escape(mark.place.label),
            )
            for mark in marks
        ),
    )
