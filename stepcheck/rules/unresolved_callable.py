"""A step that names a callable which does not exist: it fails at the moment it is needed."""

from collections.abc import Iterator

from stepcheck.facts import Step, Target
from stepcheck.rule import Problem, rule

_FAILS = {
    "call": "can never run",
    "query": "cannot be asked about when its outcome is unknown",
    "compensate": "cannot be undone",
}


@rule(Step, stage=1)
def unresolved_callable(step: Step) -> Iterator[Problem]:
    """Report a `call`, `query` or `compensate` that the project does not define."""
    for field, fails in _FAILS.items():
        named = step.settings()[field].value
        if named is None:
            continue
        # A word that is nearly a step's name: only a compensate may name a step.
        misspelt_step = field == "compensate" and named.target is Target.UNKNOWN and named.nearest
        if named.target is Target.MISSING or misspelt_step:
            cure = f"; did you mean {named.nearest!r}" if named.nearest else ""
            yield Problem(
                named.span,
                f"{step.name!r} {fails}: its {field} {named.name!r} does not exist: {named.why}{cure}",
                step=step.name,
            )
