"""What becomes of a step that only a person can settle."""

from dataclasses import replace

from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.guaranteed import FOR_EVER_MS
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario, declare, straight
from stepcheck.explorer.service import Service
from stepcheck.explorer.skeleton_options import Skeleton


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    once = Scenario({"pay": declare("pay")}, straight("pay"))
    asked = Scenario(
        {"pay": declare("pay", query=True)}, straight("pay"), {"pay": Service(late_ms=(FOR_EVER_MS,))}
    )
    return [
        Demonstration(
            "person-without-a-row",
            "a person is needed, and only an exception says so",
            Harm.STUCK,
            replace(once, skeleton=Skeleton(inbox=False)),
            once,
            rules=("stuck-claim",),
        ),
        Demonstration(
            "halted-task-run-again",
            "a scheduler runs a task again that waits for a person",
            Harm.DUPLICATE,
            replace(asked, skeleton=Skeleton(stops_for_person=False)),
            asked,
            rules=("whole-run-retry", "catch-up-resend"),
        ),
    ]
