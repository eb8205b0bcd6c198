"""Units that are run again as a whole, and what in them does not bear it."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from ()
