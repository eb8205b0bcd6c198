"""Two writes in one step: when the answer is lost, no query and no key tells which of them happened."""

from collections.abc import Iterator

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
