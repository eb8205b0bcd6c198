"""A step's states and arrows as an inline SVG; colours come from the page."""

from html import escape

from stepcheck.executor.states import State
from stepcheck.explorer.matrix.paths import Path

WIDTH, HEIGHT = 112, 32
ACROSS, DOWN = 190, 96
LEFT, TOP = 4, 38
ROOM = 34
"""For arrows that pass above the upper row or below the lower one."""

PLACES = {
    State.PLANNED: (0, 0),
    State.IN_FLIGHT: (1, 0),
    State.ACKED: (2, 0),
    State.DONE: (3, 0),
    State.COMP_IN_FLIGHT: (4, 0),
    State.COMPENSATED: (5, 0),
    State.FAILED: (0, 1),
    State.UNCERTAIN: (1, 1),
    State.ABSENT: (2, 1),
    State.NEEDS_HUMAN: (3, 1),
    State.COMP_UNCERTAIN: (4, 1),
    State.COMP_NEEDS_HUMAN: (5, 1),
}

Place = tuple[int, int]
"""Column and row."""
Line = tuple[str, tuple[float, float], str]
"""A path, where its label stands, and how it is anchored there."""

NAMES = {
    State.COMP_IN_FLIGHT: "UNDO SENT",
    State.COMP_UNCERTAIN: "UNDO UNCERTAIN",
    State.COMP_NEEDS_HUMAN: "PERSON UNDOES",
    State.COMPENSATED: "UNDONE",
    State.NEEDS_HUMAN: "PERSON DECIDES",
    State.IN_FLIGHT: "IN FLIGHT",
}

ENDS = frozenset({State.DONE, State.FAILED, State.COMPENSATED})
PEOPLE = frozenset({State.NEEDS_HUMAN, State.COMP_NEEDS_HUMAN})


def diagram(name: str, paths: tuple[Path, ...]) -> str:
    """Return the picture of one step; the same paths give the same picture."""
    states = [state for state in PLACES if any(state in (path.source, path.target) for path in paths)]
    # Columns without a state are left out.
    columns = {column: at for at, column in enumerate(sorted({PLACES[state][0] for state in states}))}
    places = {state: (columns[PLACES[state][0]], PLACES[state][1]) for state in states}
    down = max(row for _, row in places.values())
    above, below = (_passes(paths, places, row) for row in (0, 1))
    top = 0 if above else ROOM - 4
    width = LEFT * 2 + (len(columns) - 1) * ACROSS + WIDTH
    height = TOP - top + down * DOWN + HEIGHT + (ROOM if below else 4)
    parts = [
        f'<svg class="states" role="img" aria-label="The states of {escape(name)}" width="{width}" '
        f'height="{height}" viewBox="0 {top} {width} {height}" xmlns="http://www.w3.org/2000/svg">',
        *(_arrow(path, paths, places) for path in paths),
        *(_box(state, *_corner(place)) for state, place in places.items()),
        "</svg>",
    ]
    return "\n".join(parts)


def _passes(paths: tuple[Path, ...], places: dict[State, Place], row: int) -> bool:
    """Whether an arrow leaves this row and comes back to it other than straight."""
    ends = [(places[path.source], places[path.target]) for path in paths]
    return any(source[1] == target[1] == row and abs(source[0] - target[0]) != 1 for source, target in ends)


def _box(state: State, x: int, y: int) -> str:
    kind = "person" if state in PEOPLE else "end" if state in ENDS else "open"
    name = NAMES.get(state, state.value)
    return (
        f'<g class="state {kind}"><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 4:g}">{escape(name)}</text></g>'
    )


def _corner(place: Place) -> tuple[int, int]:
    across, down = place
    return LEFT + across * ACROSS, TOP + down * DOWN


def _arrow(path: Path, paths: tuple[Path, ...], places: dict[State, Place]) -> str:
    back = any((one.source, one.target) == (path.target, path.source) for one in paths)
    line, (x, y), anchor = _line(places[path.source], places[path.target], back=back)
    bad = " bad" if path.bad else ""
    return (
        f'<g class="arrow{bad}"><path d="{line}" marker-end="url(#tip{"-bad" if path.bad else ""})"/>'
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(path.label)}</text></g>'
    )


def _line(source: Place, target: Place, *, back: bool) -> Line:
    """Return an arrow's line, where its label stands, and to which side of that.

    `back` says whether another arrow goes the other way.
    """
    if source == target:
        x, y = _corner(source)
        loop = f"M {x + 30} {y} C {x + 20} {y - 34}, {x + 92} {y - 34}, {x + 82} {y - 3}"
        return loop, (x + WIDTH / 2, y - 27), "middle"
    if source[1] == target[1]:
        return _along(source, target)
    if source[0] == target[0]:
        return _upright(source, target, back=back)
    return _slanting(source, target)


def _along(source: Place, target: Place) -> Line:
    (x, y), (to_x, _) = _corner(source), _corner(target)
    if abs(source[0] - target[0]) == 1:
        start, end = (x + WIDTH, to_x - 3) if to_x > x else (x, to_x + WIDTH + 3)
        middle = y + HEIGHT // 2
        return f"M {start} {middle} L {end} {middle}", ((start + end) / 2, middle - 7), "middle"
    upper = source[1] == 0
    edge, over = (y, y - 30) if upper else (y + HEIGHT, y + HEIGHT + 30)
    begin, stop = x + WIDTH // 2, to_x + WIDTH // 2
    tip = edge - 3 if upper else edge + 3
    curve = f"M {begin} {edge} C {begin} {over}, {stop} {over}, {stop} {tip}"
    return curve, ((begin + stop) / 2, over + (11 if upper else -4)), "middle"


def _upright(source: Place, target: Place, *, back: bool) -> Line:
    (x, y), (_, to_y) = _corner(source), _corner(target)
    down = to_y > y
    at = x + WIDTH // 2 + (0 if not back else -22 if down else 22)
    start, end = (y + HEIGHT, to_y - 3) if down else (y, to_y + HEIGHT + 3)
    left = back and down
    label = (at - 7 if left else at + 7, (start + end) / 2 + 4)
    return f"M {at} {start} L {at} {end}", label, "end" if left else "start"


def _slanting(source: Place, target: Place) -> Line:
    (x, y), (to_x, to_y) = _corner(source), _corner(target)
    right, down = to_x > x, to_y > y
    start = x + (WIDTH - 14 if right else 14)
    end = to_x + (14 if right else WIDTH - 14)
    top, tip = (y + HEIGHT, to_y - 3) if down else (y, to_y + HEIGHT + 3)
    # Where no other arrow is: near the target, or for one that passes a column, before that column.
    part = 0.8 if abs(source[0] - target[0]) == 1 else 0.2
    label = (start + (end - start) * part, top + (tip - top) * part + 4)
    return f"M {start} {top} L {end} {tip}", label, "middle"
