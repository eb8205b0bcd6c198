"""The matrix for a terminal: one table where it fits, else a paragraph for each step; then the stories."""

import textwrap
from collections.abc import Iterator, Sequence

from stepcheck.explorer.matrix.cells import ORDER, StepMatrix, TableMatrix, Verdict
from stepcheck.explorer.matrix.events import Event

HEADS = {
    Event.CRASH_BEFORE: ("crash", "before"),
    Event.CRASH_AFTER: ("crash", "after"),
    Event.REQUEST_LOST: ("request", "lost"),
    Event.ANSWER_LOST: ("answer", "lost"),
    Event.SERVER_ERROR: ("server", "error"),
    Event.REFUSED: ("refused", ""),
    Event.LATE: ("late", "arrival"),
    Event.QUERY: ("query", "empty"),
    Event.HANGS: ("never", "ends"),
    Event.DOWN: ("other", "down"),
    Event.SECOND_WORKER: ("second", "worker"),
    Event.COMPENSATION: ("undoing", "fails"),
}

SHORT = {
    Verdict.PERSON: "person",
    Verdict.UNBOUNDED: "no end",
    Verdict.FALSE_FAILURE: "untrue",
    Verdict.WRONG_UNDO: "wrong",
}
CELL = 8

SHOWS = (
    "a cell shows what comes of an executor that does what the table says, be it a retry without a query or "
    "without bounds, a call without a timeout, a compensation without a deadline; "
    "whatever the table leaves open is done as 'stepcheck run' does it"
)
"""Which executor is meant; without it a bad cell could be taken for what a run of this tool does."""


def lines(tables: Sequence[TableMatrix], columns: int = 100) -> Iterator[str]:
    """Return what to print, line by line."""
    for table in tables:
        yield f"{table.name or 'steps'} ({table.span.path}:{table.span.line})"
        yield from textwrap.wrap(SHOWS, columns)
        yield ""
        yield from _matrix(table, columns)
        for told in table.stories:
            yield f"[{told.number}] {told.step}: {told.verdict}"
            for number, sentence in enumerate(told.sentences, start=1):
                yield from textwrap.wrap(
                    sentence, columns, initial_indent=f"    {number:>2}. ", subsequent_indent=" " * 8
                )
            yield ""
        yield summary(table)


def summary(table: TableMatrix) -> str:
    """Return one line: how much was run, and what came of it."""
    bad = sum(step.bad for step in table.steps)
    unknown = sum(not step.cells for step in table.steps)
    steps = f"{len(table.steps)} {'step' if len(table.steps) == 1 else 'steps'}"
    faults = f"{table.faults} {'fault' if table.faults == 1 else 'faults'}"
    verdict = f"{bad} not safe to try again" if bad else "no schedule duplicates, loses or forgets"
    rest = f"; {unknown} without a known effect class, not simulated" if unknown else ""
    return f"{steps}, {table.schedules} schedules of at most {faults}: {verdict}{rest}"


def _matrix(table: TableMatrix, columns: int) -> Iterator[str]:
    shown = [event for event in HEADS if any(_seen(step, event) for step in table.steps)]
    name = max((len(step.name) for step in table.steps), default=0) + 2
    if name + len(shown) * CELL > columns:
        for step in table.steps:
            yield from _paragraph(step, columns)
            yield ""
        return
    for row in (0, 1):
        yield (" " * name + "".join(f"{HEADS[event][row]:<{CELL}}" for event in shown)).rstrip()
    for step in table.steps:
        yield (f"{step.name:<{name}}" + "".join(f"{_cell(step, event):<{CELL}}" for event in shown)).rstrip()
    yield ""
    for step in table.steps:
        if step.follows:
            yield f"{step.name}: {step.follows}"
    yield ""


def _seen(step: StepMatrix, event: Event) -> bool:
    return event in step.cells and step.cells[event].verdict is not Verdict.NONE


def _cell(step: StepMatrix, event: Event) -> str:
    if event not in step.cells:
        return "?"
    cell = step.cells[event]
    word = short(cell.verdict)
    return f"{word.upper()}!" if cell.bad else word


def short(verdict: Verdict) -> str:
    """Return a verdict in a word that, with its mark, leaves room between two cells."""
    return SHORT.get(verdict, verdict.value)


def _paragraph(step: StepMatrix, columns: int) -> Iterator[str]:
    effect = step.effect.value if step.effect else "unknown effect class: not simulated"
    yield f"  {step.name} ({effect})" + (f": {step.follows}" if step.follows else "")
    for verdict in reversed(ORDER):
        events = [
            event.value + (f" [{cell.story}]" if cell.story else "")
            for event, cell in step.cells.items()
            if cell.verdict is verdict and (event is not Event.NOTHING or cell.bad)
        ]
        if events and verdict is not Verdict.NONE:
            first = f"    {verdict.value:<22}"
            yield from textwrap.wrap(
                ", ".join(events), columns, initial_indent=first, subsequent_indent=" " * len(first)
            )
