"""The order of records, claims and writes: what is in the log when a call is made."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from ()
