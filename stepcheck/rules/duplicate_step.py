"""One step name twice in a table: the later one silently replaces the earlier one."""

from collections.abc import Iterator

from stepcheck.facts import StepTable
from stepcheck.rule import Problem, Related, rule


@rule(StepTable, stage=1)
def duplicate_step(table: StepTable) -> Iterator[Problem]:
    """Report a step name that a table gives twice."""
    for repeated in table.repeated:
        yield Problem(
            repeated.second,
            f"the first {repeated.name!r} never runs: a later step of the same name silently replaces it, "
            "with its call, query and compensation",
            step=repeated.name,
            related=(Related(repeated.first, f"the {repeated.name!r} that is lost"),),
        )
