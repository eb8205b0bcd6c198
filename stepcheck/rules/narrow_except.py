"""A handler knows that a lost answer leaves a write open, and lets some kinds of lost answers past it."""

from collections.abc import Iterator

from stepcheck.facts import KeyState
from stepcheck.facts.concluding import Missed, NarrowHandler
from stepcheck.rule import Problem, Related, Severity, rule


@rule(NarrowHandler, stage=4, severity=Severity.WARNING)
def narrow_except(handler: NarrowHandler) -> Iterator[Problem]:
    """Report the first kind of lost answer that the handler does not take."""
    if handler.key is not KeyState.ABSENT:
        return
    if handler.missed is Missed.ESCAPES:
        what = "escapes, so that it stays recorded as if nothing had been sent"
        related = Related(handler.write, f"may raise {handler.misses!r} when it was done")
    else:
        what = f"counts as a failure: {handler.said}"
        related = Related(handler.at, "takes it for a failure")
    yield Problem(
        handler.span,
        f"{handler.takes!r} is not the only way in which the answer of {handler.name!r} gets lost: "
        f"{handler.misses!r} {what}",
        evidence=handler.evidence,
        related=(related,),
        about=handler.write,
    )
