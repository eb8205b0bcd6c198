"""What a ledger and an output store must not forget."""

from dataclasses import replace

from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Journal, Scenario, declare, straight
from stepcheck.explorer.service import Service
from stepcheck.explorer.skeleton_options import Skeleton


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    asked = Scenario({"pay": declare("pay")}, straight("pay"))
    long = Scenario(
        {"report": declare("report", query=True)}, straight("report"), {"report": Service(long_output=True)}
    )
    return [
        Demonstration(
            "ledger-not-synced",
            "the ledger's commits have not reached the disk when the call is sent",
            Harm.DUPLICATE,
            replace(asked, journal=Journal.OFF),
            asked,
        ),
        Demonstration(
            "done-before-output",
            "the step is recorded as done before its output is stored",
            Harm.DANGLING,
            replace(long, skeleton=Skeleton(output_first=False)),
            long,
        ),
        Demonstration(
            "output-written-in-place",
            "an output is written under its final name, and the process goes in the middle of it",
            Harm.DANGLING,
            replace(long, torn_blobs=True),
            long,
        ),
    ]
