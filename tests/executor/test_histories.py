"""Random histories of crashes, people and snapshots: the log always folds to what stands beside it."""

import contextlib
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from stepcheck.executor.address import ReplayMismatch
from stepcheck.executor.inbox import Resolution, ResolutionRefused, Word, resolve_machine
from stepcheck.executor.ledger import Fenced, TaskBusy
from stepcheck.executor.snapshots import make_snapshot, task_states
from stepcheck.executor.states import fold_task
from stepcheck.executor.step import AbsenceProof, Backoff, DedupePromise
from tests.executor.simulated import Crash, Simulation, step

QUICK = Backoff(10, 20)
PROOF = AbsenceProof(100, 100)
TABLE = {
    each.name: each
    for each in (
        step("look", "read", backoff=QUICK),
        step(
            "reserve",
            query=True,
            identity=("order",),
            compensation=step("release", query=True, backoff=QUICK),
            compensate_within_ms=500_000,
            backoff=QUICK,
        ),
        step(
            "pay",
            query=True,
            absence=PROOF,
            retry_absent=True,
            backoff=QUICK,
            timeout_ms=100,
            send_within_ms=100,
        ),
        step("post", "idem_write", dedupe=DedupePromise(window_ms=600_000), backoff=QUICK),
        step("notify"),
    )
}
PLAN = [(name, {"order": "A-1"}) for name in ("look", "reserve", "pay", "post", "notify")]


class Histories(RuleBasedStateMachine):
    """Runs, deaths, other owners, people's words, snapshots, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.shop = Simulation(TABLE, lease_ms=1_000)
        self.authorised = 0
        self.events = 0

    @rule(
        replies=st.lists(st.sampled_from(["answer", "lost", "dropped", "refused", 503]), max_size=6),
        sightings=st.lists(st.sampled_from(["fresh", "pending", "silent"]), max_size=4),
        crash_at=st.none() | st.integers(0, 30),
        task=st.sampled_from(["t1", "t2"]),
        owner=st.sampled_from(["w0", "w1"]),
    )
    def run_the_task(self, replies: Any, sightings: Any, crash_at: int | None, task: str, owner: str) -> None:
        self.shop.replies, self.shop.sightings, self.shop.owner = replies, sightings, owner
        self.shop.ops.clear()
        self.shop.crash_at = crash_at
        with contextlib.suppress(Crash, TaskBusy):
            self.shop.run_task(PLAN, task)
        self.shop.crash_at = None
        self.shop.replies, self.shop.sightings = [], []

    @rule(ms=st.sampled_from([10, 5_000, 700_000]))
    def time_goes_by(self, ms: int) -> None:
        self.shop.clock_ms += ms

    @rule(ms=st.sampled_from([10, 5_000]))
    def the_wall_clock_jumps_back(self, ms: int) -> None:
        self.shop.clock_ms -= ms

    @precondition(lambda self: self.shop.items())
    @rule(data=st.data(), resolution=st.sampled_from(list(Resolution)), knows_table=st.booleans())
    def a_person_speaks(self, data: Any, resolution: Resolution, knows_table: bool) -> None:
        item = data.draw(st.sampled_from(self.shop.items()))
        word = Word(item.item_id, resolution, "ann", "looked it up")
        try:
            self.shop.drive(resolve_machine(word, TABLE if knows_table else None))
        except ResolutionRefused:
            assert item in self.shop.items()
        else:
            assert item.item_id not in [each.item_id for each in self.shop.items()]
            self.authorised += resolution is Resolution.IT_DID_NOT_HAPPEN

    @rule(task=st.sampled_from(["t1", "t2"]))
    def a_snapshot_is_taken(self, task: str) -> None:
        self.shop.ledger.transact(lambda tx: make_snapshot(tx, task), durable=False)

    @invariant()
    def nothing_differs_from_the_log(self) -> None:
        self.shop.check()
        for task in ("t1", "t2"):
            states, events = self.shop.ledger.transact(
                lambda tx, t=task: (task_states(tx, t), tx.events(t)), durable=False
            )
            assert states == fold_task(events)

    @invariant()
    def no_write_is_repeated_that_no_person_authorised(self) -> None:
        for name in ("reserve", "notify", "release"):
            keys = [call.ctx.idempotency_key for call in self.shop.sent if call.step.name == name]
            assert len(keys) <= len(set(keys)) + self.authorised

    @invariant()
    def the_log_only_grows(self) -> None:
        events = self.shop.ledger.transact(lambda tx: tx.events("t1") + tx.events("t2"), durable=False)
        assert len(events) >= self.events
        self.events = len(events)

    def teardown(self) -> None:
        """Once everybody has been heard, nothing is left open."""
        self.shop.clock_ms += 10_000_000
        self.shop.replies, self.shop.sightings, self.shop.crash_at = [], [], None
        for _ in range(12):
            for task in ("t1", "t2"):
                try:
                    self.shop.run_task(PLAN, task)
                except (Fenced, ReplayMismatch) as error:
                    raise AssertionError(str(error)) from error
                for item in self.shop.items(task):
                    self.shop.drive(
                        resolve_machine(Word(item.item_id, Resolution.ABANDON, "ann", "given up"))
                    )
        assert self.shop.items() == []
        assert {self.shop.status("t1"), self.shop.status("t2")} <= {
            "done",
            "abandoned",
            "compensated",
            "failed",
        }
        self.shop.check()


Histories.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestHistories = Histories.TestCase
