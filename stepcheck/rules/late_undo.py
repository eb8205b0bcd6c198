"""An undo that is registered after the thing is done, so what was done while the answer was lost is never undone."""

from collections.abc import Iterator

from stepcheck.facts.undoing import LateUndo
from stepcheck.rule import Problem, Related, Severity, rule


@rule(LateUndo, stage=5, severity=Severity.WARNING)
def late_undo(one: LateUndo) -> Iterator[Problem]:
    """Report something whose undo, or which itself, is kept for undoing only once its answer is there."""
    what = "the step is" if one.step else "its undo is"
    yield Problem(
        one.span,
        f"when the answer of {one.name!r} is lost, what it did stays: {what} kept in {one.holder!r} only after "
        "it, so nothing undoes it and nothing asks whether it happened",
        evidence=one.evidence,
        related=(Related(one.kept, f"{what} kept here"),),
    )
