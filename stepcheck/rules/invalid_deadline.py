"""A compensate_deadline that is no length of time, so nothing says when a person decides instead."""

from collections.abc import Iterator

from stepcheck.catalogue.durations import iso_duration
from stepcheck.facts import Step
from stepcheck.rule import Problem, rule


@rule(Step, stage=5)
def invalid_deadline(step: Step) -> Iterator[Problem]:
    """Report a `compensate_deadline` that is not a duration of a fixed length greater than zero."""
    deadline = step.compensate_deadline
    if deadline.wrong:
        likely = iso_duration(deadline.text)
        cure = f"; did you mean {likely!r}" if likely else ""
        yield Problem(
            deadline.span,
            f"nothing says until when {step.name!r} may be undone automatically: "
            f"its compensate_deadline {deadline.text!r} {deadline.why}{cure}",
            step=step.name,
        )
