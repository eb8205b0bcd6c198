"""What is asked of the other side, and what is made of its silence."""

from dataclasses import replace

from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.faults import EVERY, Fault
from stepcheck.explorer.guaranteed import BOUNDED, FOR_EVER_MS, PROOF
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario, declare, straight
from stepcheck.explorer.service import Match, Service
from stepcheck.explorer.skeleton_options import Skeleton, Then


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    once = Scenario({"pay": declare("pay")}, straight("pay"))
    asked = Scenario({"pay": declare("pay", query=True)}, straight("pay"))
    proven = declare("pay", query=True, retry_absent=True, absence=PROOF)
    lags = Scenario({"pay": proven}, straight("pay"), {"pay": replace(BOUNDED, late_ms=())})
    late = replace(lags, services={"pay": replace(BOUNDED, lag_ms=0)})
    unbounded = replace(asked, services={"pay": Service(late_ms=(FOR_EVER_MS,))})
    again = Skeleton(absent=Then.CALL)
    return [
        Demonstration(
            "no-query-falls-through",
            "there is nothing to ask, so the call is made again",
            Harm.DUPLICATE,
            replace(once, skeleton=Skeleton(unknown=Then.CALL)),
            once,
            rules=("unqueryable-write", "unqueried-uncertain", "missing-result-rerun"),
        ),
        Demonstration(
            "empty-query-of-a-replica",
            "an empty answer of a query that lags is believed",
            Harm.DUPLICATE,
            replace(lags, skeleton=again, faults=EVERY - {Fault.REQUEST_LOST}),
            lags,
            faults=2,
            rules=("unproven-absence",),
        ),
        Demonstration(
            "empty-query-before-arrival",
            "an empty answer is believed while the request is still under way",
            Harm.DUPLICATE,
            replace(late, skeleton=again),
            late,
            rules=("unproven-absence",),
        ),
        Demonstration(
            "empty-query-read-as-failure",
            "an empty answer is recorded as a failure",
            Harm.FALSE_FAILURE,
            replace(unbounded, skeleton=Skeleton(absent=Then.FAILED)),
            unbounded,
            rules=("timeout-as-failure",),
        ),
        Demonstration(
            "query-finds-a-neighbour",
            "the query asks for what others have too",
            Harm.LOST,
            replace(asked, services={"pay": Service(query=Match.NEIGHBOUR)}),
            asked,
            rules=("effectful-query",),
        ),
    ]
