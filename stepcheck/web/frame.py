"""The frame of a page: its head, what is read first, and what stands at its end."""

from collections.abc import Iterable, Iterator
from html import escape


def document(title: str, head: str, body: Iterable[str]) -> str:
    """Return a page with that title (plain text) and these parts (HTML), newline-terminated."""
    return "\n".join(_lines(title, head, body)) + "\n"


def styled(*sheets: str) -> str:
    """Style sheets that stand in the page itself."""
    return f"<style>{''.join(sheets)}</style>"


def _lines(title: str, head: str, body: Iterable[str]) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{escape(title)}</title>"
    yield f"{head}</head><body>"
    yield from body
    yield "</body></html>"
