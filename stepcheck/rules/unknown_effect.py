"""An effect class that no executor knows, so what repeating the step does is anybody's guess."""

from collections.abc import Iterator

from stepcheck.catalogue.effects import meant
from stepcheck.facts import Effect, Step
from stepcheck.rule import Problem, rule


@rule(Step, stage=1)
def unknown_effect(step: Step) -> Iterator[Problem]:
    """Report an effect class that is none of the three, with what was probably meant."""
    if step.effect.wrong:
        likely = meant(step.effect.text)
        words = " or ".join(repr(str(effect)) for effect in likely or tuple(Effect))
        cure = f"did you mean {words}" if likely else f"it can be {words}"
        yield Problem(
            step.effect.span,
            f"nobody can tell whether {step.name!r} may be tried again: no executor knows "
            f"the effect class {step.effect.text!r}; {cure}",
            step=step.name,
        )
