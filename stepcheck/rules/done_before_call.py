"""A record says that a call is done before the call is made: if it is never made, nobody will know."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import LedgeredWrite
from stepcheck.rule import Problem, Related, rule


@rule(LedgeredWrite, stage=3, yields_to=("effect-in-transaction", "unclaimed-lookup"))
def done_before_call(write: LedgeredWrite) -> Iterator[Problem]:
    """Report a write whose record is closed when it is only about to be sent."""
    if write.over is None:
        return
    yield Problem(
        write.span,
        f"{write.name!r} may never happen and count as done: {write.over.name!r} says so before it is called, "
        "and after a crash in between nothing calls it again",
        evidence=write.evidence,
        related=(Related(write.over.span, "recorded as done here"),),
    )
