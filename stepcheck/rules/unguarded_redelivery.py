"""A handler is given one event more than once, and does what it does each time."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import DeliveredWrite
from stepcheck.rule import Problem, Related, Severity, rule


@rule(
    DeliveredWrite,
    stage=3,
    severity=Severity.WARNING,
    yields_to=(
        "effect-in-transaction",
        "unclaimed-lookup",
        "done-before-call",
        "call-before-ledger",
        "retry-without-query",
        "batch-in-one-unit",
    ),
)
def unguarded_redelivery(write: DeliveredWrite) -> Iterator[Problem]:
    """Report the first write of a redelivered handler that nothing keeps from being made again."""
    if write.local:
        what = f"{write.name!r} adds to our rows again at each delivery"
    else:
        what = f"{write.name!r} may happen more than once"
    yield Problem(
        write.span,
        f"{what}: {write.who} delivers an event again when its answer is lost or late, and nothing in "
        f"{write.function!r} claims the event's id first",
        evidence=write.evidence,
        related=(
            Related(write.told, f"{write.who} calls this, more than once"),
            *(Related(span, "so does this one") for span in write.others),
        ),
    )
