"""A key from something whose order or spelling is not fixed, so equal requests get different keys."""

from collections.abc import Iterator

from stepcheck.facts import Change, KeyUse
from stepcheck.rule import Problem, Related, rule


@rule(KeyUse, stage=3)
def unsorted_key(key: KeyUse) -> Iterator[Problem]:
    """Report a part of a key whose text is not the same for what is equal."""
    for part in key.parts:
        if part.change is Change.UNORDERED:
            yield Problem(
                part.span,
                f"equal requests may get different keys, so a repeat is taken for something new: {key.name!r} "
                f"is made with {part.text!r}, {part.why}",
                evidence=part.evidence,
                related=(Related(key.span, "given as the key here"),),
                about=key.sends,
            )
            return
