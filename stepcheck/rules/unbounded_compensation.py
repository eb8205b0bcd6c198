"""An undo that is tried again for ever: long after others have acted on what it takes away."""

from collections.abc import Iterator

from stepcheck.facts.bodies import Part, StepBody
from stepcheck.facts.undoing import EndlessUndo
from stepcheck.rule import Problem, Related, rule


@rule(StepBody, stage=5)
def unbounded_compensation(body: StepBody) -> Iterator[Problem]:
    """Report a step whose compensation is begun again without limit by its own code."""
    if body.part is Part.COMPENSATE and body.again is not None:
        yield Problem(
            body.span,
            f"undoing {body.step.name!r} is tried again for ever while the other side is down: "
            f"{body.again.who} begins its compensate {body.name!r} again without limit, and no person ever "
            "hears of it",
            step=body.step.name,
            evidence=body.again.evidence,
            related=(Related(body.again.span, f"{body.again.who}: no limit"),),
            about=body.again.span,
        )


@rule(EndlessUndo, stage=5)
def endless_undo(one: EndlessUndo) -> Iterator[Problem]:
    """Report an undo in plain code that is begun again without limit."""
    yield Problem(
        one.span,
        f"the undo {one.name!r} is tried again for ever while the other side is down: {one.again.who} begins it "
        "again without limit, long after others may have acted, and no person ever hears of it",
        evidence=one.evidence,
        related=(Related(one.again.span, f"{one.again.who}: no limit"),),
        about=one.again.span,
    )
