"""Keys: which calls carry none, and what those that are given are made of."""

from collections.abc import Iterator

from stepcheck.behaviour.keying import (
    drawn,
    keybodies,
    keyjoins,
    keyuses,
    modelkeys,
    parameters,
    sharedkeys,
    stepkeys,
    unkeyed,
)
from stepcheck.behaviour.keying.keyplaces import placed
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    survey = Survey(study)
    twins = unkeyed.keyed(survey)
    yield from parameters.parameters(survey)
    for flow in study.flows:
        given = tuple(placed(survey, flow))
        uses = list(keyuses.uses(survey, flow, given))
        yield from uses
        yield from drawn.drawn(survey, flow, frozenset(use.sends for use in uses))
        if given:
            yield from keyjoins.joins(survey, flow, given)
            yield from sharedkeys.shared(survey, flow, given)
            yield from keybodies.bodies(survey, flow, given, uses)
        yield from stepkeys.step_keys(survey, flow)
        yield from unkeyed.unkeyed(survey, flow, twins)
        yield from modelkeys.written(survey, flow, given)
        yield from modelkeys.schemas(flow)
