"""A demonstration as HTML: both twins side by side, on a page that needs nothing else, or as a part of others."""

import re
from collections.abc import Iterator
from html import escape

from stepcheck import __version__
from stepcheck.demo import Demo, Side
from stepcheck.demo.drawing import drawing
from stepcheck.web.frame import document, styled
from stepcheck.web.style import STYLE

TIP = (
    '<svg width="0" height="0" aria-hidden="true"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" '
    'markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs></svg>'
)
"""Stands once in a page with drawings."""
_DIGEST = re.compile("[0-9a-f]{17,}")
MADE = "Nothing here was written by hand: {} run through every schedule of faults, and {} does the harm."


def text(demos: tuple[Demo, ...], sentence: str) -> str:
    """Return the page; `sentence` says what the rule finds. The same demonstrations give the same bytes."""
    return document(f"{demos[0].rule}: what it does", styled(STYLE), _page(demos, sentence))


def _page(demos: tuple[Demo, ...], sentence: str) -> Iterator[str]:
    yield f"{TIP}<main>"
    yield f'<h1>{escape(demos[0].rule)}</h1><p class="soft">{escape(sentence)}</p>'
    for shown in demos:
        yield f"<section><h2>{escape(raised(shown.title))}</h2>"
        yield from story(shown, 3)
        yield "</section>"
    made = MADE.format("both executors were", "this is the shortest that")
    yield f"<footer>stepcheck {escape(__version__)}. {made}</footer></main>"


def story(shown: Demo, level: int) -> Iterator[str]:
    """A demonstration below a heading of its own: the twins, each with a heading of that level."""
    faults = ", ".join(shown.faults) or "nothing at all"
    yield f"<p>{escape(raised(shown.means))}. What goes wrong on the way: {escape(faults)}.</p>"
    yield '<div class="twins">'
    yield from _side(shown.bad, "bad", "With the mistake", level)
    yield from _side(shown.good, "good", "Without it, and the same going wrong", level)
    yield "</div>"


def raised(text: str) -> str:
    """A clause as a sentence begins."""
    return text[:1].upper() + text[1:]


def _side(side: Side, kind: str, title: str, level: int) -> Iterator[str]:
    yield f'<div class="twin {kind}"><h{level}>{title}</h{level}>'
    if side.code:
        yield f'<pre class="wide"><code>{escape(side.code)}</code></pre>'
    yield '<ol class="story">'
    yield "".join(f"<li>{escape(sentence)}.</li>" for sentence in side.sentences[:-1])
    yield f'<li class="end">{escape(side.sentences[-1])}.</li></ol>'
    if side.messages:
        yield f'<div class="wide">{drawing(side.messages, title)}</div>'
    yield '<table><thead><tr><th scope="col">seconds</th><th scope="col">happened in the world</th>'
    yield '<th scope="col">key</th></tr></thead><tbody>'
    for one in side.effects:
        moment = "" if one.seconds is None else f"{one.seconds:.1f}"
        yield f"<tr><td>{moment}</td><td>{escape(one.what)}</td>"
        yield f'<td class="key">{escape(_short(one.key))}</td></tr>'
    if not side.effects:
        yield "<tr><td></td><td>nothing</td><td></td></tr>"
    yield '</tbody></table><table><thead><tr><th scope="col">of</th><th scope="col">what is recorded</th>'
    yield "</tr></thead><tbody>"
    yield "".join(f"<tr><td>{escape(row.step)}</td><td>{escape(row.words)}</td></tr>" for row in side.rows)
    yield "</tbody></table></div>"


def _short(key: str) -> str:
    """A digest's first letters, with what was added to it; any other key whole."""
    digest, space, rest = key.partition(" ")
    return f"{digest[:8]}…{space}{rest}" if _DIGEST.fullmatch(digest) else key
