"""A schedule as an inline SVG: a line for each of those who take part, an arrow for each message."""

import textwrap
from collections.abc import Iterator
from html import escape

from stepcheck.demo import Message, participants

ACROSS, CLOSE, TOP, DOWN = 210, 150, 58, 34
"""From one to the next, and where there are more than three; then downwards."""
SIDE, HEAD = 78, 26
NOTE = 30
"""Letters of a note on one line."""


def drawing(messages: tuple[Message, ...], title: str) -> str:
    """Return the picture; colours come from the page."""
    names = participants(messages)
    across = ACROSS if len(names) < 4 else CLOSE
    places = {name: SIDE + at * across for at, name in enumerate(names)}
    width = SIDE * 2 + (len(names) - 1) * across
    height = TOP + len(messages) * DOWN + 16
    parts = [
        f'<svg class="sequence" role="img" aria-label="{escape(title)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">',
        *(_line(name, x, height) for name, x in places.items()),
        *(part for row, one in enumerate(messages) for part in _message(one, places, TOP + row * DOWN)),
        "</svg>",
    ]
    return "\n".join(parts)


def _line(name: str, x: int, height: int) -> str:
    return (
        f'<g class="who"><rect x="{x - 66}" y="4" width="132" height="{HEAD}" rx="6"/>'
        f'<text x="{x}" y="22" text-anchor="middle">{escape(name)}</text>'
        f'<path d="M {x} {4 + HEAD} L {x} {height - 4}"/></g>'
    )


def _message(one: Message, places: dict[str, int], y: int) -> Iterator[str]:
    start, end = places[one.source], places[one.target]
    if start == end:
        lines = textwrap.wrap(one.text, NOTE) or [""]
        yield f'<g class="happens"><circle cx="{start}" cy="{y}" r="4"/>'
        anchor, x = (
            ("end", start - 9) if start == max(places.values()) and len(places) > 1 else ("start", start + 9)
        )
        for number, line in enumerate(lines[:2]):
            yield f'<text x="{x}" y="{y + 4 + number * 13}" text-anchor="{anchor}">{escape(line)}</text>'
        yield "</g>"
        return
    step = 1 if end > start else -1
    if one.lost:
        stop = end - step * 46
        cross = f"M {stop - 5} {y - 5} L {stop + 5} {y + 5} M {stop - 5} {y + 5} L {stop + 5} {y - 5}"
        yield f'<g class="message lost"><path d="M {start} {y} L {stop} {y}"/><path d="{cross}"/>'
    else:
        yield f'<g class="message"><path d="M {start} {y} L {end - step * 2} {y}" marker-end="url(#arrow)"/>'
    middle = (start + end) / 2
    yield f'<text x="{middle:g}" y="{y - 6}" text-anchor="middle">{escape(one.text)}</text></g>'
