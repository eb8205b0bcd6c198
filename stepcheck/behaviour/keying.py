"""Keys: which calls carry none, and what those that are given are made of."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from ()
