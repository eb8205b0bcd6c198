"""Something that comes out differently each time decides what is done, and is not recorded first."""

from collections.abc import Iterator

from stepcheck.facts.remembering import ActedChoice, Unrecorded
from stepcheck.rule import Problem, Related, Severity, rule


@rule(Unrecorded, stage=4, severity=Severity.WARNING)
def unrecorded_nondeterminism(found: Unrecorded) -> Iterator[Problem]:
    """Report what a replay of a workflow does not find as it was."""
    if found.logged_only:
        return
    yield Problem(
        found.span,
        f"a replay of {found.workflow!r} may do other steps, or steps that are done: {found.text!r} comes out "
        f"differently each time ({found.why}), and {found.engine} runs the workflow again from its beginning",
        evidence=found.evidence,
    )


@rule(ActedChoice, stage=4, severity=Severity.WARNING)
def acted_choice(choice: ActedChoice) -> Iterator[Problem]:
    """Report a write after a model's choice that the next try asks for anew."""
    if choice.recorded:
        return
    yield Problem(
        choice.span,
        f"{choice.name!r} may happen once for each answer of the model: {choice.who} begins it again, "
        f"{choice.model!r} is asked anew, and its choice was not recorded before it was acted upon",
        evidence=choice.evidence,
        related=(Related(choice.asked, "the model is asked here"),),
    )
