"""The handbook: all of it is there, every link leads somewhere, and every example says what the engine says."""

import html
import json
import posixpath
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from stepcheck import page, rules
from stepcheck.cli import main
from stepcheck.handbook import book as books
from stepcheck.handbook import examples, markdown, prose, site, words
from stepcheck.handbook.book import Book
from stepcheck.handbook.frame import CONCEPTS
from stepcheck.settings import UsageError
from stepcheck.stories import stories
from tests.web.wellformed import read

NAMES = rules.names()


@pytest.fixture(scope="module")
def book() -> Book:
    return books.gather()


@pytest.fixture(scope="module")
def files(book: Book) -> dict[str, str]:
    return site.pages(book)


@pytest.fixture(scope="module")
def few() -> Book:
    return books.gather(["volatile-key", "unknown-effect"])


def plain(part: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]*>", "", part).split()))


def test_every_rule_has_a_page_and_stands_on_the_index_and_on_the_ladder(files: dict[str, str]) -> None:
    assert sorted(name for name in files if name.startswith("rules/")) == [
        f"rules/{name}.html" for name in NAMES
    ]
    for address in ("index.html", "ladder.html"):
        linked = set(re.findall(r'href="rules/([\w-]+)\.html"', files[address]))
        assert sorted(linked) == NAMES, address


def test_every_page_is_well_formed_and_every_link_leads_somewhere(files: dict[str, str]) -> None:
    pages = {address: read(text) for address, text in files.items() if address.endswith(".html")}
    wrong = [f"{address}: {problem}" for address, (problems, _, _) in pages.items() for problem in problems]
    for address, (_, _, links) in pages.items():
        for link in links:
            target, _, anchor = link.partition("#")
            there = (
                posixpath.normpath(posixpath.join(posixpath.dirname(address), target)) if target else address
            )
            if there not in files or (anchor and anchor not in pages[there][1]):
                wrong.append(f"{address} leads to {link}, which is not there")
    assert wrong == []


def test_nothing_comes_from_elsewhere(files: dict[str, str]) -> None:
    for address, text in files.items():
        asked = re.findall(r"<[^>]*\b(?:src|href|action)=[\"']?(https?://[^\"'\s>]+)", text)
        assert asked == [], address


def test_every_idea_has_a_page_and_every_source_is_one() -> None:
    assert {file.stem for file in prose.SOURCES.glob("*.md")} == {*CONCEPTS, "ladder"}
    for name, title in CONCEPTS.items():
        assert prose.title((prose.SOURCES / f"{name}.md").read_text("utf-8")) == title


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_what_the_engine_finds_in_its_examples_and_nothing_else(
    book: Book, files: dict[str, str], name: str
) -> None:
    text = files[f"rules/{name}.html"]
    notes = [
        plain(note)
        for note in re.findall(r'<span class="note (?:error|warning)">(.*?)</span>', text, re.DOTALL)
    ]
    found = [one for checked in book.entries[name].examples for one in checked.findings]
    assert sorted(notes) == sorted(f"{one.severity}: {one.message}" for one in found)
    assert "# finding" not in text
    for checked in book.entries[name].examples:
        for mark in checked.example.marks:
            assert any(
                (one.span.path, one.span.line) == (mark.file, mark.line) and mark.text in one.message
                for one in checked.findings
            ), mark


@pytest.mark.parametrize("name", NAMES)
def test_a_page_tells_the_stories_of_its_rule_or_why_there_are_none(files: dict[str, str], name: str) -> None:
    text = files[f"rules/{name}.html"]
    told = [
        [plain(sentence) for sentence in re.findall(r"<li[^>]*>(.*?)</li>", side)]
        for side in re.findall(r'<ol class="story">(.*?)</ol>', text, re.DOTALL)
    ]
    sides = [side for shown in stories(name) for side in (shown.bad, shown.good)]
    assert told == [[f"{sentence}." for sentence in side.sentences] for side in sides]
    shows = text[text.index('id="demonstration"') :]
    assert plain(shows).find(f"Harm: {page.find(name).harm}.") > 0
    assert ("see it run" in text) == bool(sides)


def test_the_prose_of_a_page_stands_in_its_order_with_links_to_other_rules(files: dict[str, str]) -> None:
    text = files["rules/volatile-key.html"]
    assert re.findall(r"<h2>(.*?)</h2>", text) == list(page.HEADINGS)
    assert '<a href="../rules/per-attempt-key.html"><code>per-attempt-key</code></a>' in text
    assert "<code>self.request.retries</code>" in text


def test_a_page_leads_to_the_ideas_that_speak_of_its_rule(files: dict[str, str], book: Book) -> None:
    assert prose.ideas(book.entries["volatile-key"]) == ["keys"]
    assert prose.ideas(book.entries["call-before-ledger"]) == ["keys", "ledger-order"]
    text = files["rules/call-before-ledger.html"]
    assert '<a href="../concepts/ledger-order.html">Ledger order</a></p>' in text
    assert "<code>stepcheck explain call-before-ledger --demo</code>" in text


def test_a_bad_example_stands_with_its_twin_the_finding_at_its_line(few: Book) -> None:
    (bad, good) = few.entries["volatile-key"].examples[2:4]
    shown = examples.twins([bad, good])
    assert shown.startswith(
        '<div class="twins"><figure class="twin bad"><figcaption>The mistake</figcaption>'
        '<pre class="code" style="--gutter: 1"><code><span class="l" data-n="1">steps:\n</span>'
    )
    assert (
        '<span class="l here" data-n="8">      - <mark class="error">printer_session</mark>\n</span>'
        '<span class="note error">error: each attempt of &#x27;create_label&#x27; gets its own key, so a repeat is '
        "taken for something new: its identity holds &#x27;printer_session&#x27;, which the table itself declares "
        "volatile\n</span>"
    ) in shown
    assert shown.count("<figcaption>Without it</figcaption>") == 1
    assert examples.twins([good]).startswith(
        '<div class="twins stacked"><figure class="twin good"><figcaption>Nothing is found here</figcaption>'
    )


def test_every_page_can_be_found_by_its_words(files: dict[str, str]) -> None:
    (held,) = re.findall(r'<script type="application/json" id="words">(.*?)</script>', files["index.html"])
    pages = {one["a"]: one for one in json.loads(held)}
    assert sorted(pages) == sorted(address for address in files if address not in ("index.html", "style.css"))
    assert "<" not in held
    assert pages["rules/volatile-key.html"]["t"] == "volatile-key"
    assert "idempotency_key" in pages["rules/volatile-key.html"]["w"]
    assert "STEPS = {" not in pages["rules/volatile-key.html"]["w"]


def test_words_are_prose_without_code_blocks_and_marks_and_only_its_beginning() -> None:
    text = "A `key` is *made*.\n\n```python bad\nSTEPS = {}\n```\n\n| [there](x.html) | it |\n"
    assert words.plain(text) == "A key is made . there it"
    assert len(words.plain("word " * 1000)) == 1500


def test_the_index_lists_everything_without_the_script_and_the_script_is_short(files: dict[str, str]) -> None:
    script = (Path(site.__file__).parent / "search.js").read_text("utf-8")
    assert script in files["index.html"]
    assert script.count("\n") <= 45
    listed = files["index.html"].partition("<script")[0]
    for harm in page.HARMS:
        assert f'id="harm-{harm}"' in listed
    assert '<section id="found" hidden>' in listed
    assert 'id="stages" hidden' not in listed


def test_the_same_book_gives_the_same_bytes(few: Book) -> None:
    again = books.gather(["volatile-key", "unknown-effect"])
    assert [site.rule_page.text(entry, again) for entry in again.entries.values()] == [
        site.rule_page.text(entry, few) for entry in few.entries.values()
    ]


@pytest.mark.parametrize(
    ("fence", "error"),
    [
        ("```story no-such-rule\n```", KeyError),
        ("```example unknown-effect 99\n```", IndexError),
        ("```rules stage=9\n```", ValueError),
    ],
)
def test_a_source_that_asks_for_what_there_is_not_fails(
    few: Book, fence: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        prose.body(fence, "", few)


def test_a_source_gets_what_it_asks_for(few: Book) -> None:
    text = prose.body(
        "One `volatile-key`.\n\n```rules harm=refused\n```\n\n```story volatile-key\n```\n", "../", few
    )
    assert text.startswith(
        '<p>One <a href="../rules/volatile-key.html"><code>volatile-key</code></a>.</p>\n<table'
    )
    assert '<a href="../rules/unknown-effect.html">unknown-effect</a>' in text
    assert text.count('<ol class="story">') == 2


def test_a_table_in_a_source_is_run() -> None:
    text = prose.body(
        "```simulate drawn\nsteps:\n  pay:\n    effect: non_idem_write\n    call: shop.pay\n"
        "    max_attempts: 3\n```\n",
        "",
        Book({}),
    )
    assert '<td class="bad">twice</td>' in text
    assert 'aria-label="The states of pay"' in text


def test_html_in_a_source_is_text_and_other_fences_are_code() -> None:
    text = markdown.html("<b>x</b>\n\n```toml\na = '<b>'\n```\n", lambda _: None, (), "")
    assert text == (
        "<p>&lt;b&gt;x&lt;/b&gt;</p>\n<pre class=\"code plain\"><code>a = '&lt;b&gt;'\n</code></pre>"
    )


def test_writing_takes_pages_away_that_are_no_more_and_spares_other_folders(tmp_path: Path) -> None:
    site.write({"index.html": "<title>stepcheck handbook</title>", "rules/a.html": "a"}, tmp_path / "out")
    site.write({"index.html": "<title>stepcheck handbook</title>", "rules/b.html": "b"}, tmp_path / "out")
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html"))
    assert left == ["out/index.html", "out/rules/b.html"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("", "utf-8")
    with pytest.raises(UsageError, match="mine holds something else: name an empty folder"):
        site.write({"index.html": ""}, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_the_command_writes_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: Book) -> None:
    monkeypatch.setattr(site, "pages", lambda _: {"index.html": "<p>x</p>", "style.css": ""})
    monkeypatch.setattr(books, "gather", lambda: few)
    result = CliRunner().invoke(main, ["handbook", str(tmp_path / "out")])
    assert (result.exit_code, result.output) == (
        0,
        f"wrote 2 files; open {tmp_path / 'out' / 'index.html'}\n",
    )
    assert (tmp_path / "out" / "index.html").read_text("utf-8") == "<p>x</p>"


def test_without_the_extra_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "gather", lambda: pytest.fail("the stories were run first"))
    monkeypatch.setitem(sys.modules, "markdown_it", None)
    result = CliRunner().invoke(main, ["handbook", str(tmp_path / "out")])
    assert (result.exit_code, result.output) == (
        2,
        "error: the handbook needs markdown-it-py: pip install 'stepcheck[docs]'\n",
    )
    assert not (tmp_path / "out").exists()
