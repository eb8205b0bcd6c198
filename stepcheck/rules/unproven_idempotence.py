"""A write declared safe to repeat, with nothing that says the other side honours the key."""

from collections.abc import Iterator

from stepcheck.catalogue.names import states_outcome
from stepcheck.facts import Effect, Step
from stepcheck.rule import Problem, Severity, rule


@rule(Step, stage=3, severity=Severity.WARNING)
def unproven_idempotence(step: Step) -> Iterator[Problem]:
    """Report an `idem_write` without `dedupe`, unless its name says it sets an outcome (`upsert_order`)."""
    if step.effect.value is not Effect.IDEM_WRITE or not step.unkeyed:
        return
    called = step.call.value.name if step.call.value is not None else ""
    if not states_outcome(step.name) and not states_outcome(called):
        yield Problem(
            step.effect.span,
            f"a repeat of {step.name!r} is a second effect if the other side ignores its key: it is declared "
            f"idem_write, and no dedupe says who promises to honour the key",
            step=step.name,
        )
