"""What is made of an outcome: of a lost answer, a refusal, a cancellation, a crash between two records."""

from dataclasses import replace

from stepcheck.executor.step import DedupePromise
from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.faults import EVERY, Fault
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario, declare, straight
from stepcheck.explorer.service import KEYED, Reading, Service
from stepcheck.explorer.skeleton_options import Cancelled, Skeleton


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    once = Scenario({"pay": declare("pay")}, straight("pay"))
    asked = Scenario({"pay": declare("pay", query=True)}, straight("pay"))
    keyed = declare("pay", "idem_write", dedupe=DedupePromise())
    idem = Scenario({"pay": keyed}, straight("pay"), {"pay": KEYED})
    halves = Service(parts=2)
    hanging = Service(bounded=False)
    return [
        Demonstration(
            "intent-after-call",
            "the ledger is told after the call, and not before",
            Harm.DUPLICATE,
            replace(asked, skeleton=Skeleton(intent_first=False)),
            asked,
            rules=("call-before-ledger", "effect-in-transaction", "handle-in-memory"),
        ),
        Demonstration(
            "no-record-of-the-call",
            "the ledger is told after the call, and nobody starts the process again",
            Harm.GHOST,
            replace(asked, skeleton=Skeleton(intent_first=False), restarts=0, faults=EVERY - {Fault.SWITCH}),
            asked,
            rules=("call-before-ledger", "late-undo"),
        ),
        Demonstration(
            "only-timeouts-caught",
            "a server error is no timeout, and nothing catches it",
            Harm.STUCK,
            replace(once, skeleton=Skeleton(catches_all=False)),
            once,
            rules=("narrow-except",),
        ),
        Demonstration(
            "unknown-read-as-failure",
            "the call says that nothing happened where nobody knows",
            Harm.FALSE_FAILURE,
            replace(once, services={"pay": Service(reading=Reading.FAILURE)}),
            once,
            rules=("timeout-as-failure", "abandoned-thread"),
        ),
        Demonstration(
            "error-swallowed",
            "the call returns as if all was well",
            Harm.LOST,
            replace(once, services={"pay": Service(reading=Reading.SWALLOWED)}),
            once,
            rules=("swallowed-error",),
        ),
        Demonstration(
            "two-effects-in-one-step",
            "one step has two effects, and the second is lost",
            Harm.LOST,
            replace(asked, services={"pay": halves}),
            Scenario(
                {"pay": declare("pay", query=True), "tell": declare("tell", query=True)},
                straight("pay", "tell"),
            ),
            rules=("two-effects-in-one-step",),
        ),
        Demonstration(
            "no-timeout",
            "nothing bounds the call",
            Harm.STUCK,
            replace(once, services={"pay": hanging}),
            once,
            rules=("missing-timeout",),
        ),
        Demonstration(
            "cancel-recorded-as-failure",
            "a handler of cancellations records the step as failed",
            Harm.FALSE_FAILURE,
            replace(once, skeleton=Skeleton(cancelled=Cancelled.FAILED)),
            once,
            rules=("timeout-as-failure",),
        ),
        Demonstration(
            "cancel-deletes-intent",
            "a handler of cancellations deletes the intent",
            Harm.DUPLICATE,
            replace(once, skeleton=Skeleton(cancelled=Cancelled.DELETES)),
            once,
            rules=("deleted-record", "overwritten-log"),
        ),
        Demonstration(
            "later-refusal-read-as-failure",
            "a second attempt is refused, and the first one had landed",
            Harm.FALSE_FAILURE,
            replace(idem, skeleton=Skeleton(refusals_definite=True)),
            idem,
            faults=2,
            rules=("retried-duplicate",),
        ),
    ]
