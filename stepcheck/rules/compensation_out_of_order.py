"""Undos that run in the order in which things were done: each takes away what a later one still stands on."""

from collections.abc import Iterator

from stepcheck.facts.undoing import ForwardUndo
from stepcheck.rule import Problem, Related, Severity, rule


@rule(ForwardUndo, stage=5, severity=Severity.WARNING)
def compensation_out_of_order(one: ForwardUndo) -> Iterator[Problem]:
    """Report a loop that runs kept undos from the first to the last."""
    yield Problem(
        one.span,
        f"{one.function!r} undoes the first thing first: it goes forward over {one.holder!r}, so an undo may take "
        "away what later things, which are still there, rest on",
        evidence=one.evidence,
        related=(Related(one.kept, "kept here, in the order in which things are done"),),
    )
