"""A key that changes from one attempt to the next, so the other side takes a repeat for something new."""

from collections.abc import Iterator

from stepcheck.catalogue.names import why_volatile
from stepcheck.facts import Change, KeyUse, Step
from stepcheck.rule import Evidence, Problem, Related, rule


@rule(Step, stage=3)
def volatile_key(step: Step) -> Iterator[Problem]:
    """Report a name in `identity` that the table itself calls volatile, or that is so by what it says."""
    declared = {word.text: word for word in step.volatile.value or ()}
    for word in step.identity.value or ():
        twin = declared.get(word.text)
        why = "which the table itself declares volatile" if twin else why_volatile(word.text)
        if why:
            yield Problem(
                word.span,
                f"each attempt of {step.name!r} gets its own key, so a repeat is taken for something new: "
                f"its identity holds {word.text!r}, {why}",
                step=step.name,
                evidence=Evidence.DECLARED if twin else Evidence.NAME,
                related=(Related(twin.span, "declared volatile here"),) if twin else (),
            )


@rule(KeyUse, stage=3, yields_to=("model-written-key",))
def made_of_volatile(key: KeyUse) -> Iterator[Problem]:
    """Report the first part of a key that is another one at the next attempt, whoever makes that."""
    for part in key.parts:
        spoils = part.change in (Change.CLOCK, Change.ATTEMPT, Change.REQUEST)
        # All of a key may be drawn once and stored; beside other parts, or in a default, it spoils them.
        spoils = spoils or (
            part.change in (Change.CREDENTIAL, Change.RANDOM) and (not key.whole or part.once)
        )
        if key.carries and part.again is None and spoils:
            yield Problem(
                part.span,
                f"each attempt gets its own {key.name!r}, so a repeat is taken for something new: it is made "
                f"of {part.text!r}, {part.why}",
                evidence=part.evidence,
                related=(Related(key.span, "given as the key here"),),
                about=key.sends,
            )
            return
