"""Whether a write was made is looked up in the conversation, which is cut, and gone after a restart."""

from collections.abc import Iterator

from stepcheck.facts.remembering import ConversationCheck
from stepcheck.rule import Problem, Related, Severity, rule


@rule(ConversationCheck, stage=2, severity=Severity.WARNING)
def state_in_conversation(check: ConversationCheck) -> Iterator[Problem]:
    """Report a write that only a look into the conversation keeps from being made once more."""
    if check.stored:
        return
    yield Problem(
        check.span,
        f"{check.name!r} is done once more when the conversation is cut or lost: only {check.messages!r} says "
        "that it was done before, and no store is asked",
        evidence=check.evidence,
        related=(Related(check.look, "decides by the conversation"),),
    )
