"""Pages of prose, from the Markdown files beside the package: what they show is taken from the book, by their fences.

A fence `rules stage=3` or `rules harm=ghost` lists rules, `example NAME` shows the first bad example of a rule's page
and its twin (`example NAME 2` the second), `story NAME` the first story of a rule, `harms` every harm, and `simulate`
runs the step table in it (`simulate drawn` draws its states, too).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path

from stepcheck.demo.as_html import TIP, raised, story
from stepcheck.handbook import examples, lists
from stepcheck.handbook.book import Book, Entry
from stepcheck.handbook.frame import CONCEPTS, page
from stepcheck.handbook.markdown import html, plain
from stepcheck.handbook.simulated import simulated
from stepcheck.page import HARMS

SOURCES = Path(__file__).parent / "concepts"


def text(name: str, address: str, up: str, book: Book) -> str:
    """The page of that source, to stand at that address."""
    source = (SOURCES / f"{name}.md").read_text("utf-8")
    return page(title(source), up, [TIP, body(source, up, book)], address)


def title(source: str) -> str:
    """The heading of a source."""
    return source.partition("\n")[0].removeprefix("# ")


def ideas(entry: Entry) -> list[str]:
    """The pages of ideas that speak of a rule or list it."""
    listed = {f"```rules stage={entry.rule.stage}\n", f"```rules harm={entry.page.leads_to}\n"}
    named = re.compile(rf"(?:`|example |story ){re.escape(entry.name)}\b")
    sources = {name: (SOURCES / f"{name}.md").read_text("utf-8") for name in CONCEPTS}
    return [
        name
        for name, source in sources.items()
        if named.search(source) or any(fence in source for fence in listed)
    ]


def body(source: str, up: str, book: Book) -> str:
    """A source as HTML. Raises ValueError for a fence that asks for what there is not."""
    return html(
        source, lambda fences: "".join(_block(*fence, up, book) for fence in fences), book.entries, up
    )


def _block(info: str, content: str, up: str, book: Book) -> str:
    word, *rest = info.split() or [""]
    if word not in BLOCKS:
        return plain(content)
    return "".join(BLOCKS[word](rest, content, up, book))


def _rules(words: Sequence[str], _content: str, up: str, book: Book) -> Iterator[str]:
    kind, _, value = words[0].partition("=")
    found = book.of_stage(int(value)) if kind == "stage" else book.of_harm(value)
    if not found:
        raise ValueError(f"no rule has {words[0]}")
    yield lists.table(found, up, f"Rules: {kind} {value}")


def _example(words: Sequence[str], _content: str, up: str, book: Book) -> Iterator[str]:
    entry = book.entries[words[0]]
    at = int(words[1]) - 1 if len(words) > 1 else 0
    bad = [number for number, one in enumerate(entry.examples) if one.example.bad][at]
    yield examples.twins(entry.examples[bad : bad + 2])
    yield f'<p class="soft">From the page of {lists.link(entry, up)}.</p>'


def _story(words: Sequence[str], _content: str, up: str, book: Book) -> Iterator[str]:
    entry = book.entries[words[0]]
    shown = entry.stories[0]
    yield f"<h3>{escape(raised(shown.title))}</h3>"
    yield from story(shown, 4)
    yield f'<p class="soft">From the page of {lists.link(entry, up)}.</p>'


def _harms(_words: Sequence[str], _content: str, up: str, book: Book) -> Iterator[str]:
    yield '<table><thead><tr><th scope="col">harm</th><th scope="col">what it is</th><th scope="col">rules</th></tr>'
    yield "</thead><tbody>"
    for harm, meaning in HARMS.items():
        yield f'<tr><th scope="row"><a href="{up}index.html#harm-{harm}">{harm}</a></th>'
        yield f"<td>{escape(meaning)}</td><td>{len(book.of_harm(harm))}</td></tr>"
    yield "</tbody></table>"


def _simulate(words: Sequence[str], content: str, _up: str, _book: Book) -> Iterator[str]:
    yield from simulated(content, drawn="drawn" in words)


BLOCKS: dict[str, Callable[[Sequence[str], str, str, Book], Iterator[str]]] = {
    "rules": _rules,
    "example": _example,
    "story": _story,
    "harms": _harms,
    "simulate": _simulate,
}
