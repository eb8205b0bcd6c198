"""A record is looked up, acted upon and only then written: two that look at the same time both act."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import LedgeredWrite
from stepcheck.rule import Problem, Related, rule


@rule(LedgeredWrite, stage=3, yields_to=("effect-in-transaction",))
def unclaimed_lookup(write: LedgeredWrite) -> Iterator[Problem]:
    """Report a write between a look and the record that the look was for, with no claim in between."""
    if write.looked is None or write.claimed or write.keyed:
        return
    related = [Related(write.looked.span, "two runs may both see that nothing was done yet")]
    if write.after is not None:
        related.append(Related(write.after.span, "recorded only here"))
    yield Problem(
        write.span,
        f"{write.name!r} may happen twice: {write.looked.name!r} is looked at before and recorded after it, "
        "and nothing that only one run can claim keeps a second run out",
        evidence=write.evidence,
        related=tuple(related),
    )
