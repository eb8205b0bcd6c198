"""A compensate_deadline that is no length of time, so nothing says when a person decides instead."""

from collections.abc import Iterator

from stepcheck.catalogue.durations import LIKE, iso_duration
from stepcheck.facts import Span, Step
from stepcheck.rule import Fix, Problem, ReplaceValue, rule


@rule(Step, stage=5)
def invalid_deadline(step: Step) -> Iterator[Problem]:
    """Report a `compensate_deadline` that is not a duration of a fixed length greater than zero."""
    deadline = step.compensate_deadline
    if deadline.wrong:
        likely = iso_duration(deadline.text)
        cure = f"; did you mean {likely!r}" if likely else ""
        why = deadline.why.removesuffix(LIKE) if likely else deadline.why
        yield Problem(
            deadline.span,
            f"nothing says until when {step.name!r} may be undone automatically: "
            f"its compensate_deadline {deadline.text!r} {why}{cure}",
            step=step.name,
            fix=_instead(deadline.span, likely) if likely and deadline.why.endswith(LIKE) else None,
        )


def _instead(span: Span, likely: str) -> Fix:
    """The fix for another notation of a length; what a bare number or `P10M` means is a guess."""
    return Fix(f"write {likely!r}", ReplaceValue(span, likely), safe=False)
