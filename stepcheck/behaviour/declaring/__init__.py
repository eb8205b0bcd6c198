"""What functions are declared to do, against what their bodies do."""

from collections.abc import Iterator

from stepcheck.behaviour.declaring import hints, read_routes, toggles
from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from hints.hints(study)
    yield from read_routes.read_routes(study)
    yield from toggles.toggles(study)
