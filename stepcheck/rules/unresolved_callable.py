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
        if named is not None and named.target is Target.MISSING:
            cure = f"; did you mean {named.nearest!r}" if named.nearest else ""
            yield Problem(
                named.span,
                f"{step.name!r} {fails}: its {field} {named.name!r} does not exist: {named.why}{cure}",
                step=step.name,
            )
