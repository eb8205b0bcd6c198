"""What is wrong with a page: tags that do not close, ids that are there twice, links to nowhere, odd headings."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "wbr", "hr", "img"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.problems: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.heading = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        if "src" in given or "href" in given:
            self.links.append(given.get("src", "") or given.get("href", ""))
        if tag == "th" and "scope" not in given:
            self.problems.append(f"a head of a table says not what it is the head of: {self.getpos()}")
        if tag == "svg" and not (given.get("aria-hidden") or given.get("aria-label")):
            self.problems.append(f"a picture without words: {self.getpos()}")
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > self.heading + 1:
                self.problems.append(f"h{self.heading} is followed by {tag}: {self.getpos()}")
            self.heading = level

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing: {self.getpos()}")


def read(text: str) -> tuple[list[str], list[str], list[str]]:
    """What is wrong with the page by itself; its ids; where its links lead."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.problems += [f"<{tag}> is not closed" for tag in reader.open]
    twice = sorted({one for one in reader.ids if reader.ids.count(one) > 1})
    reader.problems += [f"id {one!r} is there twice" for one in twice]
    inside = [link[1:] for link in reader.links if link.startswith("#")]
    reader.problems += [f"a link to #{link}, which is not there" for link in inside if link not in reader.ids]
    return reader.problems, reader.ids, reader.links


def problems(text: str) -> list[str]:
    """What is wrong with a page that needs nothing else."""
    found, _, links = read(text)
    found += [f"a link out of the page: {link}" for link in links if not link.startswith("#")]
    found += [
        f"something from elsewhere: {one}"
        for one in re.findall(r"url\((?!#)|@import|<script|<img|<link", text)
    ]
    return found
