"""The frame of the handbook's pages: the bar with the ways to everywhere, and the search."""

from collections.abc import Iterable, Iterator
from html import escape

from stepcheck import __version__
from stepcheck.web.frame import document

CONCEPTS = {
    "effect-classes": "Effect classes",
    "keys": "Keys",
    "ledger-order": "Ledger order",
    "uncertain-states": "Uncertain states",
    "compensation": "Compensation",
}
"""The pages about ideas, in the order in which they are best read."""


def page(title: str, up: str, body: Iterable[str], here: str = "") -> str:
    """A page. `up` leads to the site's root, `here` is the page's own address from there."""
    head = f'<link rel="stylesheet" href="{up}style.css">'
    return document(f"{title} · stepcheck handbook" if here else title, head, _body(up, body, here))


def _body(up: str, body: Iterable[str], here: str) -> Iterator[str]:
    yield '<a class="skip" href="#main">to the text</a>'
    yield f'<header class="top"><a class="home" href="{up}index.html">stepcheck <b>handbook</b></a>'
    yield '<nav aria-label="Handbook"><ul>'
    links = {"index.html": "Rules", "ladder.html": "Ladder"}
    links |= {f"concepts/{name}.html": title for name, title in CONCEPTS.items()}
    for address, title in links.items():
        current = ' aria-current="page"' if address == (here or "index.html") else ""
        yield f'<li><a href="{up}{address}"{current}>{escape(title)}</a></li>'
    yield "</ul></nav>"
    yield f'<form role="search" action="{up}index.html"><label><span class="unseen">Search</span>'
    yield '<input type="search" name="q" placeholder="Search" autocomplete="off"></label></form></header>'
    yield '<main id="main">'
    yield from body
    yield (
        f"<footer>stepcheck {escape(__version__)}. Every finding on these pages is what the engine says, and every "
        "story was run.</footer></main>"
    )
