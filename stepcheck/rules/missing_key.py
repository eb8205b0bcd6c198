"""A write that can carry an idempotency key carries none, in code that runs more than once."""

from collections.abc import Iterator

from stepcheck.facts.keying import UnkeyedWrite
from stepcheck.rule import Problem, Related, Severity, rule

_SAYS_MORE = (
    "per-attempt-key",
    "volatile-key",
    "dropped-key",
    "retry-without-query",
    "default-retry",
    "unguarded-redelivery",
    "unclaimed-lookup",
    "batch-in-one-unit",
    "stacked-retries",
    "whole-run-retry",
    "narrow-except",
    "handle-in-memory",
    "call-before-ledger",
    "deleted-record",
    "effect-in-transaction",
    "rerun-on-empty",
    "retry-after-success",
)


@rule(UnkeyedWrite, stage=3, severity=Severity.WARNING, yields_to=_SAYS_MORE)
def missing_key(write: UnkeyedWrite) -> Iterator[Problem]:
    """Report a write without the key that it takes, where nothing is claimed before it."""
    if not write.claimed:
        yield Problem(
            write.span,
            f"{write.name!r} may happen more than once: {write.again.who} runs {write.function!r} again after a lost "
            f"answer, and {write.key} is not given",
            evidence=write.evidence,
            related=(Related(write.again.span, f"run again by {write.again.who}"),),
            about=write.span,
        )
