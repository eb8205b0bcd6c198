"""A retry with no limit: it goes on for as long as the other side is down, and nobody hears of it."""

from collections.abc import Iterator

from stepcheck.facts import RetryRegion, Step, Unlimited
from stepcheck.rule import Problem, Related, rule


@rule(Step, stage=4)
def unbounded_retry(step: Step) -> Iterator[Problem]:
    """Report a step of any effect class that may be tried again without limit."""
    if step.retry.attempts is Unlimited.UNLIMITED and step.retry.repeats is not False and not step.open:
        counted = step.retry.counted
        yield Problem(
            step.retry.span,
            f"{step.name!r} is tried again for ever while the other side is down "
            f"({step.retry.whose}: {_no_limit(step)}), and no person ever hears of it",
            step=step.name,
            related=(Related(counted, "no limit"),) if counted and counted != step.retry.span else (),
        )


@rule(RetryRegion, stage=4, yields_to=("unbounded-compensation",))
def begun_again_for_ever(region: RetryRegion) -> Iterator[Problem]:
    """Report code that calls something and is begun again without limit."""
    if region.calls:
        yield Problem(
            region.span,
            f"{region.function!r} is tried again for ever while the other side is down ({region.again.who}: "
            "no limit), and no person ever hears of it",
            evidence=region.again.evidence,
        )


def _no_limit(step: Step) -> str:
    named_none = step.max_attempts.written and step.max_attempts.why
    return "no limit, which is what a written None means" if named_none else "no limit"
