"""A scheduler is started by each worker of a web server, so each job runs once a worker."""

from collections.abc import Iterator

from stepcheck.facts.remembering import StartedScheduler
from stepcheck.rule import Problem, Severity, rule


@rule(StartedScheduler, stage=4, severity=Severity.WARNING)
def scheduler_per_worker(scheduler: StartedScheduler) -> Iterator[Problem]:
    """Report a scheduler whose jobs do something outside, and that nothing keeps to one process."""
    if scheduler.guarded or scheduler.harmless:
        return
    yield Problem(
        scheduler.span,
        f"every worker of the web server runs the jobs of {scheduler.name!r} once more: it is started "
        f"{scheduler.at}, and no lock lets only one of them through",
        evidence=scheduler.evidence,
    )
