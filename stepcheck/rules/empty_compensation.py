"""A compensation that does nothing: the step is recorded as undone, and what it did is still there."""

from collections.abc import Iterator

from stepcheck.facts.bodies import Part, StepBody
from stepcheck.facts.undoing import EmptyUndo
from stepcheck.rule import Evidence, Problem, Related, Severity, rule


@rule(StepBody, stage=5, severity=Severity.WARNING)
def empty_compensation(body: StepBody) -> Iterator[Problem]:
    """Report a step that writes and whose compensation has a body without any effect."""
    if body.part is Part.COMPENSATE and body.empty and body.step.writes:
        yield Problem(
            body.span,
            f"{body.step.name!r} is taken for undone while what it did is still there: its compensate "
            f"{body.name!r} does nothing ({body.empty})",
            step=body.step.name,
            evidence=Evidence.BODY,
            related=(Related(body.definition, body.empty),),
        )


@rule(EmptyUndo, stage=5, severity=Severity.WARNING)
def empty_undo(one: EmptyUndo) -> Iterator[Problem]:
    """Report a function named for undoing that does nothing, beside what it is to undo."""
    yield Problem(
        one.span,
        f"what {one.done!r} did is taken for undone while it is still there: {one.function!r} does nothing "
        f"({one.empty})",
        evidence=one.evidence,
        related=(Related(one.done_span, f"{one.done!r} does something"),),
    )
