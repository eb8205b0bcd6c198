"""A key that is made anew for each attempt, so the other side takes a repeat for something new."""

from collections.abc import Iterator

from stepcheck.facts import Change, KeyUse
from stepcheck.rule import Evidence, Problem, Related, rule

_ANEW = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT})


@rule(KeyUse, stage=3)
def per_attempt_key(key: KeyUse) -> Iterator[Problem]:
    """Report the first part of a key that is made inside what is begun again."""
    for part in key.parts:
        told = key.carries or (key.names_job and part.evidence is not Evidence.NAME)
        if part.again is not None and part.again.doubtful and part.change in _ANEW and told:
            yield Problem(
                part.span,
                f"each attempt gets its own {key.name!r}, so a repeat is taken for something new: "
                f"it is made of {part.text!r}, {part.why}, inside what {part.again.who} begins again",
                evidence=part.evidence,
                related=(
                    Related(key.span, "given as the key here"),
                    Related(part.again.span, f"begun again by {part.again.who}"),
                ),
                about=key.sends,
            )
            return
