"""A key that the model makes up, so its next try of the same thing has another one."""

from collections.abc import Iterator

from stepcheck.facts.keying import ModelKey, Writer
from stepcheck.rule import Problem, Related, Severity, rule


@rule(ModelKey, stage=3, severity=Severity.WARNING)
def model_written_key(key: ModelKey) -> Iterator[Problem]:
    """Report a key from the id of a tool's call, or from a parameter that a model fills in."""
    if key.writer is Writer.CALL:
        told = f"{key.name!r} is {key.text!r}, which is another one at each call of the tool"
    elif key.writer is Writer.PARAMETER:
        told = f"it writes {key.text!r} of {key.function!r} itself, and nothing holds it to the one before"
    else:
        told = f"the schema that it is given asks it for {key.text!r}"
    yield Problem(
        key.span,
        f"when the model calls the tool again, the repeat is taken for something new: {told}",
        evidence=key.evidence,
        related=() if key.sends == key.span else (Related(key.sends, "sent with the key here"),),
        about=key.sends,
    )
