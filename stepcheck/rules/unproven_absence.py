"""An empty query taken as proof that nothing happened, while the write may still be on its way."""

from collections.abc import Iterator

from stepcheck.facts import Effect, KeyState, Step
from stepcheck.facts.concluding import UncertainCall
from stepcheck.rule import Problem, Related, Severity, rule


@rule(Step, stage=4, severity=Severity.WARNING)
def unproven_absence(step: Step) -> Iterator[Problem]:
    """Report `on_absent: retry` where `absence` does not say how long an empty query must be disbelieved."""
    sends_again = step.on_absent.value == "retry" and step.query.present
    if step.effect.value is not Effect.NON_IDEM_WRITE or not sends_again or not step.unkeyed:
        return
    bounds = step.absence.value
    if bounds is None and not step.lacks("absence"):
        return
    missing = [
        name
        for name in ("query_lag", "late_bound", "basis")
        if bounds is None or getattr(bounds, name) in (None, "")
    ]
    if missing:
        yield Problem(
            step.on_absent.span,
            f"{step.name!r} may happen twice: it is sent again once its query finds nothing, even while "
            f"the first try is still on its way; {_lack(step, missing)}",
            step=step.name,
            related=(Related(step.query.span, "an empty answer of this query is believed"),),
        )


def _lack(step: Step, missing: list[str]) -> str:
    if step.absence.value is None:
        return f"it has no absence ({', '.join(missing)})"
    return f"its absence lacks {' and '.join(missing)}"


@rule(UncertainCall, stage=4, severity=Severity.WARNING)
def sent_again(call: UncertainCall) -> Iterator[Problem]:
    """Report a write that code begins again right after a question that found nothing."""
    if call.asked is not None and not call.waits and call.key is KeyState.ABSENT:
        yield Problem(
            call.span,
            f"{call.name!r} may happen twice: it is begun again once a query finds nothing, even while the "
            f"first try is still on its way ({call.how})",
            evidence=call.evidence,
            related=(
                Related(call.since, "nobody knows whether it happened"),
                Related(call.asked, "an empty answer of this query is believed"),
            ),
        )
