"""Input that the first try uses up or changes: the next try is given what is left of it."""

from collections.abc import Iterator

from stepcheck.facts.repeating import UsedInput
from stepcheck.rule import Problem, Related, Severity, rule


@rule(UsedInput, stage=4, severity=Severity.WARNING)
def consumed_input(given: UsedInput) -> Iterator[Problem]:
    """Report a file, an iterator or an argument that does not come to the second try as it came to the first."""
    yield Problem(
        given.span,
        f"{given.name!r} is not what it was when {given.again.who} begins {given.function!r} again: it is "
        f"{given.how}",
        evidence=given.evidence,
        related=(
            *((Related(given.origin, "made here, once"),) if given.origin else ()),
            Related(given.again.span, f"begun again by {given.again.who}"),
        ),
    )
