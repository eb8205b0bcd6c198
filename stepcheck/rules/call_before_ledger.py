"""A write is sent before anything records that it will be: after a crash nobody knows of it."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import LedgeredWrite
from stepcheck.rule import Problem, Related, rule


@rule(
    LedgeredWrite,
    stage=3,
    yields_to=("effect-in-transaction", "unclaimed-lookup", "done-before-call", "retry-without-query"),
)
def call_before_ledger(write: LedgeredWrite) -> Iterator[Problem]:
    """Report a write that is recorded only when it is over, with no key by which a repeat would be told."""
    if write.after is None or write.before is not None or write.looked is not None:
        return
    if write.claimed or write.keyed or write.asked or write.over is not None:
        return
    yield Problem(
        write.span,
        f"{write.name!r} may happen with no record of it, and once more when the work is begun again: it is "
        f"recorded only afterwards, by {write.after.name!r}",
        evidence=write.evidence,
        related=(Related(write.after.span, "recorded only here"),),
    )
