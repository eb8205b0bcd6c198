"""A generator is begun again after it may have handed something out, so its reader gets it twice."""

from collections.abc import Iterator

from stepcheck.facts import RetriedStream
from stepcheck.rule import Problem, Related, rule


@rule(RetriedStream, stage=4)
def retry_after_yield(stream: RetriedStream) -> Iterator[Problem]:
    """Report a generator that retries what it may have handed out in part."""
    again = stream.again
    if stream.late:
        message = (
            f"{again.who} retries nothing of {stream.function!r}: it is a generator, whose body runs, and fails, "
            "after the decorator has returned"
        )
    else:
        message = (
            f"whoever reads {stream.function!r} gets the beginning twice: {again.who} begins it again after "
            f"{again.after}, which may come when part of it has been handed out"
        )
    yield Problem(
        stream.span,
        message,
        evidence=again.evidence,
        related=(Related(again.span, f"begun again by {again.who}"),),
    )
