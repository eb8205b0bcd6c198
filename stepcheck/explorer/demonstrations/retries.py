"""Who tries again, and how often."""

from dataclasses import replace

from stepcheck.executor.step import DedupePromise
from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import HOUR_MS, Scenario, declare, straight
from stepcheck.explorer.service import READER, Service
from stepcheck.explorer.skeleton_options import Skeleton
from stepcheck.facts.effect import Effect


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    once = Scenario({"pay": declare("pay")}, straight("pay"))
    keyed = declare("pay", "idem_write", dedupe=DedupePromise(24 * HOUR_MS))
    forgets = Service(honours_key=True, window_ms=24 * HOUR_MS)
    for_ever = declare("pay", "idem_write", dedupe=DedupePromise())
    outage = Scenario({"pay": keyed}, straight("pay"), {"pay": forgets}, downtime_ms=25 * HOUR_MS)
    stored = replace(forgets, stored_errors=True)
    told = declare("pay", "idem_write", dedupe=DedupePromise(24 * HOUR_MS, stored_errors=True))
    error = Scenario({"pay": told}, straight("pay"), {"pay": stored})
    return [
        Demonstration(
            "write-declared-read",
            "a write is declared as a read",
            Harm.DUPLICATE,
            Scenario({"look": declare("look", "read")}, straight("look"), {"look": Service()}),
            Scenario({"look": declare("look")}, straight("look"), {"look": Service()}),
            rules=("understated-effect", "write-behind-get"),
        ),
        Demonstration(
            "hidden-retry",
            "the client library sends again by itself",
            Harm.DUPLICATE,
            replace(once, services={"pay": Service(client_retries=1)}),
            once,
            rules=("stacked-retries", "default-retry"),
        ),
        Demonstration(
            "write-retried",
            "a write that is not idempotent is retried like a read",
            Harm.DUPLICATE,
            replace(once, skeleton=Skeleton(resends=frozenset(Effect))),
            once,
            rules=(
                "retry-without-query",
                "default-retry",
                "whole-run-retry",
                "retry-after-success",
                "retry-after-yield",
                "batch-in-one-unit",
                "repeated-append",
                "effect-before-suspend",
                "rerun-on-empty",
                "model-decides-retry",
            ),
        ),
        Demonstration(
            "retry-without-bound",
            "nothing bounds the attempts",
            Harm.UNBOUNDED,
            Scenario(
                {"look": declare("look", "read")},
                straight("look"),
                {"look": replace(READER, down=True)},
                skeleton=Skeleton(attempts=None),
                smooth=False,
            ),
            Scenario(
                {"look": declare("look", "read")},
                straight("look"),
                {"look": replace(READER, down=True)},
                smooth=False,
            ),
            faults=0,
            rules=("unbounded-retry",),
        ),
        Demonstration(
            "retry-after-window",
            "the other side forgets a key after a day, and the table says that it never does",
            Harm.DUPLICATE,
            replace(outage, table={"pay": for_ever}),
            outage,
            rules=("unproven-idempotence",),
        ),
        Demonstration(
            "stored-error-replayed",
            "the other side gives its first error to every repeat of the key",
            Harm.UNBOUNDED,
            replace(error, skeleton=Skeleton(attempts=None)),
            error,
            rules=("cached-failure", "unbounded-retry"),
        ),
        Demonstration(
            "two-workers-unfenced",
            "two workers run one task, and neither knows of the other",
            Harm.DUPLICATE,
            replace(once, workers=2, skeleton=Skeleton(resends=frozenset({Effect.READ}))),
            replace(once, workers=2),
            rules=("unclaimed-lookup", "short-lease", "scheduler-per-worker"),
        ),
    ]
