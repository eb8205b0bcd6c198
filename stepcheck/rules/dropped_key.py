"""A key that is taken from the caller and never sent, so the caller's retries are not protected."""

from collections.abc import Iterator

from stepcheck.facts import KeyParameter
from stepcheck.facts.bodies import Part, StepBody
from stepcheck.rule import Problem, Related, rule


@rule(KeyParameter, stage=3)
def dropped_key(key: KeyParameter) -> Iterator[Problem]:
    """Report a parameter that takes a key and does not bring it to what is sent, on some path."""
    yield Problem(
        key.span,
        f"{key.name!r} is dropped by {key.function!r}: {key.sends!r} sends without it, so a caller who "
        "tries again with the same key does it twice",
        evidence=key.evidence,
        related=(Related(key.sends_span, "sends without the key"),),
        about=key.sends_span,
    )


@rule(StepBody, stage=3)
def dropped_by_body(body: StepBody) -> Iterator[Problem]:
    """Report a step whose call is given a key and sends without it."""
    key = body.dropped
    if body.part is Part.CALL and key is not None and body.step.writes:
        yield Problem(
            body.span,
            f"the key of {body.step.name!r} protects nothing: its call {body.name!r} takes {key.name!r} and "
            f"comes to {key.sends!r} without it, so a repeat with the same key does it twice",
            step=body.step.name,
            evidence=key.evidence,
            related=(
                Related(key.span, "takes the key"),
                Related(key.sends_span, "sends without the key"),
            ),
            about=key.sends_span,
        )
