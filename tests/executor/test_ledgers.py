"""The contract every ledger keeps: memory, SQLite and PostgreSQL alike."""

from dataclasses import replace
from typing import Any

import pytest

from stepcheck.executor.events import Event, Kind
from stepcheck.executor.ledger import Conflict, Fenced, Item, OpenTransaction, Snapshot, StepRow, TaskBusy
from stepcheck.executor.record import Claim, enter
from stepcheck.executor.snapshots import make_snapshot, task_states
from stepcheck.executor.states import fold_task
from stepcheck.executor.tasks import About, Owner, give_back, take
from stepcheck.executor.verify import verify
from tests.executor.simulated import Simulation, step

OWNER = Owner("w0")


def transact(ledger: Any, work: Any, *, durable: bool = False) -> Any:
    return ledger.transact(work, durable=durable)


def claimed(ledger: Any, task_id: str = "t1") -> Claim:
    return transact(ledger, take(task_id, OWNER, About("shop", "v1", "h", "r")))  # type: ignore[no-any-return]


def event(kind: Kind = Kind.PLANNED, **fields: Any) -> Event:
    plain: dict[str, Any] = {
        "event_id": 0,
        "task_id": "t1",
        "step_seq": 1,
        "step_path": "1",
        "step_name": "pay",
        "attempt": 0,
        "kind": kind,
        "status": "PLANNED",
        "effect_class": "non_idem_write",
        "idempotency_key": "k1",
        "input_hash": "i",
        "input_ref": None,
        "receipt": None,
        "output_ref": None,
        "output_sha256": None,
        "started_at": None,
        "finished_at": None,
        "at_ms": 5,
        "fence": 1,
        "step_def_hash": "d",
        "body": "{}",
    }
    return Event(**{**plain, **fields})


def row(**fields: Any) -> StepRow:
    plain = StepRow("t1", 1, "1", "pay", "PLANNED", 0, 1, "k1", "i", None, None, None, None, 1)
    return replace(plain, **fields)


class TestTheContract:
    def test_what_is_committed_is_there(self, ledger: Any) -> None:
        claimed(ledger)
        number = transact(ledger, lambda tx: tx.append(event(body='{"a": "é"}')))
        (kept,) = transact(ledger, lambda tx: tx.events("t1"))
        assert (kept.event_id, kept.kind, kept.said) == (number, Kind.PLANNED, {"a": "é"})
        assert replace(kept, event_id=0, body="{}") == event()

    def test_what_a_failed_transaction_did_is_not_there(self, ledger: Any) -> None:
        claimed(ledger)

        def work(tx: Any) -> None:
            tx.append(event())
            tx.set_status("t1", "halted")
            raise RuntimeError("no")

        with pytest.raises(RuntimeError, match="no"):
            transact(ledger, work)
        assert transact(ledger, lambda tx: tx.events("t1")) == []
        assert transact(ledger, lambda tx: tx.task("t1")).status == "running"

    def test_a_transaction_inside_another_is_refused_and_the_outer_one_is_taken_back(
        self, ledger: Any
    ) -> None:
        claimed(ledger)

        def work(tx: Any) -> None:
            tx.append(event())
            transact(ledger, lambda inner: inner.append(event(step_seq=2)), durable=True)

        with pytest.raises(OpenTransaction):
            transact(ledger, work)
        assert transact(ledger, lambda tx: tx.events("t1")) == []
        transact(ledger, lambda tx: tx.append(event()), durable=True)

    @pytest.mark.parametrize(
        "again",
        [
            event(step_path="2", idempotency_key="k2"),
            event(step_seq=2, idempotency_key="k2"),
            event(step_seq=2, step_path="2"),
            event(Kind.CALL_INTENT, attempt=1, fence=2),
            event(Kind.DONE, finished_at=9),
            event(Kind.COMP_INTENT, attempt=1),
            event(Kind.COMP_DONE, finished_at=9),
        ],
        ids=["number", "address", "key", "intent", "done", "compensation intent", "compensation done"],
    )
    def test_what_may_be_said_once_is_refused_the_second_time(self, ledger: Any, again: Event) -> None:
        claimed(ledger)
        first = [
            event(),
            event(Kind.CALL_INTENT, attempt=1),
            event(Kind.DONE, finished_at=9),
            event(Kind.COMP_INTENT, attempt=1),
            event(Kind.COMP_DONE, finished_at=9),
        ]
        for each in first:
            transact(ledger, lambda tx, each=each: tx.append(each))
        with pytest.raises(Conflict):
            transact(ledger, lambda tx: tx.append(again))
        assert len(transact(ledger, lambda tx: tx.events("t1"))) == 5

    def test_events_are_read_by_task_by_address_and_after_a_number(self, ledger: Any) -> None:
        claimed(ledger)
        claimed(ledger, "t2")
        numbers = [
            transact(ledger, lambda tx: tx.append(event())),
            transact(ledger, lambda tx: tx.append(event(task_id="t2", idempotency_key="k2"))),
            transact(ledger, lambda tx: tx.append(event(step_seq=2, step_path="2/a", idempotency_key="k3"))),
        ]
        read = transact(
            ledger,
            lambda tx: (
                tx.events("t1"),
                tx.events("t1", after=numbers[0]),
                tx.events_at("t1", "2/a"),
                tx.last_seq("t1"),
            ),
        )
        assert [[each.event_id for each in group] for group in read[:3]] == [
            [numbers[0], numbers[2]],
            [numbers[2]],
            [numbers[2]],
        ]
        assert read[3] == 2
        assert transact(ledger, lambda tx: tx.last_seq("t3")) == 0

    def test_the_last_event_of_an_address_and_what_came_after_a_snapshot_are_told(self, ledger: Any) -> None:
        claimed(ledger)
        claimed(ledger, "t2")
        first = transact(ledger, lambda tx: tx.append(event()))
        transact(ledger, lambda tx: tx.append(event(task_id="t2", idempotency_key="k2")))
        last = transact(ledger, lambda tx: tx.append(event(Kind.CALL_INTENT, attempt=1)))
        other = transact(
            ledger, lambda tx: tx.append(event(step_seq=2, step_path="2/a", idempotency_key="k3"))
        )
        paths = ("1", "2/a", "3")
        assert transact(ledger, lambda tx: [tx.last_event("t1", path) for path in paths]) == [last, other, 0]
        assert transact(ledger, lambda tx: tx.since_snapshot("t1")) == 3
        transact(ledger, lambda tx: tx.put_snapshot(Snapshot("t1", first, "[]", "d")))
        assert transact(ledger, lambda tx: tx.since_snapshot("t1")) == 2

    def test_a_touch_keeps_the_lease_unless_it_gives_another(self, ledger: Any) -> None:
        claimed(ledger)
        lease = transact(ledger, lambda tx: tx.task("t1")).lease_until_ms
        transact(ledger, lambda tx: tx.touch("t1", 5))
        row = transact(ledger, lambda tx: tx.task("t1"))
        assert (row.clock_ms, row.lease_until_ms) == (5, lease)
        transact(ledger, lambda tx: tx.touch("t1", 6, 7))
        row = transact(ledger, lambda tx: tx.task("t1"))
        assert (row.clock_ms, row.lease_until_ms) == (6, 7)

    def test_one_open_step_holds_a_business_identity(self, ledger: Any) -> None:
        claimed(ledger)
        claimed(ledger, "t2")
        transact(ledger, lambda tx: tx.put_step(row(state="IN_FLIGHT", business_key="b")))
        with pytest.raises(Conflict):
            transact(
                ledger,
                lambda tx: tx.put_step(
                    row(task_id="t2", state="IN_FLIGHT", business_key="b", idempotency_key="k2")
                ),
            )
        assert transact(ledger, lambda tx: tx.holder("b")).task_id == "t1"
        transact(ledger, lambda tx: tx.put_step(row(state="DONE", business_key="b")))
        assert transact(ledger, lambda tx: tx.holder("b")) is None

    def test_a_step_has_one_open_inbox_row(self, ledger: Any) -> None:
        claimed(ledger)
        number = transact(ledger, lambda tx: tx.append(event()))
        item = Item(0, "t1", 1, "why", 5, number)
        first = transact(ledger, lambda tx: tx.open_item(item))
        with pytest.raises(Conflict):
            transact(ledger, lambda tx: tx.open_item(item))
        closed = replace(
            item, item_id=first, resolved_ms=9, resolution="abandon", resolver="ann", evidence="é"
        )
        transact(ledger, lambda tx: tx.close_item(closed))
        second = transact(ledger, lambda tx: tx.open_item(item))
        assert second > first
        assert transact(ledger, lambda tx: tx.item(first)) == closed
        assert [each.item_id for each in transact(ledger, lambda tx: tx.items("t1"))] == [second]
        assert [each.item_id for each in transact(ledger, lambda tx: tx.items(resolved=True))] == [
            first,
            second,
        ]
        assert transact(ledger, lambda tx: (tx.items("t2"), tx.item(99))) == ([], None)

    def test_snapshots_are_kept_replaced_and_forgotten(self, ledger: Any) -> None:
        for upto, state in ((3, "[1]"), (7, "[2]"), (7, "[3]")):
            transact(ledger, lambda tx, u=upto, s=state: tx.put_snapshot(Snapshot("t1", u, s, "d")))
        assert transact(ledger, lambda tx: tx.snapshot("t1")) == Snapshot("t1", 7, "[3]", "d")
        transact(ledger, lambda tx: tx.drop_snapshot("t1", 7))
        assert transact(ledger, lambda tx: [each.upto_event for each in tx.snapshots("t1")]) == [3]

    def test_taking_a_task_raises_its_fence_and_the_one_before_is_stale(self, ledger: Any) -> None:
        first, second = claimed(ledger), claimed(ledger)
        assert (first.fence, second.fence) == (1, 2)
        with pytest.raises(Fenced):
            transact(ledger, lambda tx: enter(tx, first))
        assert transact(ledger, lambda tx: enter(tx, second)).fence == 2

    def test_a_task_is_held_until_its_lease_is_over_given_back_or_its_owner_dead(self, ledger: Any) -> None:
        claim = claimed(ledger)
        with pytest.raises(TaskBusy):
            transact(ledger, take("t1", Owner("w1"), About()))
        transact(ledger, take("t1", Owner("w1", is_dead=lambda name: name == "w0"), About()))
        with pytest.raises(Fenced):
            transact(ledger, give_back(claim))
        transact(ledger, give_back(replace(claim, fence=2)))
        assert transact(ledger, take("t1", Owner("w2"), About())).fence == 3
        assert [each.workflow for each in transact(ledger, lambda tx: tx.tasks())] == ["shop"]

    def test_the_ledgers_clock_is_a_wall_clock_that_never_runs_backwards(self, ledger: Any) -> None:
        claim = claimed(ledger)
        before = transact(ledger, lambda tx: enter(tx, claim)).clock_ms
        assert transact(ledger, lambda tx: tx.wall_ms()) >= before > 1_700_000_000_000
        far = before + 10**9
        transact(ledger, lambda tx: tx.touch("t1", far))
        assert transact(ledger, lambda tx: enter(tx, claim)).clock_ms == far

    def test_machines_run_on_it(self, ledger: Any) -> None:
        pay = Simulation(
            {
                each.name: each
                for each in (
                    step(compensation=step("refund"), compensate_within_ms=10**9),
                    step("ship", query=True),
                )
            },
            ledger=ledger,
            replies=["answer", "lost"],
        )
        assert pay.run_task([("pay", {"order": "A-1", "to": "x" * 20_000}), ("ship", {})]).status == "done"
        pay.replies = ["answer", "refused"]
        assert pay.run_task([("pay", {"order": "B-1"}), ("ship", {})], "t2").status == "compensated"
        pay.replies = ["lost"]
        assert pay.run(task_id="t3", order="C-1").state == "NEEDS_HUMAN"
        assert len(pay.effects) == 5
        pay.check()

    def test_a_task_is_folded_from_its_snapshot_and_the_events_after_it(self, ledger: Any) -> None:
        pay = Simulation({"pay": step()}, ledger=ledger)
        pay.run(path="1", order="A-1")
        transact(ledger, lambda tx: make_snapshot(tx, "t1"))
        pay.run(path="2", order="A-2")
        states, events = transact(ledger, lambda tx: (task_states(tx, "t1"), tx.events("t1")))
        assert states == fold_task(events)
        pay.check()

    def test_verify_finds_and_mends_what_differs_from_the_log(self, ledger: Any) -> None:
        pay = Simulation({"pay": step()}, ledger=ledger, replies=["lost"])
        pay.run()
        snapshot = transact(ledger, lambda tx: make_snapshot(tx, "t1"))
        wrong_snapshot = replace(snapshot, state=snapshot.state.replace("NEEDS_HUMAN", "DONE"))
        transact(ledger, lambda tx: tx.put_snapshot(wrong_snapshot))
        kept = transact(ledger, lambda tx: tx.steps("t1"))[0]
        transact(ledger, lambda tx: tx.put_step(replace(kept, state="DONE")))
        assert transact(ledger, lambda tx: task_states(tx, "t1"))[1].state == "NEEDS_HUMAN"
        transact(ledger, lambda tx: tx.put_snapshot(wrong_snapshot))
        assert transact(ledger, lambda tx: verify(tx, "t1", mend=True)) == [
            "the projection of step '1' of task 't1' differs from its events",
            f"the snapshot of task 't1' up to event {snapshot.upto_event} differs from its events",
        ]
        assert transact(ledger, lambda tx: verify(tx, "t1")) == []


def test_a_snapshot_is_taken_every_two_hundred_events() -> None:
    pay = Simulation({"pay": step()})
    for number in range(60):
        pay.run(path=str(number), order=str(number))
    snapshots = pay.ledger.transact(lambda tx: tx.snapshots("t1"), durable=False)
    assert [snapshot.upto_event for snapshot in snapshots] == [200]
    pay.check()


def test_sqlite_refuses_to_change_or_delete_an_event(tmp_path: Any) -> None:
    import sqlite3

    from stepcheck.executor.sqlite import SqliteLedger

    pay = Simulation({"pay": step()}, ledger=SqliteLedger(tmp_path / "ledger.db"))
    pay.run()
    with sqlite3.connect(tmp_path / "ledger.db") as connection:
        for sql in ("UPDATE event SET status = 'DONE'", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(sql)
    connection.close()
    pay.ledger.close()


def test_postgres_refuses_to_change_or_delete_an_event(database: str) -> None:
    import psycopg

    from stepcheck.executor.postgres import PostgresLedger

    pay = Simulation({"pay": step()}, ledger=PostgresLedger(database))
    pay.run()
    with psycopg.connect(database, autocommit=True) as connection:
        for sql in ("UPDATE event SET status = 'DONE'", "DELETE FROM event", "TRUNCATE event CASCADE"):
            with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                connection.execute(sql.encode())
    pay.ledger.close()
