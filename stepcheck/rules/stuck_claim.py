"""A claim is kept when the work behind it fails, and every later run is turned away as a repeat."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import HeldClaim
from stepcheck.rule import Problem, Related, Severity, rule


@rule(HeldClaim, stage=3, severity=Severity.WARNING)
def stuck_claim(claim: HeldClaim) -> Iterator[Problem]:
    """Report a claim that nothing gives back, when the call that it was taken for fails."""
    if claim.left or claim.expires:
        return
    yield Problem(
        claim.span,
        f"the claim of {claim.name!r} stays for ever when {claim.call!r} fails: whoever comes again is turned away, "
        "and the work is never done",
        evidence=claim.evidence,
        related=(Related(claim.call_span, "when this fails, nothing leaves the claimed state"),),
        about=claim.call_span,
    )
