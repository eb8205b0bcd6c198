"""An outcome that nobody is sure of is stored under the key, and every later try gets it as the answer."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import StoredOutcome
from stepcheck.rule import Problem, Related, Severity, rule


@rule(StoredOutcome, stage=3, severity=Severity.WARNING)
def cached_failure(outcome: StoredOutcome) -> Iterator[Problem]:
    """Report the storing of an unknown outcome as if it were the result."""
    after = f"after {outcome.through!r}" if outcome.through else "after any failure"
    yield Problem(
        outcome.span,
        f"{outcome.name!r} stores the outcome of {outcome.call!r} {after}, too, when nobody knows it: whoever tries "
        "again with the same key gets that failure for ever, though it may have been done",
        evidence=outcome.evidence,
        related=(Related(outcome.call_span, "its outcome is not known when it fails that way"),),
        about=outcome.call_span,
    )
