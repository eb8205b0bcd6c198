"""Two writes in one step: when the answer is lost, no query and no key tells which of them happened."""

from collections.abc import Iterator

from stepcheck.facts import Effect, Evidence
from stepcheck.facts.bodies import Part, StepBody
from stepcheck.facts.repeating import SecondEffect
from stepcheck.rule import Problem, Related, Severity, rule


@rule(
    SecondEffect,
    stage=4,
    severity=Severity.WARNING,
    yields_to=("retry-without-query", "default-retry", "batch-in-one-unit", "unguarded-redelivery"),
)
def two_effects_in_one_step(pair: SecondEffect) -> Iterator[Problem]:
    """Report a write that follows on another one in one step."""
    yield Problem(
        pair.span,
        f"{pair.function!r} does two things that cannot be repeated: when {pair.name!r} fails, {pair.who} either "
        f"runs {pair.first!r} once more or never comes to {pair.name!r}",
        evidence=pair.evidence,
        related=(Related(pair.first_span, "the first one"),),
        about=pair.first_span,
    )


@rule(StepBody, stage=4, severity=Severity.WARNING)
def two_effects_in_body(body: StepBody) -> Iterator[Problem]:
    """Report a step whose call comes to two writes that a repeat does once more."""
    if (
        body.part is not Part.CALL
        or body.second is None
        or body.step.effect.value is not Effect.NON_IDEM_WRITE
    ):
        return
    first, second = body.second
    name = Evidence.NAME in (first.evidence, second.evidence)
    yield Problem(
        body.span,
        f"{body.step.name!r} does two things that cannot be repeated: when {second.name!r} fails, its call "
        f"{body.name!r} has done {first.name!r}, and no one query tells of both",
        step=body.step.name,
        evidence=Evidence.NAME if name else second.evidence,
        related=(Related(first.span, "the first one"), Related(second.span, "the second one")),
        about=first.begins,
    )
