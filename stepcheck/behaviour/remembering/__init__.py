"""What is kept in memory only, and logs that are not kept as they were written."""

from collections.abc import Iterator

from stepcheck.behaviour.remembering import (
    acted,
    choices,
    conversation,
    cursors,
    empties,
    handles,
    inlined,
    numbering,
    overwrites,
    replayed,
    schedulers,
    unanswered,
)
from stepcheck.behaviour.study import Study


def facts(study: Study) -> Iterator[object]:
    """Everything of the kind in one file."""
    yield from conversation.checks(study)
    yield from cursors.cursors(study)
    yield from overwrites.overwrites(study)
    yield from inlined.stored(study)
    yield from numbering.step_numbers(study)
    yield from unanswered.reruns(study)
    yield from schedulers.schedulers(study)
    yield from handles.handles(study)
    yield from empties.empties(study)
    yield from choices.choices(study)
    yield from replayed.unrecorded(study)
    yield from acted.acted(study)
