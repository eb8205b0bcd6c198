"""A write that can run before a place from which the function is begun again from its top: it is done once more."""

from collections.abc import Iterator

from stepcheck.facts.repeating import BeforeSuspension
from stepcheck.rule import Problem, Related, rule


@rule(BeforeSuspension, stage=4)
def effect_before_suspend(write: BeforeSuspension) -> Iterator[Problem]:
    """Report the first write of a function that may come before it suspends."""
    yield Problem(
        write.span,
        f"{write.name!r} is done once more when {write.function!r} goes on: {write.who} begins the function again "
        f"from its top, and what comes before {write.suspends!r} is not kept",
        evidence=write.evidence,
        related=(Related(write.suspends_span, "from here it is begun again"),),
    )
