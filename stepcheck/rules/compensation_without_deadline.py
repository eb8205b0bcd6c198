"""A compensation that may start at any time, also long after others have acted on what it undoes."""

from collections.abc import Iterator

from stepcheck.facts import Step
from stepcheck.rule import AddEntry, Fix, Problem, rule


@rule(Step, stage=5)
def compensation_without_deadline(step: Step) -> Iterator[Problem]:
    """Report a step with `compensate` and no `compensate_deadline`."""
    undo = step.compensate
    if undo.present and step.compensate_deadline.absent and not step.open:
        name = undo.value.name if undo.value else ""
        yield Problem(
            undo.span,
            f"{step.name!r} may be undone by {name!r} at any time after it, even when others have acted on it "
            "since: no compensate_deadline says when a person decides instead",
            step=step.name,
            fix=Fix("add a compensate_deadline of ten minutes", AddEntry(undo.span, "compensate_deadline", "PT10M"), safe=False),
        )
