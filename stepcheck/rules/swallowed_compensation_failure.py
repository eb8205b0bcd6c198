"""An undo that fails is only logged, and all the same the record says that everything was undone."""

from collections.abc import Iterator

from stepcheck.facts.undoing import SwallowedUndo
from stepcheck.rule import Problem, Related, rule


@rule(SwallowedUndo, stage=5)
def swallowed_compensation_failure(one: SwallowedUndo) -> Iterator[Problem]:
    """Report a record of success that the failure of an undo leads to as well."""
    yield Problem(
        one.span,
        f"when {one.name!r} fails nobody hears of it: its error is swallowed, and {one.says!r} then says that "
        "all was undone, so what it was to take away stays for good",
        evidence=one.evidence,
        related=(
            Related(one.handler, "swallows the error"),
            Related(one.recorded, "says that all was undone"),
        ),
    )
