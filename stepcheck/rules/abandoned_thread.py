"""A wait for a thread that writes is given up, and the write is begun again or counts as failed while it goes on."""

from collections.abc import Iterator

from stepcheck.facts.concluding import AbandonedWork, Afterwards
from stepcheck.rule import Problem, Related, Severity, rule


@rule(AbandonedWork, stage=4, severity=Severity.WARNING)
def abandoned_thread(work: AbandonedWork) -> Iterator[Problem]:
    """Report a limited wait for a thread behind which the write is repeated or written off."""
    if work.afterwards is Afterwards.AGAIN:
        then = f"{work.said} begins it again" if work.said else "it is begun again"
    else:
        then = work.said
    yield Problem(
        work.span,
        f"{work.name!r} goes on in its thread when {work.wait!r} gives up, and {then} although it may still be done",
        evidence=work.evidence,
        related=(
            Related(work.work, "goes on: a thread cannot be called off"),
            Related(work.at, "takes it for not done"),
        ),
        about=work.work,
    )
