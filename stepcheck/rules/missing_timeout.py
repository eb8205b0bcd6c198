"""A write that nothing bounds: when the other side hangs, the task hangs with it."""

from collections.abc import Iterator

from stepcheck.facts import Duration, StepTable, Unlimited
from stepcheck.facts.bodies import Part, StepBody
from stepcheck.facts.concluding import UnboundedWrite
from stepcheck.rule import Problem, Related, Severity, rule


@rule(StepTable, stage=4, severity=Severity.WARNING)
def missing_timeout(table: StepTable) -> Iterator[Problem]:
    """Report a write with an explicit "no bound", or with no `timeout` in a table that bounds other steps."""
    bounded = next((step for step in table.steps if isinstance(step.timeout.value, Duration)), None)
    for step in table.steps:
        unlimited = step.timeout.value is Unlimited.UNLIMITED
        forgotten = bounded is not None and step.lacks("timeout")
        if not step.writes or not (unlimited or forgotten):
            continue
        waits = "waits for ever" if unlimited else "may wait for ever"
        why = (
            "its timeout says that nothing bounds the call"
            if unlimited
            else "it has no timeout, while its table bounds other calls"
        )
        yield Problem(
            step.timeout.span,
            f"when the other side hangs, {step.name!r} {waits} and its task with it: {why}",
            step=step.name,
            related=(Related(bounded.timeout.span, f"{bounded.name!r} has one"),)
            if bounded is not None and forgotten
            else (),
        )


@rule(UnboundedWrite, stage=4, severity=Severity.WARNING)
def waits_for_ever(write: UnboundedWrite) -> Iterator[Problem]:
    """Report a write by a client that waits for ever, because nobody told it not to."""
    made = write.made
    why = f"nothing bounds it without {write.bound!r}" if made is None else "its client has no time limit"
    yield Problem(
        write.span,
        f"when the other side hangs, {write.name!r} waits for ever and whatever runs it with it: {why}",
        evidence=write.evidence,
        related=() if made is None else (Related(made, "waits for ever"),),
    )


@rule(StepBody, stage=4, severity=Severity.WARNING)
def body_waits_for_ever(body: StepBody) -> Iterator[Problem]:
    """Report a step that neither its table nor its call bounds; in a table that bounds others, that is told above."""
    write, step = body.unbounded, body.step
    if body.part is not Part.CALL or not step.writes or body.others_bounded:
        return
    if write is not None and step.lacks("timeout"):
        yield Problem(
            body.span,
            f"when the other side hangs, {step.name!r} waits for ever and its task with it: its call "
            f"{body.name!r} comes to {write.name!r}, which nothing bounds, and the step has no timeout",
            step=step.name,
            evidence=write.evidence,
            related=(Related(write.span, "waits for ever"),),
            about=write.span,
        )
