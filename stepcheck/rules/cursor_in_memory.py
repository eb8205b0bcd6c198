"""A polling loop keeps its place in memory, and starts from a literal again after each restart."""

from collections.abc import Iterator

from stepcheck.facts.remembering import PollCursor
from stepcheck.rule import Problem, Related, Severity, rule


@rule(PollCursor, stage=2, severity=Severity.WARNING)
def cursor_in_memory(cursor: PollCursor) -> Iterator[Problem]:
    """Report a place that is never stored, in a loop that handles what it reads with no claim on it."""
    if cursor.stored or cursor.claimed:
        return
    yield Problem(
        cursor.span,
        f"a restart makes {cursor.handles!r} handle things again, or miss them: {cursor.polls!r} reads on from "
        f"{cursor.name!r}, which starts from {cursor.start} in each process and is never stored",
        evidence=cursor.evidence,
        related=(Related(cursor.handled, "handles what was read"),),
    )
