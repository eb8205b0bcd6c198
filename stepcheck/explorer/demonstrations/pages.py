"""What rule pages show beyond the executor's own list."""

from dataclasses import replace

from stepcheck.executor.step import DedupePromise
from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario, declare, straight
from stepcheck.explorer.service import KEYED, Match, Service
from stepcheck.explorer.skeleton_options import Skeleton, Undo

HOUR_MS = 3_600_000


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    asked = Scenario({"page": declare("page", query=True)}, straight("page"))
    once = Scenario({"pay": declare("pay")}, straight("pay"))
    refund = declare("refund", max_attempts=1)
    undone = declare("pay", compensation=refund, compensate_within_ms=10 * 60_000)
    for_ever = declare("pay", "idem_write", dedupe=DedupePromise())
    no_end = declare("pay", compensation=refund)
    saga = Scenario(
        {"pay": undone, "ship": declare("ship")},
        straight("pay", "ship"),
        {"ship": Service(refuses=True)},
        downtime_ms=HOUR_MS,
        touched_ms=20 * 60_000,
        smooth=False,
    )
    return [
        Demonstration(
            "query-writes",
            "the query is the write once more",
            Harm.DUPLICATE,
            replace(asked, services={"page": Service(query=Match.WRITES)}),
            asked,
            rules=("effectful-query",),
        ),
        Demonstration(
            "compensation-without-an-end",
            "nothing says until when a compensation may run, and others have acted meanwhile",
            Harm.WRONG_COMPENSATION,
            replace(saga, table={**saga.table, "pay": no_end}, skeleton=Skeleton(undo=Undo(bounded=False))),
            saga,
            rules=("compensation-without-deadline",),
        ),
        Demonstration(
            "keyed-write-retried-by-the-table",
            "an idem_write is sent again with the same key, and nothing bounds it",
            Harm.UNBOUNDED,
            Scenario(
                {"pay": for_ever},
                straight("pay"),
                {"pay": replace(KEYED, down=True)},
                skeleton=Skeleton(attempts=None),
                smooth=False,
            ),
            Scenario({"pay": for_ever}, straight("pay"), {"pay": replace(KEYED, down=True)}, smooth=False),
            faults=0,
            rules=("unbounded-retry",),
        ),
        Demonstration(
            "done-before-call",
            "the step is recorded as done, and only then called",
            Harm.LOST,
            replace(once, skeleton=Skeleton(done_first=True)),
            once,
            rules=("done-before-call",),
        ),
    ]
