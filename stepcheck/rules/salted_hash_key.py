"""A key from a hash that every process salts differently, so a restart makes another one."""

from collections.abc import Iterator

from stepcheck.facts import Change, KeyUse
from stepcheck.rule import Problem, Related, rule


@rule(KeyUse, stage=3)
def salted_hash_key(key: KeyUse) -> Iterator[Problem]:
    """Report the builtin `hash()` or `id()` among the parts of a key."""
    for part in key.parts:
        if part.change is Change.SALTED:
            yield Problem(
                part.span,
                f"another process makes another {key.name!r} of the same, so after a restart a repeat is "
                f"taken for something new: it is made with {part.text!r}, {part.why}",
                evidence=part.evidence,
                related=(Related(key.span, "given as the key here"),),
                about=key.sends,
            )
            return
