"""Compensations of what is not there, twice, or too late."""

from dataclasses import replace

from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.guaranteed import FOR_EVER_MS
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario, declare, straight
from stepcheck.explorer.service import Service
from stepcheck.explorer.skeleton_options import Skeleton, Then, Undo

MINUTE_MS = 60_000


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    refund = declare("refund", max_attempts=1)
    paid = declare("pay", compensation=refund, compensate_within_ms=10 * MINUTE_MS)
    single = Scenario({"pay": paid}, straight("pay"))
    late = replace(single, services={"pay": Service(late_ms=(FOR_EVER_MS,))})
    saga = Scenario(
        {"pay": paid, "ship": declare("ship")},
        straight("pay", "ship"),
        {"ship": Service(refuses=True)},
        smooth=False,
    )
    outage = replace(saga, downtime_ms=6 * MINUTE_MS)
    at_once = Skeleton(unknown=Then.UNDO)
    return [
        Demonstration(
            "uncertain-step-compensated",
            "a step whose outcome nobody knows is made up for",
            Harm.WRONG_COMPENSATION,
            replace(single, skeleton=at_once),
            single,
            rules=("compensation-before-query",),
        ),
        Demonstration(
            "compensation-off-the-ledger",
            "a compensation is called like any function, and nothing records it",
            Harm.WRONG_COMPENSATION,
            replace(saga, skeleton=Skeleton(undo=Undo(recorded=False))),
            saga,
            rules=("blind-compensation",),
        ),
        Demonstration(
            "compensation-retried",
            "a compensation is sent again after a lost answer",
            Harm.WRONG_COMPENSATION,
            replace(saga, skeleton=Skeleton(undo=Undo(resends=True))),
            saga,
            rules=("blind-compensation", "unbounded-compensation"),
        ),
        Demonstration(
            "deadline-starts-anew",
            "a compensation's deadline counts from the last start of the process",
            Harm.WRONG_COMPENSATION,
            replace(outage, skeleton=Skeleton(undo=Undo(from_first_intent=False))),
            outage,
            faults=2,
            rules=("compensation-without-deadline",),
        ),
        Demonstration(
            "compensation-overtakes-its-effect",
            "a step is made up for while its request is still under way",
            Harm.WRONG_COMPENSATION,
            replace(late, skeleton=at_once),
            late,
            rules=("compensation-before-query",),
        ),
    ]
