"""A write that cannot be repeated is tried again, and nothing can tell whether the try before landed."""

from collections.abc import Iterator

from stepcheck.facts import RetriedCall, Step, Unlimited
from stepcheck.rule import Problem, Related, rule

_SAYS_MORE = (
    "batch-in-one-unit",
    "unclaimed-lookup",
    "unqueried-uncertain",
    "handle-in-memory",
    "rerun-on-empty",
)


@rule(Step, stage=4)
def retry_without_query(step: Step) -> Iterator[Problem]:
    """Report a `non_idem_write` that is tried again by itself, with no query and no promise about its key."""
    if not step.retried_unguarded:
        return
    attempts = step.retry.attempts
    if attempts is Unlimited.UNLIMITED:
        often, limit = "any number of times", "no limit"
    elif attempts is None:
        often, limit = "more than once", "retries on"
    else:
        often, limit = f"up to {attempts} times", f"{attempts} attempts"
    counted = step.retry.counted
    whose = step.retry.whose if counted else "the executor's default"
    related = [Related(step.effect.span, "a repeat is a second effect")]
    if counted and counted != step.retry.span:
        related.append(Related(counted, limit))
    yield Problem(
        step.retry.span,
        f"{step.name!r} may happen {often}: it is tried again after a lost answer ({whose}: "
        f"{limit}), and no query tells whether the try before landed",
        step=step.name,
        related=tuple(related),
    )


@rule(RetriedCall, stage=4, yields_to=_SAYS_MORE)
def sent_again(call: RetriedCall) -> Iterator[Problem]:
    """Report a write that code begins again after it may have been done, with no key and no question."""
    if call.unguarded and not call.again.default:
        again = call.again
        yield Problem(
            call.span,
            f"{call.name!r} may happen {again.often}: {again.who} begins it again after {again.after}, and "
            "neither a key nor a query tells whether the try before landed",
            evidence=call.evidence,
            related=(
                Related(again.span, f"begun again by {again.who}"),
                *(Related(span, "so does this one") for span in call.others),
            ),
        )
