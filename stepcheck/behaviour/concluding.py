"""What is concluded from how a write ended: failures, successes, absences."""

from collections.abc import Iterator

from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from ()
