"""Units that are run again as a whole, and what in them does not bear it."""

from collections.abc import Iterator

from stepcheck.behaviour.appending import appends
from stepcheck.behaviour.batches import batches, given_many
from stepcheck.behaviour.inputs import used
from stepcheck.behaviour.pairs import pairs
from stepcheck.behaviour.stacks import stacks
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.suspending import before
from stepcheck.behaviour.units import delivered, units


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    found = tuple(units(study))
    yield from stacks(study, found)
    yield from batches(study, (*found, *given_many(study, delivered(study))))
    yield from pairs(study, found)
    yield from appends(study, found)
    yield from used(study, found)
    yield from before(study)
