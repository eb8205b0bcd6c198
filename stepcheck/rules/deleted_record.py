"""A record is deleted because a call failed that may have been carried out, and its key, or its claim, with it."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import DeletedRecord
from stepcheck.rule import Problem, Related, rule


@rule(DeletedRecord, stage=3)
def deleted_record(deleted: DeletedRecord) -> Iterator[Problem]:
    """Report the deletion of what would let the next try be told for a repeat."""
    after = f"after {deleted.through!r}" if deleted.through else "after any failure"
    if deleted.keys:
        lost = "the key that it was sent with goes with the record, so the next try has a new one"
    else:
        lost = "the claim on it goes too, so the next try sends it again"
    yield Problem(
        deleted.span,
        f"{deleted.call!r} may happen twice: {deleted.name!r} runs {after}, when it may have been done; {lost}",
        evidence=deleted.evidence,
        related=(
            Related(deleted.record.span, "the record is made here"),
            Related(deleted.call_span, "its outcome is not known when it fails"),
        ),
        about=deleted.call_span,
    )
