"""Many items in one unit that is run again as a whole: those that were done are done once more."""

from collections.abc import Iterator

from stepcheck.facts.repeating import Batch
from stepcheck.rule import Problem, Related, Severity, rule


@rule(Batch, stage=4, severity=Severity.WARNING)
def batch_in_one_unit(batch: Batch) -> Iterator[Problem]:
    """Report a write for each of many items, where a failure at one of them begins with the first one again."""
    when = "when its worker dies" if batch.redelivered else "when one of them fails"
    yield Problem(
        batch.span,
        f"{batch.name!r} is done once more for each {batch.item!r} that had it already: {batch.again.who} runs "
        f"{batch.function!r} again from the start {when}, and nothing is noted for each",
        evidence=batch.evidence,
        related=(
            Related(batch.loop, "for each of these"),
            Related(batch.again.span, f"begun again by {batch.again.who}"),
        ),
        about=batch.write,
    )
