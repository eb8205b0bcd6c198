"""A demonstration as one page that needs nothing else: both twins side by side, for a design review."""

from collections.abc import Iterator
from html import escape

from stepcheck import __version__
from stepcheck.demo import Demo, Side
from stepcheck.demo.drawing import drawing
from stepcheck.web.style import STYLE

TIP = (
    '<svg width="0" height="0" aria-hidden="true"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" '
    'markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs></svg>'
)


def text(demos: tuple[Demo, ...], sentence: str) -> str:
    """Return the page; `sentence` says what the rule finds. The same demonstrations give the same bytes."""
    return "\n".join(_page(demos, sentence)) + "\n"


def _page(demos: tuple[Demo, ...], sentence: str) -> Iterator[str]:
    rule = escape(demos[0].rule)
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{rule}: what it does</title>"
    yield f"<style>{STYLE}</style></head><body>{TIP}<main>"
    yield f'<h1>{rule}</h1><p class="soft">{escape(sentence)}</p>'
    for shown in demos:
        yield from _demo(shown)
    yield (
        f"<footer>stepcheck {escape(__version__)}. Nothing here was written by hand: both executors were run through "
        "every schedule of faults, and this is the shortest that does the harm.</footer>"
    )
    yield "</main></body></html>"


def _demo(shown: Demo) -> Iterator[str]:
    faults = ", ".join(shown.faults) or "nothing at all"
    yield f"<section><h2>{escape(_raised(shown.title))}</h2>"
    yield f"<p>{escape(_raised(shown.means))}. What goes wrong on the way: {escape(faults)}.</p>"
    yield '<div class="twins">'
    yield from _side(shown.bad, "bad", "With the mistake")
    yield from _side(shown.good, "good", "Without it, and the same going wrong")
    yield "</div></section>"


def _side(side: Side, kind: str, title: str) -> Iterator[str]:
    yield f'<article class="{kind}"><h3>{title}</h3><ol>'
    yield "".join(f"<li>{escape(sentence)}.</li>" for sentence in side.sentences[:-1])
    yield f'<li class="end">{escape(side.sentences[-1])}.</li></ol>'
    yield drawing(side.messages, title)
    yield '<table><thead><tr><th scope="col">seconds</th><th scope="col">happened in the world</th>'
    yield '<th scope="col">key</th></tr></thead><tbody>'
    for one in side.effects:
        yield f"<tr><td>{one.seconds:.1f}</td><td>{escape(one.what)}</td>"
        yield f'<td class="key">{escape(_short(one.key))}</td></tr>'
    if not side.effects:
        yield "<tr><td></td><td>nothing</td><td></td></tr>"
    yield '</tbody></table><table><thead><tr><th scope="col">step</th><th scope="col">the ledger says</th>'
    yield "</tr></thead><tbody>"
    yield "".join(f"<tr><td>{escape(row.step)}</td><td>{escape(row.words)}</td></tr>" for row in side.rows)
    yield "</tbody></table></article>"


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _short(key: str) -> str:
    """A digest's first letters, with what was added to it."""
    digest, space, rest = key.partition(" ")
    return f"{digest[:8]}…{space}{rest}" if len(digest) > 16 else key
