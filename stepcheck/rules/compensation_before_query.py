"""Something of unknown outcome is undone before anybody asks whether it happened."""

from collections.abc import Iterator

from stepcheck.facts.undoing import UnaskedUndo
from stepcheck.rule import Problem, Related, rule


@rule(UnaskedUndo, stage=5)
def compensation_before_query(one: UnaskedUndo) -> Iterator[Problem]:
    """Report an undo that a lost answer, or a state of doubt, leads to without a question."""
    first = one.after.split(", ")[0].rpartition(".")[2]
    when = (
        f"{one.done!r} may not have happened when {first!r} comes"
        if first
        else f"{one.done!r} may not have happened"
    )
    yield Problem(
        one.span,
        f"{one.name!r} may make up for what never was, or is still under way: {when}, and nothing asks before",
        evidence=one.evidence,
        related=(Related(one.done_span, f"{one.done!r}: nobody knows whether it happened"),),
    )
