"""A write that several things retry, one around the other: the tries multiply, and nobody wrote the product."""

from collections.abc import Iterator

from stepcheck.facts.repeating import StackedRetries
from stepcheck.rule import Problem, Related, Severity, rule


@rule(StackedRetries, stage=4, severity=Severity.WARNING, yields_to=("batch-in-one-unit",))
def stacked_retries(call: StackedRetries) -> Iterator[Problem]:
    """Report a write with two or more retries around it, and say how many tries they come to."""
    counts = [str(again.attempts) if again.attempts else "any number" for again in call.layers]
    product = f" = {call.product}" if call.product else ""
    outer, *inner = dict.fromkeys(again.who for again in call.layers)
    who = (
        f"{outer} and, inside that, by {' and '.join(inner)}"
        if inner
        else f"{outer}, in each of several turns"
    )
    first = call.layers[0]
    yield Problem(
        first.span,
        f"{call.name!r} may be sent {' x '.join(counts)}{product} times: it is begun again by {who}, and "
        "neither a key nor a query stops the second one",
        evidence=call.evidence,
        related=(
            Related(call.span, "this is sent"),
            *(Related(again.span, f"begun again by {again.who}") for again in call.layers[1:]),
        ),
        about=call.span,
    )
