"""A write that adds to what is there, in a unit that is run again: the second run adds once more."""

from collections.abc import Iterator

from stepcheck.facts.repeating import Append
from stepcheck.rule import Problem, Related, Severity, rule


@rule(
    Append,
    stage=4,
    severity=Severity.WARNING,
    yields_to=("retry-without-query", "batch-in-one-unit", "unguarded-redelivery"),
)
def repeated_append(append: Append) -> Iterator[Problem]:
    """Report an addition in what is retried or delivered again, with nothing that keeps the second one out."""
    yield Problem(
        append.span,
        f"{append.name!r} adds twice when {append.function!r} is run again by {append.again.who}: {append.why}, and "
        "what the first try left is neither deleted nor looked for",
        evidence=append.evidence,
        related=(Related(append.again.span, f"begun again by {append.again.who}"),),
    )
