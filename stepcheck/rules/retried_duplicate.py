"""A row is written again after the very error which means that it is there already."""

from collections.abc import Iterator

from stepcheck.facts.concluding import RetriedDuplicate
from stepcheck.rule import Problem, Related, Severity, rule


@rule(RetriedDuplicate, stage=4, severity=Severity.WARNING)
def retried_duplicate(row: RetriedDuplicate) -> Iterator[Problem]:
    """Report a retry clause that takes an integrity error."""
    yield Problem(
        row.span,
        f"what is already done counts as failed: {row.through!r} also says that the row of {row.name!r} is "
        f"there, and {row.who} writes it again until it gives up",
        evidence=row.evidence,
        related=(Related(row.write, "raises it when the first try got through"),),
        about=row.write,
    )
