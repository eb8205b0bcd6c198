"""Lists of rules, as the index, the ladder and the pages of ideas have them."""

from collections.abc import Iterable
from html import escape

from stepcheck.handbook.book import Entry
from stepcheck.page import HARMS


def table(entries: Iterable[Entry], up: str, caption: str) -> str:
    """A row a rule: its name, how bad it is, what it finds, and the harm."""
    rows = "".join(_row(entry, up) for entry in entries)
    return (
        f'<table class="rules"><caption class="unseen">{escape(caption)}</caption><thead><tr>'
        '<th scope="col">rule</th><th scope="col">what it finds</th><th scope="col">harm</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _row(entry: Entry, up: str) -> str:
    severity = entry.rule.severity
    return (
        f'<tr><th scope="row">{link(entry, up)} <small class="{severity}">{severity}</small></th>'
        f"<td>{escape(entry.page.sentence)}</td><td>{escape(entry.page.leads_to)}</td></tr>"
    )


def link(entry: Entry, up: str) -> str:
    """The way to a rule's page."""
    return f'<a href="{up}rules/{entry.name}.html">{entry.name}</a>'


def links(entries: Iterable[Entry], up: str) -> str:
    """Ways to several, in a line."""
    return ", ".join(link(entry, up) for entry in entries)


def harm(word: str) -> str:
    """A harm with what it is."""
    return f"<b>{escape(word)}</b>: {escape(HARMS[word])}"
