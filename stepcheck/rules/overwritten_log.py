"""Rows that say what steps did are changed or deleted, so that what happened can no longer be told."""

from collections.abc import Iterator

from stepcheck.facts.remembering import RowChange
from stepcheck.rule import Problem, rule


@rule(RowChange, stage=2)
def overwritten_log(change: RowChange) -> Iterator[Problem]:
    """Report a change of a log of steps, or of its only history: a state for each task and step."""
    if change.log and not (change.compares and not change.deletes):
        does = "are deleted from" if change.deletes else "are overwritten in"
        yield Problem(
            change.span,
            f"what steps did can no longer be told after a crash: rows {does} the log {change.table!r}, to which "
            "rows are only ever added",
            evidence=change.evidence,
        )
    elif change.keyed and not change.log and not change.beside_log and not change.compares:
        where = f"in {change.table!r} " if change.table else ""
        does = "is deleted" if change.deletes else "overwrites the one before"
        yield Problem(
            change.span,
            f"what a step did can no longer be told after a crash: its state {where}{does}, and no "
            "log beside it is added to",
            evidence=change.evidence,
        )
