"""A key that does not say what the write is about, so two different intents share it."""

from collections.abc import Iterator

from stepcheck.catalogue.names import names_run
from stepcheck.facts import Step
from stepcheck.facts.keying import SharedKey, Sharing
from stepcheck.rule import Evidence, Problem, Related, rule


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


@rule(SharedKey, stage=3, yields_to=("per-attempt-key", "volatile-key", "model-written-key"))
def shared_key(key: SharedKey) -> Iterator[Problem]:
    """Report one key for all items of a loop, for two writes, for every call, or for all steps of a name."""
    lost = f"{key.write!r} is taken for the first and never happens"
    told = {
        Sharing.LOOP: f"all but the first turn of the loop are lost: each {lost}, as {key.name!r} "
        "does not change in it",
        Sharing.TWO: f"this {lost} or is refused: its {key.name!r} is that of another write of {key.function!r}",
        Sharing.CONSTANT: f"a second {lost}: its {key.name!r} is {key.text!r} for every one",
        Sharing.RUN: f"a second {lost}: its {key.name!r} holds only {key.text}, nothing of what it is about",
        Sharing.NAME: f"a step that is meant to happen twice happens once: its key in {key.function!r} is made of "
        f"{key.text}, and holds no number of the step",
        Sharing.TASKS: f"a second task is handed the first one's results: the key in {key.function!r} is made of "
        f"{key.text}, and holds nothing of the task",
    }
    where = {Sharing.LOOP: "the loop", Sharing.TWO: "the other write with the same key"}
    yield Problem(
        key.span,
        told[key.sharing],
        evidence=key.evidence,
        related=() if key.other is None else (Related(key.other, where.get(key.sharing, "here")),),
        about=key.sends,
    )
