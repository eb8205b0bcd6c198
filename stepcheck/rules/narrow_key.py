"""A key that stays the same while what is sent under it does not, so a repeat is refused or answered wrongly."""

from collections.abc import Iterator

from stepcheck.facts.keying import ChangingBody
from stepcheck.rule import Problem, Related, Severity, rule

_SAYS_MORE = ("per-attempt-key", "volatile-key", "model-written-key", "incomplete-key")


@rule(ChangingBody, stage=3, severity=Severity.WARNING, yields_to=_SAYS_MORE)
def narrow_key(body: ChangingBody) -> Iterator[Problem]:
    """Report an input of the body that is made in the function, under a key that it is no part of."""
    what = f"{body.field!r} is {body.text!r}" if body.field else f"it is made of {body.text!r}"
    yield Problem(
        body.span,
        f"a repeat of {body.write!r} has the same {body.name!r} and another body, and is refused or answered for the "
        f"first: {what}, {body.why}",
        evidence=body.evidence,
        related=(Related(body.key, "the key, which stays the same"),),
        about=body.sends,
    )
