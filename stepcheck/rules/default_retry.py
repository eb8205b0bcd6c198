"""A write that cannot be repeated is sent again by a default that nobody wrote."""

from collections.abc import Iterator

from stepcheck.facts import RetriedCall
from stepcheck.rule import Problem, Related, Severity, rule


@rule(
    RetriedCall,
    stage=4,
    severity=Severity.WARNING,
    yields_to=(
        "retry-without-query",
        "stacked-retries",
        "batch-in-one-unit",
        "repeated-append",
        "handle-in-memory",
    ),
)
def default_retry(call: RetriedCall) -> Iterator[Problem]:
    """Report a write that a client, a task queue or an engine repeats by itself, with no key and no question."""
    if call.unguarded and call.again.default:
        again = call.again
        yield Problem(
            call.span,
            f"{call.name!r} may happen {again.often} although nobody asked for it: {again.who} begins it again "
            "after a lost answer, and neither a key nor a query tells whether the try before landed",
            evidence=call.evidence,
            related=(
                *((Related(again.span, f"begun again by {again.who}"),) if again.span != call.span else ()),
                *(Related(span, "so does this one") for span in call.others),
            ),
        )
