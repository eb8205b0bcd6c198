"""A retry with no limit: it goes on for as long as the other side is down, and nobody hears of it."""

from collections.abc import Iterator

from stepcheck.facts import Step, Unlimited
from stepcheck.rule import Problem, rule


@rule(Step, stage=4)
def unbounded_retry(step: Step) -> Iterator[Problem]:
    """Report a step of any effect class that may be tried again without limit."""
    if step.retry.attempts is Unlimited.UNLIMITED and step.retry.repeats is not False and not step.open:
        yield Problem(
            step.retry.span,
            f"{step.name!r} is tried again for ever while the other side is down "
            f"({step.retry.whose}: no limit), and no person ever hears of it",
            step=step.name,
        )
