"""The error of a write is swallowed, and the write is then recorded as done."""

from collections.abc import Iterator

from stepcheck.facts.concluding import ConcludedWrite, Conclusion
from stepcheck.rule import Problem, Related, rule


@rule(ConcludedWrite, stage=4)
def swallowed_error(ended: ConcludedWrite) -> Iterator[Problem]:
    """Report a record that a write is done, on a path on which it raised."""
    if ended.conclusion is not Conclusion.DONE:
        return
    names = ended.after.split(", ")
    how = (
        "a 'finally' runs when it raised, too"
        if not ended.after
        else f"its error is swallowed ({', '.join(names[:2])})"
    )
    yield Problem(
        ended.span,
        f"{ended.name!r} counts as done though it may never have happened: {ended.said}, and {how}, so "
        "nobody will try it again",
        evidence=ended.evidence,
        related=(Related(ended.write, "may raise"), Related(ended.caught, "the error ends here")),
        about=ended.write,
    )
