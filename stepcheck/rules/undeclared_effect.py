"""A step that does not say what repeating it does, so nothing can tell whether it may be tried again."""

from collections.abc import Iterator

from stepcheck.facts import Step
from stepcheck.rule import Problem, rule


@rule(Step, stage=1)
def undeclared_effect(step: Step) -> Iterator[Problem]:
    """Report a step without an effect class."""
    if step.lacks("effect"):
        yield Problem(
            step.effect.span,
            f"nobody can tell whether {step.name!r} may be tried again after a crash or a lost answer: "
            "it has no effect class",
            step=step.name,
        )
