"""A loop that is there to try again goes on after a success, and does it once more."""

from collections.abc import Iterator

from stepcheck.facts import RepeatedSuccess
from stepcheck.rule import Problem, Related, rule


@rule(RepeatedSuccess, stage=4)
def retry_after_success(call: RepeatedSuccess) -> Iterator[Problem]:
    """Report a call that a loop of attempts repeats although it succeeded."""
    yield Problem(
        call.span,
        f"{call.name!r} is done {call.again.often} although it succeeds: the loop is there to try again, and "
        "nothing leaves it after a success",
        evidence=call.evidence,
        related=(Related(call.again.span, "each turn is an attempt"),),
    )
