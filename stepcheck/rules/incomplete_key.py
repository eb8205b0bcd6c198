"""A key that does not say what the write is about, so two different intents share it."""

from collections.abc import Iterator

from stepcheck.catalogue.names import names_run
from stepcheck.facts import Step
from stepcheck.rule import Evidence, Problem, rule


@rule(Step, stage=3)
def incomplete_key(step: Step) -> Iterator[Problem]:
    """Report an `identity` of a write that is empty, or made of nothing but names of the run and the step."""
    identity = step.identity.value
    if identity is None or not step.writes or not all(names_run(word.text) for word in identity):
        return
    held = " and ".join(repr(word.text) for word in identity)
    yield Problem(
        step.identity.span,
        f"a second {step.name!r} of the same task is taken for the first and never happens: "
        + (
            f"its identity holds only {held}, nothing of what it is about"
            if held
            else "its identity is empty"
        ),
        step=step.name,
        evidence=Evidence.NAME if held else Evidence.DECLARED,
    )
