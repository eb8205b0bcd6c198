"""Lines of code with places marked in them, and what is said of a place below its line."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on one line."""

    start: int
    """The first character, counted from 0."""
    end: int
    """Behind the last one."""
    kind: str
    """`error`, `warning` or `place`."""
    note: str = ""
    """What is said of it; nothing where that stands elsewhere."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of code."""

    number: int
    text: str
    """Printable: without control characters and tabs."""
    marks: tuple[Mark, ...] = ()


def block(lines: Sequence[Line]) -> str:
    """A block of code; where numbers leap, the gap is shown."""
    gutter = len(str(max((line.number for line in lines), default=1)))
    return f'<pre class="code" style="--gutter: {gutter}"><code>{"".join(_rows(lines))}</code></pre>'


def _rows(lines: Sequence[Line]) -> Iterator[str]:
    before = 0
    for line in lines:
        if before and line.number > before + 1:
            yield '<span class="l gap" data-n="⋮">\n</span>'
        here = " here" if line.marks else ""
        yield f'<span class="l{here}" data-n="{line.number}">{_marked(line)}\n</span>'
        for mark in line.marks:
            if mark.note:
                yield f'<span class="note {mark.kind}">{escape(mark.note)}\n</span>'
        before = line.number


def _marked(line: Line) -> str:
    """The line's text; of places that overlap, the one that begins first is marked as far as the next."""
    parts: list[str] = []
    at = 0
    for start, end, kind in _stretches(line.marks, len(line.text)):
        parts.append(escape(line.text[at:start], quote=False))
        parts.append(f'<mark class="{kind}">{escape(line.text[start:end], quote=False) or " "}</mark>')
        at = end
    return "".join(parts) + escape(line.text[at:], quote=False)


def _stretches(marks: Iterable[Mark], length: int) -> Iterator[tuple[int, int, str]]:
    at = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        start, end = max(min(mark.start, length), at), min(mark.end, length)
        if start < end or mark.start >= length:
            yield start, end, mark.kind
            at = end
