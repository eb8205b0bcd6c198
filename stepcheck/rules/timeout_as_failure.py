"""A write is taken for failed although nobody knows: it may have been done, and somebody does it again."""

from collections.abc import Iterator

from stepcheck.facts.concluding import ConcludedWrite, Conclusion
from stepcheck.rule import Problem, Related, rule


@rule(ConcludedWrite, stage=4, yields_to=("abandoned-thread", "narrow-except"))
def timeout_as_failure(ended: ConcludedWrite) -> Iterator[Problem]:
    """Report a definite failure that is recorded, answered or raised after an exception that leaves it open."""
    if ended.conclusion is not Conclusion.FAILED:
        return
    yield Problem(
        ended.span,
        f"{ended.name!r} may have been done all the same: {ended.said} after {after(ended)}, and whoever "
        "believes that does it again",
        evidence=ended.evidence,
        related=(
            Related(ended.write, "may have been done when its answer is lost"),
            Related(ended.caught, "does not tell whether it was"),
        ),
        about=ended.write,
    )


def after(ended: ConcludedWrite) -> str:
    """After what it is concluded, for messages."""
    names = ended.after.split(", ")
    if "every exception" in names:
        return "every exception"
    return " or ".join(name if " " in name else repr(name) for name in names[:2])
