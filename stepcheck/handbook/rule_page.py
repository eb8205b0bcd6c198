"""The page of one rule: its prose, its examples with what is found in them, and its harm, run."""

from collections.abc import Iterator, Sequence
from html import escape

from stepcheck.demo.as_html import TIP, heading, story
from stepcheck.handbook import examples, lists, prose
from stepcheck.handbook.book import Book, Checked, Entry
from stepcheck.handbook.frame import CONCEPTS, page
from stepcheck.handbook.markdown import html

UP = "../"


def text(entry: Entry, book: Book) -> str:
    """The page."""
    return page(entry.name, UP, _body(entry, book), f"rules/{entry.name}.html")


def _body(entry: Entry, book: Book) -> Iterator[str]:
    found = entry.page
    yield f"{TIP if entry.stories else ''}<h1>{entry.name}</h1>"
    yield f'<p class="lead">{escape(found.sentence)}</p>'
    seen = '<a href="#demonstration">see it run</a>' if entry.stories else "no run shows it"
    yield (
        f'<p class="tags"><span class="severity {entry.rule.severity}">{entry.rule.severity}</span> '
        f'<a href="{UP}ladder.html#stage-{entry.rule.stage}">stage {entry.rule.stage}</a> '
        f"<span>{lists.harm(found.leads_to)} ({seen})</span></p>"
    )
    blocks = Fences(entry.examples)
    for title, body in found.sections.items():
        anchor = title.lower().replace(" ", "-")
        yield f'<section id="{anchor}"><h2>{escape(title)}</h2>'
        yield html(body, blocks.of, book.entries, UP)
        if title == "Demonstration":
            yield from _stories(entry)
        yield "</section>"
    yield from _further(entry, book)


def _stories(entry: Entry) -> Iterator[str]:
    """The first story, and the others folded."""
    for number, shown in enumerate(entry.stories):
        title = escape(heading(shown, entry.page.sentence))
        if number == 0:
            yield f"<h3>{title}</h3>"
            yield from story(shown, 4)
        else:
            yield f'<details class="more"><summary>{title} <span class="soft">({escape(shown.harm)})</span></summary>'
            yield from story(shown, 4)
            yield "</details>"


class Fences:
    """The examples of a page, handed out in the order of its fences."""

    def __init__(self, checked: Sequence[Checked]) -> None:
        self._left = list(checked)

    def of(self, fences: Sequence[tuple[str, str]]) -> str | None:
        """What stands for these fences; None where they are no examples."""
        taken: list[Checked] = []
        texts = [text for _, text in fences]
        for one in self._left:
            files = list(one.example.files.values())
            if texts[: len(files)] != files:
                break
            texts = texts[len(files) :]
            taken.append(one)
        if texts or not taken:
            return None
        del self._left[: len(taken)]
        return "".join(examples.twins(pair) for pair in _pairs(taken))


def _pairs(taken: Sequence[Checked]) -> Iterator[list[Checked]]:
    """A bad example with the good ones behind it."""
    pair: list[Checked] = []
    for one in taken:
        if one.example.bad and pair:
            yield pair
            pair = []
        pair.append(one)
    yield pair


def _further(entry: Entry, book: Book) -> Iterator[str]:
    harm = [other for other in book.of_harm(entry.page.leads_to) if other is not entry]
    stage = [other for other in book.of_stage(entry.rule.stage) if other is not entry]
    ideas = ", ".join(
        f'<a href="{UP}concepts/{name}.html">{CONCEPTS[name]}</a>' for name in prose.ideas(entry)
    )
    yield '<nav class="further" aria-label="Further">'
    command = f"stepcheck explain {entry.name}{' --demo' if entry.stories else ''}"
    yield f"<p><b>In a terminal:</b> <code>{command}</code></p>"
    yield f"<p><b>Ideas:</b> {ideas}</p>" if ideas else ""
    yield f"<p><b>The same harm:</b> {lists.links(harm, UP) or 'none'}</p>"
    yield f"<p><b>The same stage:</b> {lists.links(stage, UP) or 'none'}</p></nav>"
