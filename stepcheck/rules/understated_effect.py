"""A step, tool or function that does more to the world than its declaration says, so it is repeated at will."""

from collections.abc import Iterator

from stepcheck.facts import Effect, Evidence
from stepcheck.facts.bodies import BodyWrite, Part, StepBody
from stepcheck.facts.declaring import Hint, Toggle
from stepcheck.rule import Problem, Related, rule


@rule(StepBody, stage=1)
def understated_effect(body: StepBody) -> Iterator[Problem]:
    """Report a step whose call does more than its effect class says."""
    step = body.step
    if body.part is not Part.CALL:
        return
    if step.effect.value is Effect.READ:
        write = next((one for one in body.writes if not one.fills), None)
        says, then = "repeated like a read, and changes something each time", ""
    elif step.effect.value is Effect.IDEM_WRITE and not (step.dedupe.value and step.dedupe.value.own_table):
        write = next((one for one in body.writes if one.repeats), None)
        says, then = "repeated as an idem_write, and happens once more each time", ", and no key goes with it"
    else:
        return
    if write is not None:
        yield Problem(
            step.effect.span,
            f"{step.name!r} is {says}: its call {body.name!r} comes to {write.name!r} ({write.why}){then}",
            step=step.name,
            evidence=write.evidence,
            related=way(write),
            about=write.span,
        )


def way(write: BodyWrite) -> tuple[Related, ...]:
    """The calls that lead to a write, and the write."""
    steps = (Related(span, "by this call") for span in write.via)
    return (*steps, Related(write.span, f"here: {write.why}"))


@rule(Hint, stage=1)
def hint_that_lies(hint: Hint) -> Iterator[Problem]:
    """Report a tool whose hint its body contradicts."""
    write = hint.contradicts
    if write is not None:
        reads = hint.name == "readOnlyHint"
        says = (
            "is called at will, as it is said to only read"
            if reads
            else "is called again, as a repeat is said to add nothing"
        )
        then = "" if reads else ", and no key goes with it"
        yield Problem(
            hint.span,
            f"{hint.function!r} {says} ({hint.name!r}), and it comes to {write.name!r} ({write.why}){then}",
            evidence=write.evidence,
            related=way(write),
            about=write.span,
        )


@rule(Toggle, stage=1)
def name_that_lies(toggle: Toggle) -> Iterator[Problem]:
    """Report a function named for a state that shall be, which turns the state round."""
    yield Problem(
        toggle.span,
        f"calling {toggle.function!r} a second time undoes it: by its name it does {toggle.word!r}, and it turns "
        f"{toggle.field!r} round",
        evidence=Evidence.NAME,
        related=(Related(toggle.named, f"named for a state that shall be: {toggle.word!r}"),),
    )
