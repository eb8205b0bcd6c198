"""A compensation that may start at any time, also long after others have acted on what it undoes."""

from collections.abc import Iterator

from stepcheck.facts import Effect, Step
from stepcheck.rule import AddEntry, Fix, Problem, rule


@rule(Step, stage=5)
def compensation_without_deadline(step: Step) -> Iterator[Problem]:
    """Report a step with `compensate` and no `compensate_deadline`."""
    undo = step.compensate.value
    if undo is None or step.effect.value is Effect.READ or not step.lacks("compensate_deadline"):
        return
    yield Problem(
        step.compensate.span,
        f"{step.name!r} may be undone by {undo.name!r} at any time after it, even when others have acted on "
        "it since: no compensate_deadline says when a person decides instead",
        step=step.name,
        fix=None if step.compensate_deadline.written else _ten_minutes(step),
    )


def _ten_minutes(step: Step) -> Fix:
    change = AddEntry(step.compensate.span, "compensate_deadline", "PT10M")
    return Fix("add a compensate_deadline of ten minutes", change, safe=False)
