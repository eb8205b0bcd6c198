"""A write is begun again where it is on record that nobody knows whether it happened, and nothing asks."""

from collections.abc import Iterator

from stepcheck.facts import KeyState
from stepcheck.facts.concluding import UncertainCall
from stepcheck.rule import Problem, Related, rule


@rule(UncertainCall, stage=4)
def unqueried_uncertain(call: UncertainCall) -> Iterator[Problem]:
    """Report a path from an uncertain record to the call that asks nothing."""
    if call.asked is None and call.key is not KeyState.STABLE:
        yield Problem(
            call.span,
            f"{call.name!r} may happen twice: {call.how}, and a path leads from there to the call without a "
            "query whether it happened",
            evidence=call.evidence,
            related=(Related(call.since, "nobody knows whether it happened"),),
        )
