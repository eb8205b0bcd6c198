"""The scenarios that show what the executor guarantees, and two whose declared bounds the world breaks."""

from dataclasses import dataclass, replace

from stepcheck.executor.step import AbsenceProof, DedupePromise, ExecStep
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import HOUR_MS, Item, Job, Journal, Scenario, declare, straight
from stepcheck.explorer.service import KEYED, READER, Service

LAG_MS, LATE_MS = 2_000, 5_000
FOR_EVER_MS = 30 * 24 * HOUR_MS
"""Later than anything waits."""

SLOW = Service(lag_ms=LAG_MS, late_ms=(1, FOR_EVER_MS))
"""Its query lags, and no bound is known for its requests."""
BOUNDED = Service(lag_ms=LAG_MS, late_ms=(1, LATE_MS))
PROOF = AbsenceProof(query_lag_ms=LAG_MS, late_bound_ms=LATE_MS)


@dataclass(frozen=True)
class Claim:
    """What is claimed of one scenario: no harm at all, or these alone, because a declared bound is broken."""

    name: str
    scenario: Scenario
    harms: frozenset[Harm] = frozenset()


def claims() -> tuple[Claim, ...]:
    """Return every claim, simplest first."""
    once = Scenario({"pay": declare("pay", query=True)}, straight("pay"), {"pay": SLOW})
    proven = declare("pay", query=True, retry_absent=True, absence=PROOF)
    bounded = Scenario({"pay": proven}, straight("pay"), {"pay": BOUNDED})
    hasty = declare("pay", query=True, retry_absent=True, absence=AbsenceProof(0, 0), send_within_ms=1_000)
    keyed = declare("pay", "idem_write", dedupe=DedupePromise(window_ms=HOUR_MS))
    window = replace(KEYED, window_ms=HOUR_MS, late_ms=(1,), stored_errors=False)
    idem = Scenario({"pay": keyed}, straight("pay"), {"pay": window})
    stored = declare("pay", "idem_write", query=True, dedupe=DedupePromise(HOUR_MS, stored_errors=True))
    saga = _saga()
    return (
        Claim("non_idem_write without a query", Scenario({"pay": declare("pay")}, straight("pay"))),
        Claim("non_idem_write with a query that lags, unbounded lateness", once),
        Claim("the same, every commit synced", replace(once, journal=Journal.FULL)),
        Claim("the same, a person decides at once", _asking_a_person(once)),
        Claim("the same, two workers", replace(once, workers=2)),
        Claim("the same, two workers without a query", _without_query()),
        Claim("on_absent retry, bounds kept", bounded),
        Claim("on_absent retry, bounds kept, two workers", replace(bounded, workers=2)),
        Claim("idem_write, deduplicated for an hour", idem),
        Claim("idem_write, deduplicated for an hour, two workers", replace(idem, workers=2)),
        Claim("idem_write with stored errors and a query", _stored(stored)),
        Claim("idem_write that outlives its window", replace(idem, downtime_ms=2 * HOUR_MS)),
        Claim("a read", Scenario({"look": declare("look", "read")}, straight("look"), {"look": READER})),
        Claim("a long output", _long()),
        Claim("three steps", _three()),
        Claim("three steps, two workers", replace(_three(), workers=2)),
        Claim("a saga whose last step is refused", saga),
        Claim("the same, two workers", replace(saga, workers=2)),
        Claim("the same, with an outage past the deadline", replace(saga, downtime_ms=11 * 60_000)),
        Claim("the model chooses, and is asked again", _chosen()),
        Claim("an unsettled action, issued again in a second task", _issued_again()),
        Claim(
            "on_absent retry, lateness beyond the declared bound",
            replace(bounded, services={"pay": replace(BOUNDED, late_ms=(1, LATE_MS, FOR_EVER_MS))}),
            frozenset({Harm.DUPLICATE, Harm.FALSE_FAILURE}),
        ),
        Claim(
            "on_absent retry, bounds declared as nothing",
            replace(bounded, table={"pay": hasty}, services={"pay": replace(BOUNDED, lag_ms=90_000)}),
            frozenset({Harm.DUPLICATE, Harm.FALSE_FAILURE}),
        ),
    )


def _asking_a_person(once: Scenario) -> Scenario:
    return replace(once, table={"pay": declare("pay", query=True, ask_person=True)})


def _without_query() -> Scenario:
    return Scenario({"pay": declare("pay")}, straight("pay"), {"pay": SLOW}, workers=2)


def _stored(step: ExecStep) -> Scenario:
    service = Service(honours_key=True, stored_errors=True, window_ms=HOUR_MS)
    return Scenario({"pay": step}, straight("pay"), {"pay": service})


def _long() -> Scenario:
    table = {"report": declare("report", query=True)}
    return Scenario(table, straight("report"), {"report": Service(long_output=True)}, torn_blobs=False)


def _three() -> Scenario:
    table = {
        "look": declare("look", "read"),
        "pay": declare("pay", query=True),
        "tell": declare("tell", "idem_write", dedupe=DedupePromise()),
    }
    return Scenario(table, straight("look", "pay", "tell"), {"tell": KEYED})


def _saga() -> Scenario:
    undo = declare("refund", query=True, max_attempts=1)
    plain = declare("unbook", max_attempts=1)
    table = {
        "book": declare("book", query=True, compensation=plain, compensate_within_ms=10 * 60_000),
        "pay": declare("pay", query=True, compensation=undo, compensate_within_ms=10 * 60_000),
        "ship": declare("ship"),
    }
    services = {"ship": Service(refuses=True), "pay": Service(late_ms=(FOR_EVER_MS,))}
    return Scenario(table, straight("book", "pay", "ship"), services, smooth=False)


def _chosen() -> Scenario:
    item = Item("pay", {"item": "A-1", "words": "first"}, others=({"item": "A-1", "words": "second"},))
    return Scenario({"pay": declare("pay", query=True)}, ((Job("t1", (item,)),),))


def _issued_again() -> Scenario:
    first = Job("t1", (Item("pay", {"item": "A-1"}),))
    again = Job("t2", (Item("pay", {"item": "A-1"}),), if_unsettled=True)
    table = {"pay": declare("pay", identity=("item",))}
    return Scenario(table, ((first, again),))
