"""The first page: every rule by the stage and by the harm, and the search."""

import json
from collections.abc import Iterator
from html import escape
from importlib import resources

from stepcheck.demo.as_html import raised
from stepcheck.handbook import lists
from stepcheck.handbook.book import Book
from stepcheck.handbook.frame import CONCEPTS, page
from stepcheck.handbook.words import Words
from stepcheck.ladder import TITLES
from stepcheck.page import HARMS


def text(book: Book, words: list[Words]) -> str:
    """The page; `words` is what can be searched."""
    return page("stepcheck handbook", "", _body(book, words))


def _body(book: Book, words: list[Words]) -> Iterator[str]:
    yield "<h1>May this step be tried again?</h1>"
    yield (
        '<p class="lead">stepcheck reads workflow and agent steps, and the plain Python behind them, and tells which '
        f"of them do harm when they are tried again. These are its {len(book.entries)} rules: each with a story, "
        "a bad example beside a good one, and the harm, run.</p>"
    )
    yield '<section id="found" hidden><h2>Found</h2><p id="count" role="status"></p><ol id="results"></ol></section>'
    yield '<section id="ideas"><h2>Ideas</h2><ul class="ideas">'
    for name, title in CONCEPTS.items():
        yield f'<li><a href="concepts/{name}.html">{escape(title)}</a></li>'
    yield '<li><a href="ladder.html">The adoption ladder</a></li></ul></section>'
    yield '<section id="stages"><h2>Rules by stage</h2>'
    for stage, title in enumerate(TITLES[1:], start=1):
        yield f'<h3 id="stage-{stage}">Stage {stage}: {escape(title)}</h3>'
        yield lists.table(book.of_stage(stage), "", f"Rules of stage {stage}")
    yield '</section><section id="harms"><h2>Rules by harm</h2>'
    for harm, meaning in HARMS.items():
        yield f'<h3 id="harm-{harm}">{escape(harm)}</h3><p>{escape(raised(meaning))}.</p>'
        yield f"<p>{lists.links(book.of_harm(harm), '') or 'No rule.'}</p>"
    yield "</section>"
    held = json.dumps([one.held() for one in words], ensure_ascii=False, separators=(",", ":"))
    yield f'<script type="application/json" id="words">{held.replace("<", chr(92) + "u003c")}</script>'
    yield f"<script>{resources.files(__package__).joinpath('search.js').read_text('utf-8')}</script>"
