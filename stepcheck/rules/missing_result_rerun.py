"""Recovery carries out every call again of which no answer was recorded, whether it had happened or not."""

from collections.abc import Iterator

from stepcheck.facts.remembering import Rerun
from stepcheck.rule import Problem, Related, rule


@rule(Rerun, stage=2)
def missing_result_rerun(rerun: Rerun) -> Iterator[Problem]:
    """Report a recorded call that is made once more because of a missing answer, with nothing asked before."""
    if rerun.asked or rerun.never:
        return
    yield Problem(
        rerun.span,
        f"{rerun.name!r} does it once more for a call that may have happened: a recorded call without an answer "
        f"({rerun.missing}) was not necessarily never made",
        evidence=rerun.evidence,
        related=(Related(rerun.test, "no answer is recorded"),),
    )
