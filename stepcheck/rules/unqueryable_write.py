"""A write that cannot be repeated, whose unknown outcome nothing can settle."""

from collections.abc import Iterator

from stepcheck.facts import Step
from stepcheck.rule import Problem, rule


@rule(Step, stage=4)
def unqueryable_write(step: Step) -> Iterator[Problem]:
    """Report a `non_idem_write` with no query, no `dedupe` and no person named for the unknown outcome."""
    if step.unguarded and step.may_resend and not step.retried_unguarded:
        yield Problem(
            step.query.span if step.query.written else step.effect.span,
            f"after a lost answer nobody can find out whether {step.name!r} happened: it has no query, "
            "and on_uncertain does not leave it to a person",
            step=step.name,
        )
