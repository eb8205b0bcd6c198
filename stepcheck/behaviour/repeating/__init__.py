"""Units that are run again as a whole, and what in them does not bear it."""

from collections.abc import Iterator

from stepcheck.behaviour.repeating.appending import appends
from stepcheck.behaviour.repeating.batches import batches, given_many
from stepcheck.behaviour.repeating.inputs import used
from stepcheck.behaviour.repeating.pairs import pairs
from stepcheck.behaviour.repeating.stacks import stacks
from stepcheck.behaviour.repeating.suspending import before
from stepcheck.behaviour.repeating.units import delivered, units
from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    found = tuple(units(study))
    yield from stacks(study, found)
    yield from batches(study, (*found, *given_many(study, delivered(study))))
    yield from pairs(study, found)
    yield from appends(study, found)
    yield from used(study, found)
    yield from before(study)
