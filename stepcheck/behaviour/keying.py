"""Keys: which calls carry none, and what those that are given are made of."""

from collections.abc import Iterator

from stepcheck.behaviour import drawn, keyuses, parameters
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.survey import Survey


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    survey = Survey(study)
    yield from parameters.parameters(study.context)
    for flow in study.flows:
        uses = list(keyuses.uses(survey, flow))
        yield from uses
        yield from drawn.drawn(survey, flow, frozenset(use.sends for use in uses))
