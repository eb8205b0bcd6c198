"""The handle of work submitted elsewhere is only in memory, so a retry submits the work once more."""

from collections.abc import Iterator

from stepcheck.facts.remembering import WaitedHandle
from stepcheck.rule import Problem, Related, Severity, rule


@rule(WaitedHandle, stage=2, severity=Severity.WARNING)
def handle_in_memory(waited: WaitedHandle) -> Iterator[Problem]:
    """Report work that is submitted and waited for in one retried unit, and that the next try cannot find."""
    if waited.keyed or waited.looked_up or waited.stored:
        return
    if waited.handle:
        lost = f"its handle {waited.handle!r} is only in memory while it is waited for"
    else:
        lost = "what it started before is not looked for"
    yield Problem(
        waited.span,
        f"{waited.submits!r} starts the work once more when {waited.who} begins it again: {lost}",
        evidence=waited.evidence,
        related=(Related(waited.waits, "waits for it"),),
    )
