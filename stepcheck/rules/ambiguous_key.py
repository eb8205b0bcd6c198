"""A key that two different intents can have, as its parts run into each other or too little is left of a digest."""

from collections.abc import Iterator

from stepcheck.facts.keying import JoinedKey
from stepcheck.rule import Evidence, Problem, Related, Severity, rule

_ENOUGH = 128
_LITTLE = 48


@rule(
    JoinedKey,
    stage=3,
    severity=Severity.WARNING,
    yields_to=("per-attempt-key", "volatile-key", "salted-hash-key"),
)
def ambiguous_key(key: JoinedKey) -> Iterator[Problem]:
    """Report parts with nothing between them, and digests cut below 128 bits (48 beside other parts)."""
    if key.parts:
        first, second = key.parts
        alike = "'1' and '23' are '12' and '3'"
        told = f"{first} and {second} stand in {key.name!r} with nothing between them, as {alike}"
    elif key.bits < (_ENOUGH if key.alone else _LITTLE):
        told = f"only {key.bits} bits of a digest are left in {key.name!r} ({key.digest!r})"
    else:
        return
    yield Problem(
        key.span,
        f"two different intents may get the same key, and the second never happens: {told}",
        evidence=Evidence.BODY,
        related=(Related(key.given, "given as the key here"),),
        about=key.sends,
    )
