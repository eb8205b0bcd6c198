"""A call that does something is made again only because its first answer was empty."""

from collections.abc import Iterator

from stepcheck.facts.remembering import EmptyRerun
from stepcheck.rule import Problem, Related, Severity, rule


@rule(EmptyRerun, stage=4, severity=Severity.WARNING)
def rerun_on_empty(rerun: EmptyRerun) -> Iterator[Problem]:
    """Report a repeated call; one that only asks a model costs money, and nothing else."""
    if rerun.model:
        return
    yield Problem(
        rerun.span,
        f"{rerun.name!r} may do it twice: it is called again because its answer was empty, which does not say "
        "that nothing was done",
        evidence=rerun.evidence,
        related=(Related(rerun.test, "goes back when the answer is empty"),),
    )
