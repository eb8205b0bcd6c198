"""The matrix as one page that needs nothing else: for a design review, on paper, on a phone."""

from collections.abc import Iterator, Sequence
from html import escape

from stepcheck import __version__
from stepcheck.explorer.matrix.as_text import SHOWS, summary
from stepcheck.explorer.matrix.cells import Cell, StepMatrix, TableMatrix, Told, Verdict
from stepcheck.explorer.matrix.diagram import diagram
from stepcheck.explorer.matrix.events import Event
from stepcheck.explorer.matrix.style import PAGE
from stepcheck.web.frame import document, styled
from stepcheck.web.style import STYLE

TIPS = (
    '<svg width="0" height="0" aria-hidden="true"><defs>'
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip-soft" d="M 0 0 L 8 4 L 0 8 z"/></marker>'
    '<marker id="tip-bad" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip-bad" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs></svg>'
)

MEANINGS = {
    Verdict.ONCE: "the effect happens once and the step is done",
    Verdict.REFUSED: "the other side refused, and the ledger says so",
    Verdict.UNDONE: "the step was made up for, once",
    Verdict.PERSON: "automation stops; the step lies in the inbox",
    Verdict.TWICE: "the effect happens more than once",
    Verdict.WRONG_UNDO: "undone twice, without cause, or after others have acted",
    Verdict.GHOST: "it happened, and no ledger says so",
    Verdict.LOST: "recorded as done, and it is not",
    Verdict.FALSE_FAILURE: "recorded as failed, and it happened",
    Verdict.STUCK: "nobody works on it, and nobody is told",
    Verdict.UNBOUNDED: "tried again without end",
}


def text(tables: Sequence[TableMatrix]) -> str:
    """Return the page; the same tables give the same bytes."""
    names = ", ".join(table.name or "steps" for table in tables)
    return document(f"May these steps be tried again? {names}", styled(STYLE, PAGE), _page(tables))


def _page(tables: Sequence[TableMatrix]) -> Iterator[str]:
    yield f"{TIPS}<main>"
    yield "<h1>May these steps be tried again?</h1>"
    for number, table in enumerate(tables, start=1):
        yield from _table(table, number)
    yield f"<footer>stepcheck {escape(__version__)}. Every schedule was run; none was sampled.</footer></main>"


def _table(table: TableMatrix, number: int) -> Iterator[str]:
    yield f"<section><h2>{escape(table.name or 'steps')}</h2>"
    yield f'<p class="place">{escape(table.span.path)}, line {table.span.line}</p>'
    yield f'<p class="sum {"bad" if table.bad else "good"}">{escape(summary(table))}.</p>'
    yield f'<p class="place">{escape(SHOWS[0].upper() + SHOWS[1:])}.</p>'
    yield from grid(table, f"t{number}-")
    yield from _legend(table)
    for step in table.steps:
        yield from _step(step, table, number)
    yield "</section>"


def grid(table: TableMatrix, links: str = "") -> Iterator[str]:
    """The matrix itself; `links` begins the anchors of steps and stories, where these stand on the same page."""
    shown = [event for event in Event if any(_worth(step, event) for step in table.steps)]
    yield '<div class="wide"><table class="matrix"><thead><tr><th scope="col">step</th>'
    yield "".join(f'<th scope="col">{escape(event.value)}</th>' for event in shown)
    yield "</tr></thead><tbody>"
    for step in table.steps:
        name = escape(step.name)
        name = f'<a href="#{links}{name}">{name}</a>' if links else name
        yield f'<tr><th scope="row">{name}'
        yield f"<small>{escape(step.effect.value if step.effect else 'unknown effect class')}</small></th>"
        yield "".join(_cell(step, event, links) for event in shown) + "</tr>"
    yield "</tbody></table></div>"


def _worth(step: StepMatrix, event: Event) -> bool:
    """Whether a cell says something: that all is well without a fault goes without saying."""
    cell = step.cells.get(event)
    return cell is not None and cell.verdict is not Verdict.NONE and (cell.bad or event is not Event.NOTHING)


def _cell(step: StepMatrix, event: Event, links: str) -> str:
    cell = step.cells.get(event)
    if cell is None:
        return '<td class="none">?</td>'
    word = escape(cell.verdict.value)
    if links and cell.story is not None:
        word = f'<a href="#{links}story-{cell.story}">{word}</a>'
    return f'<td class="{_kind(cell)}">{word}</td>'


def _kind(cell: Cell) -> str:
    if cell.bad:
        return "bad"
    kinds = {Verdict.PERSON: "person", Verdict.NONE: "none"}
    return kinds.get(cell.verdict, "good")


def _legend(table: TableMatrix) -> Iterator[str]:
    used = {cell.verdict for step in table.steps for cell in step.cells.values()}
    yield '<dl class="legend">'
    for verdict, meaning in MEANINGS.items():
        if verdict in used:
            yield f"<dt>{escape(verdict.value)}</dt><dd>{escape(meaning)}</dd>"
    yield "</dl>"


def _step(step: StepMatrix, table: TableMatrix, number: int) -> Iterator[str]:
    yield f'<article id="t{number}-{escape(step.name)}"><h3>{escape(step.name)}</h3>'
    if not step.cells:
        yield "<p>Not simulated: its effect class is not known.</p></article>"
        return
    effect = step.effect.value if step.effect else ""
    yield f"<p><code>{escape(effect)}</code>, line {step.span.line}; {step.schedules} schedules.</p>"
    if step.follows:
        yield f'<p class="warning">What the table tells an executor to do: {escape(step.follows)}.</p>'
    yield f'<div class="wide">{diagram(step.name, step.paths)}</div>'
    shown: set[Verdict] = set()
    for told in table.stories:
        if told.step == step.name:
            yield from _story(step, told, number, opened=told.verdict not in shown)
            shown.add(told.verdict)
    yield "</article>"


def _story(step: StepMatrix, told: Told, number: int, *, opened: bool) -> Iterator[str]:
    events = " or ".join(event.value for event, cell in step.cells.items() if cell.story == told.number)
    state = " open" if opened else ""
    yield f'<details class="told" id="t{number}-story-{told.number}"{state}>'
    yield f"<summary><b>{escape(told.verdict.value)}</b> after: {escape(events)}</summary><ol>"
    yield "".join(f"<li>{escape(sentence)}</li>" for sentence in told.sentences)
    yield "</ol></details>"
