"""What is kept of reads: records and columns whose change is nobody's business."""

from collections.abc import Collection
from functools import cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words


def record(name: str) -> bool:
    """Whether a record of that name (`AccessLog`, `page_views`) only tells that something was looked at."""
    found = [word for word in words(name.rpartition(".")[2]) if word not in _of("filler")]
    return bool(found) and found[-1] in _of("records")


def columns(names: Collection[str]) -> bool:
    """Whether there are some columns, and all of them only tell that something was looked at."""
    return bool(names) and all(_column(name) for name in names)


def address(text: str) -> bool:
    """Whether what is posted to an address leaves nothing behind there."""
    segments = [segment for segment in text.partition("?")[0].split("/") if segment]
    return bool(segments) and bool(_of("addresses").intersection(words(segments[-1])))


def _column(name: str) -> bool:
    found = words(name.rpartition(".")[2])
    return bool(_of("columns").intersection(found))


@cache
def _of(group: str) -> frozenset[str]:
    table = contents("traces")
    return frozenset(table[group])
