"""Words of the ledger as a terminal may show them: one line, no control characters, columns in step."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

SHORT = 12
"""Hexadecimal digits of a digest that are shown; JSON has all of them."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def one_line(text: str) -> str:
    """The text in one line; what a terminal would obey is shown instead, not sent."""
    joined = " ".join(text.split())
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in joined)


def short(digest: str | None) -> str:
    """A digest, or a reference that ends in one, cut short."""
    if digest is None:
        return "-"
    head, colon, last = digest.rpartition(":")
    return head + colon + last[:SHORT]


def instant(at_ms: int | None) -> str:
    """A time of the ledger's clock, in UTC."""
    if at_ms is None:
        return "-"
    moment = _EPOCH + timedelta(milliseconds=at_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines, each column as wide as its longest cell."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
