"""Undoing: when it is registered, what it rests on, and where it ends."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from ()
