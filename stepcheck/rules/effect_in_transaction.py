"""A write goes out inside a database transaction, which can be taken back or run again; the write cannot."""

from collections.abc import Iterator

from stepcheck.facts.ledgering import TransactedWrite
from stepcheck.rule import Problem, Related, rule


@rule(TransactedWrite, stage=3)
def effect_in_transaction(write: TransactedWrite) -> Iterator[Problem]:
    """Report a write to the outside in a transaction, unless a key tells the other side that it is a repeat."""
    if write.keyed:
        return
    related = [Related(write.opened, f"the transaction of {write.who!r}")]
    if write.record is not None:
        related.append(Related(write.record.span, "this record is taken back with it"))
    if write.rerun:
        what = f"{write.name!r} may happen more than once: {write.who!r} runs the transaction around it again"
        why = "when the database aborts it, and what has been sent is not taken back"
    else:
        what = f"{write.name!r} may happen with no record of it: it is sent inside the transaction of {write.who!r}"
        why = "and a rollback takes the records back, but not what has been sent"
    yield Problem(
        write.span,
        f"{what}, {why}" if not write.rerun else f"{what} {why}",
        evidence=write.evidence,
        related=tuple(related),
    )
