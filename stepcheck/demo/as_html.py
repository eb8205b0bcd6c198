"""A demonstration as HTML: both twins side by side, on a page that needs nothing else, or as a part of others."""

from collections.abc import Iterable, Iterator
from html import escape

from stepcheck import __version__
from stepcheck.demo import Demo, Happened, Side, short
from stepcheck.demo.drawing import drawing
from stepcheck.web.code import Line, block
from stepcheck.web.frame import document, styled
from stepcheck.web.style import STYLE

TIP = (
    '<svg width="0" height="0" aria-hidden="true"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" '
    'markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs></svg>'
)
"""Stands once in a page with drawings."""


def text(demos: tuple[Demo, ...], sentence: str) -> str:
    """Return the page; `sentence` says what the rule finds. The same demonstrations give the same bytes."""
    return document(f"{demos[0].rule}: what it does", styled(STYLE), _page(demos, sentence))


def _page(demos: tuple[Demo, ...], sentence: str) -> Iterator[str]:
    yield f"{TIP}<main>"
    yield f'<h1>{escape(demos[0].rule)}</h1><p class="soft">{escape(sentence)}</p>'
    for shown in demos:
        yield f"<section><h2>{escape(heading(shown, sentence))}</h2>"
        yield from story(shown, 3)
        yield "</section>"
    yield (
        f"<footer>stepcheck {escape(__version__)}. Nothing here was written by hand: both twins were run through "
        "schedules of faults, and this is the shortest that does the harm.</footer></main>"
    )


def story(shown: Demo, level: int) -> Iterator[str]:
    """A demonstration below a heading of its own: the twins, each with a heading of that level."""
    faults = ", ".join(shown.faults) or "nothing at all"
    yield f"<p>{escape(raised(shown.means))}. What goes wrong on the way: {escape(faults)}.</p>"
    yield '<div class="twins">'
    yield from _side(shown.bad, "bad", "With the mistake", level)
    yield from _side(shown.good, "good", "Without it, and the same going wrong", level)
    yield "</div>"


def heading(shown: Demo, sentence: str) -> str:
    """The title of a story; what the rule finds, which a reader has just read, is not said again."""
    title = raised(shown.title)
    return "The example of its page, run" if title.rstrip(".") == sentence.rstrip(".") else title


def raised(text: str) -> str:
    """A clause as a sentence begins."""
    return text[:1].upper() + text[1:]


def _side(side: Side, kind: str, title: str, level: int) -> Iterator[str]:
    yield f'<div class="twin {kind}"><h{level}>{title}</h{level}>'
    if side.code:
        yield block([Line(at, line) for at, line in enumerate(side.code.splitlines(), start=1)])
    yield '<ol class="story">'
    yield "".join(f"<li>{escape(sentence)}.</li>" for sentence in side.sentences[:-1])
    yield f'<li class="end">{escape(side.sentences[-1])}.</li></ol>'
    if side.messages:
        yield f'<div class="wide">{drawing(side.messages, title)}</div>'
    timed = any(one.seconds is not None for one in side.effects)
    keyed = any(one.key for one in side.effects)
    heads = [*(["seconds"] if timed else []), "happened in the world", *(["key"] if keyed else [])]
    yield _table(heads, (_effect(one, timed=timed, keyed=keyed) for one in side.effects))
    yield _table(["of", "what is recorded"], ([escape(row.step), escape(row.words)] for row in side.rows))
    yield "</div>"


def _effect(one: Happened, *, timed: bool, keyed: bool) -> list[str]:
    moment = "" if one.seconds is None else f"{one.seconds:.1f}"
    key = f"<code>{escape(short(one.key))}</code>" if one.key else "none"
    return [*([moment] if timed else []), escape(one.what), *([key] if keyed else [])]


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    """A small table; without rows, a sentence."""
    shown = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    if not shown:
        return f'<p class="soft">{raised(heads[-1])}: nothing.</p>'
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{shown}</tbody></table>"
