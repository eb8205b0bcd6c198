"""One step, through every hole that a step can fall into."""

from collections.abc import Iterator
from typing import Any

import pytest

from stepcheck.executor.step import AbsenceProof, Backoff, DedupePromise
from tests.executor.simulated import START_MS, Simulation, step

NOW = Backoff(0, 0)
PROOF = AbsenceProof(query_lag_ms=2_000, late_bound_ms=5_000)


@pytest.fixture
def world() -> Iterator[Any]:
    made: list[Simulation] = []

    def make(*steps: Any, **how: Any) -> Simulation:
        made.append(Simulation({each.name: each for each in steps}, **how))
        return made[-1]

    yield make
    for simulation in made:
        simulation.check()


def test_a_write_is_planned_intended_sent_acknowledged_and_done(world: Any) -> None:
    pay = world(step())
    outcome = pay.run()
    assert (outcome.state, outcome.receipt, outcome.calls_sent) == ("DONE", '{"number":1}', 1)
    assert pay.kinds() == ["planned", "call_intent", "acked", "done"]
    # A small output needs no storing: the answer and the end are one transaction.
    assert pay.ops == ["take", "recover", "planned", "Elapsed", "call_intent", "Call", "acked"]
    assert len(pay.effects) == 1


def test_a_done_step_gives_its_output_again_and_sends_nothing(world: Any) -> None:
    pay = world(step())
    first = pay.run()
    assert pay.run() == first
    assert len(pay.sent) == 1


def test_a_lost_answer_without_a_query_goes_to_a_person_and_is_never_sent_again(world: Any) -> None:
    pay = world(step(), replies=["lost"])
    outcome = pay.run()
    assert (outcome.state, outcome.inbox_item) == ("NEEDS_HUMAN", 1)
    assert outcome.reason == "its outcome is unknown, and no query can tell"
    assert pay.run() == outcome
    assert (len(pay.sent), len(pay.effects), pay.status()) == (1, 1, "halted")


def test_a_lost_answer_that_a_query_finds_is_done_without_a_second_send(world: Any) -> None:
    pay = world(step(query=True), replies=["lost"])
    assert pay.run().state == "DONE"
    assert (len(pay.sent), len(pay.asked)) == (1, 1)
    assert pay.asked[0].ctx.idempotency_key == pay.sent[0].ctx.idempotency_key
    assert pay.asked[0].ctx.identity == {"order": "A-1"}


def test_an_empty_query_without_bounds_is_no_proof_and_a_person_decides(world: Any) -> None:
    pay = world(step(query=True), replies=["dropped"])
    outcome = pay.run()
    assert outcome.state == "NEEDS_HUMAN"
    assert outcome.reason == "the query found nothing, and no 'absence' says when that can be believed"


def test_an_empty_query_is_believed_only_after_every_declared_bound(world: Any) -> None:
    pay = world(step(query=True, absence=PROOF, retry_absent=True, backoff=NOW), replies=["dropped"])
    assert pay.run().state == "DONE"
    waited = pay.sent[1].ctx.send_before - pay.sent[0].ctx.send_before
    assert waited == (30_000 + 60_000 + 5_000 + 2_000) / 1000
    assert pay.kinds() == [
        "planned", "call_intent", "uncertain", "queried", "queried", "absent", "call_intent", "acked", "done",
    ]  # fmt: skip
    assert pay.sent[0].ctx.idempotency_key == pay.sent[1].ctx.idempotency_key


def test_a_late_arrival_within_the_bounds_is_found_by_the_second_query(world: Any) -> None:
    pay = world(step(query=True, absence=PROOF, retry_absent=True), replies=["lost"], sightings=["absent"])
    assert pay.run().state == "DONE"
    assert len(pay.effects) == 1


def test_proven_absence_goes_to_a_person_unless_the_table_says_retry(world: Any) -> None:
    pay = world(step(query=True, absence=PROOF), replies=["dropped"])
    assert pay.run().reason == "it did not happen, and a person decides whether it is sent again"
    assert pay.kinds()[-2:] == ["absent", "needs_human"]
    assert len(pay.sent) == 1


def test_sends_after_proven_absence_are_bounded(world: Any) -> None:
    pay = world(
        step(query=True, absence=PROOF, retry_absent=True, max_attempts=2), replies=["dropped", "dropped"]
    )
    assert pay.run().reason == "it did not happen, and its 2 attempts are spent"
    assert len(pay.sent) == 2


@pytest.mark.parametrize("told", ["pending", "silent"])
def test_a_pending_or_failing_query_is_asked_again_and_never_leads_to_a_send(world: Any, told: str) -> None:
    pay = world(step(query=True, absence=PROOF, retry_absent=True, query_attempts=3), replies=["lost"])
    pay.sightings = [told] * 3
    outcome = pay.run()
    assert outcome.state == "NEEDS_HUMAN"
    assert outcome.reason.startswith("its outcome is unknown: after 3 queries it ")
    assert (len(pay.sent), len(pay.asked)) == (1, 3)


def test_queries_without_a_verdict_are_counted_across_restarts(world: Any) -> None:
    pay = world(step(query=True, query_attempts=3), replies=["lost"], sightings=["silent"] * 3)
    pay.crash_after = "queried"
    pay.dies(pay.run)
    assert pay.run().state == "NEEDS_HUMAN"
    assert len(pay.asked) == 3


def test_a_table_can_say_that_a_person_decides_at_once(world: Any) -> None:
    pay = world(step(query=True, ask_person=True), replies=["lost"])
    assert pay.run().state == "NEEDS_HUMAN"
    assert pay.asked == []


def test_a_definite_refusal_of_the_first_attempt_is_a_failure(world: Any) -> None:
    pay = world(step(), replies=["refused"])
    outcome = pay.run()
    assert (outcome.state, outcome.reason) == ("FAILED", "Definite: no")
    assert pay.effects == []


def test_a_definite_refusal_of_a_later_attempt_says_nothing_of_the_first(world: Any) -> None:
    pay = world(step(effect="idem_write", dedupe=DedupePromise(), backoff=NOW), replies=["lost", "refused"])
    outcome = pay.run()
    assert outcome.state == "NEEDS_HUMAN"
    assert "a later attempt was refused, which says nothing of the first" in outcome.reason
    assert "failed" not in pay.kinds()


def test_a_refused_later_attempt_is_settled_by_a_query(world: Any) -> None:
    pay = world(
        step(effect="idem_write", dedupe=DedupePromise(), backoff=NOW, query=True),
        replies=["lost", "refused"],
        sightings=["silent", "fresh"],
    )
    assert pay.run().state == "DONE"


def test_a_keyed_write_is_sent_again_with_the_same_key_up_to_its_bound(world: Any) -> None:
    pay = world(
        step(effect="idem_write", dedupe=DedupePromise(), max_attempts=3),
        replies=["lost"] * 3,
        honours_keys=True,
    )
    outcome = pay.run()
    assert outcome.reason == "its outcome is unknown, and it is not sent again: 3 attempts are spent"
    assert len({call.ctx.idempotency_key for call in pay.sent}) == 1
    assert (len(pay.sent), len(pay.effects)) == (3, 1)
    assert pay.kinds().count("call_intent") == 3


def test_a_keyed_write_waits_longer_each_time_and_never_beyond_its_cap(world: Any) -> None:
    patient = step(
        effect="idem_write",
        dedupe=DedupePromise(),
        max_attempts=8,
        backoff=Backoff(1_000, 5_000, jitter=False),
    )
    pay = world(patient, replies=["lost"] * 7, honours_keys=True)
    assert pay.run().state == "DONE"
    assert pay.slept_ms == [1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]


def test_a_keyed_write_without_a_promise_is_repeated_by_the_same_owner_only(world: Any) -> None:
    pay = world(step(effect="idem_write", backoff=NOW), replies=["lost"])
    assert pay.run().state == "DONE"
    pay = world(step(effect="idem_write", backoff=NOW), crash_after="Call")
    pay.dies(pay.run)
    outcome = pay.run()
    assert outcome.state == "NEEDS_HUMAN"
    assert outcome.reason.endswith("no 'dedupe' says that its key is honoured after a restart")


def test_a_key_is_not_repeated_when_the_other_side_may_have_forgotten_it(world: Any) -> None:
    forgetful = step(
        effect="idem_write",
        dedupe=DedupePromise(window_ms=10_000),
        timeout_ms=500,
        send_within_ms=500,
        backoff=Backoff(9_500, 9_500, jitter=False),
    )
    pay = world(forgetful, replies=["lost"])
    outcome = pay.run()
    assert outcome.reason.endswith("the other side may have forgotten the key")
    assert len(pay.sent) == 1


@pytest.mark.parametrize(("pause_ms", "sends"), [(6_999, 2), (7_000, 1)])
def test_a_repeat_that_is_sent_late_and_hangs_still_lands_in_the_window(
    world: Any, pause_ms: int, sends: int
) -> None:
    slow = step(
        effect="idem_write",
        dedupe=DedupePromise(window_ms=10_000, margin_ms=0),
        timeout_ms=2_000,
        send_within_ms=1_000,
        backoff=Backoff(pause_ms, pause_ms, jitter=False),
    )
    pay = world(slow, replies=["lost"], honours_keys=True)
    pay.run()
    assert len(pay.sent) == sends


def test_a_stored_server_error_is_not_asked_for_again(world: Any) -> None:
    promise = DedupePromise(stored_errors=True)
    pay = world(step(effect="idem_write", dedupe=promise, backoff=NOW), replies=[503])
    assert pay.run().reason.endswith("the other side gives a stored server error to every repeat of the key")
    assert len(pay.sent) == 1


def test_an_uncertain_keyed_write_is_queried_before_it_is_sent_again(world: Any) -> None:
    pay = world(step(effect="idem_write", dedupe=DedupePromise(), query=True, backoff=NOW), replies=["lost"])
    assert pay.run().state == "DONE"
    assert (len(pay.sent), len(pay.asked)) == (1, 1)


def test_a_read_is_tried_again_without_any_intent(world: Any) -> None:
    look = world(step("look", "read", max_attempts=3, backoff=NOW), replies=["lost", "lost", {"rows": 2}])
    outcome = look.run("look")
    assert (outcome.state, outcome.receipt) == ("DONE", '{"rows":2}')
    assert look.kinds() == ["planned", "done"]


def test_a_read_that_has_no_answer_goes_to_a_person_who_can_have_it_sent_again(world: Any) -> None:
    look = world(step("look", "read", max_attempts=2, backoff=NOW), replies=["lost", "lost"])
    outcome = look.run("look")
    assert outcome.reason == "the read has no answer, tries: 2: TimeoutError: no answer"
    assert len(look.sent) == 2


def test_the_recorded_answer_of_a_read_is_what_every_replay_sees(world: Any) -> None:
    look = world(step("look", "read"), replies=[{"rows": 2}, {"rows": 3}])
    assert look.run("look").receipt == look.run("look").receipt == '{"rows":2}'


def test_a_call_is_told_the_key_the_attempt_the_address_and_how_long_it_may_wait(world: Any) -> None:
    pay = world(step(identity=("order",), send_within_ms=7_000))
    pay.run(order="A-1", note="x")
    ctx = pay.sent[0].ctx
    assert (ctx.task_id, ctx.step_path, ctx.step_seq, ctx.attempt, ctx.timeout) == ("t1", "1", 1, 1, 60.0)
    assert (ctx.identity, ctx.send_before) == ({"order": "A-1"}, START_MS / 1000 + 7)


def test_on_resume_the_recorded_params_are_sent_whatever_is_volatile_in_the_new_ones(world: Any) -> None:
    keyed = step(effect="idem_write", dedupe=DedupePromise(), volatile=("at",), backoff=NOW)
    pay = world(keyed, crash_after="Call", honours_keys=True)
    pay.dies(lambda: pay.run(order="A-1", at="noon"))
    assert pay.run(order="A-1", at="midnight").state == "DONE"
    assert [call.params["at"] for call in pay.sent] == ["noon", "noon"]
    assert len(pay.effects) == 1


@pytest.mark.parametrize("when", ["planned", "call_intent", "Call", "acked", "done"])
def test_a_crash_after_any_operation_leads_to_at_most_one_send(world: Any, when: str) -> None:
    pay = world(step(query=True), crash_after=when, replies=["x" * 5_000] if when == "done" else [])
    pay.dies(pay.run)
    outcome = pay.run()
    assert outcome.state == ("NEEDS_HUMAN" if when == "call_intent" else "DONE")
    assert len(pay.sent) == (0 if when == "call_intent" else 1)
    assert len(pay.effects) == len(pay.sent)


def test_params_that_drift_at_an_address_stop_the_task(world: Any) -> None:
    pay = world(step(), crash_after="call_intent")
    pay.dies(pay.run)
    outcome = pay.run(order="A-2")
    assert outcome.state == "NEEDS_HUMAN"
    assert (len(pay.sent), pay.status()) == (0, "halted")


def test_a_planned_step_with_other_params_goes_to_a_person(world: Any) -> None:
    pay = world(step(), crash_after="planned")
    pay.dies(pay.run)
    outcome = pay.run(order="A-2")
    assert (
        outcome.reason == "address '1' of task 't1' holds step 'pay' with other params than this run asks for"
    )


def test_a_done_address_that_is_asked_for_another_step_stops_the_task(world: Any) -> None:
    from stepcheck.executor.address import ReplayMismatch

    pay = world(step(), step("refund"))
    pay.run()
    with pytest.raises(ReplayMismatch, match="holds step 'pay', and this run asks for step 'refund' there"):
        pay.run("refund")
    assert pay.status() == "halted"
    assert pay.run("refund", path="2").state == "DONE"


def test_a_step_whose_effect_class_changed_in_the_table_goes_to_a_person(world: Any) -> None:
    pay = world(step(), crash_after="call_intent")
    pay.dies(pay.run)
    pay.table["pay"] = step(effect="idem_write", dedupe=DedupePromise())
    outcome = pay.run()
    assert outcome.reason == "it was planned as 'non_idem_write', and the table now says 'idem_write'"


def test_a_step_that_left_the_table_goes_to_a_person(world: Any) -> None:
    pay = world(step(), crash_after="call_intent")
    pay.dies(pay.run)
    del pay.table["pay"]
    pay.claim()
    assert [item.reason for item in pay.items()] == ["the table has no step 'pay' any more"]


def test_the_same_thing_in_another_task_is_held_while_the_first_is_open(world: Any) -> None:
    pay = world(step(identity=("order",)), replies=["lost"])
    assert pay.run(task_id="t1").state == "NEEDS_HUMAN"
    second = pay.run(task_id="t2")
    assert second.state == "HELD"
    assert second.reason == (
        "step '1' of task 't1' does the same to the same thing, and is NEEDS_HUMAN: "
        "nothing is sent until it is settled"
    )
    assert pay.run(task_id="t3", order="B-9").state == "DONE"
    assert len(pay.effects) == 2


def test_a_long_output_goes_to_the_blob_store_and_not_into_the_log(world: Any) -> None:
    text = "x" * 5_000
    pay = world(step(), replies=[text])
    outcome = pay.run()
    assert outcome.receipt is None
    assert outcome.output_ref == f"sha256:{outcome.output_sha256}"
    assert pay.blobs.get(outcome.output_sha256) == f'"{text}"'.encode()


def test_a_store_that_is_down_for_a_while_is_tried_again_without_a_second_send(world: Any) -> None:
    pay = world(step(), replies=["x" * 5_000], broken_blobs=2)
    assert pay.run().state == "DONE"
    assert len(pay.sent) == 1


def test_a_store_that_stays_down_leaves_an_acknowledged_step_to_a_person(world: Any) -> None:
    pay = world(step(), replies=["x" * 5_000], broken_blobs=3)
    outcome = pay.run()
    assert outcome.reason == "it was acknowledged, and the output could not be stored: the store is down"
    assert pay.kinds()[-2:] == ["acked", "needs_human"]


def test_a_long_output_lost_with_its_process_is_got_by_a_query_and_never_by_a_second_call(world: Any) -> None:
    pay = world(step(query=True), replies=["x" * 5_000], crash_after="acked")
    pay.dies(pay.run)
    assert pay.run().receipt == '{"number":1}'
    assert len(pay.sent) == 1


def test_an_output_that_json_cannot_hold_does_not_undo_the_acknowledgement(world: Any) -> None:
    pay = world(step(), replies=[object()])
    outcome = pay.run()
    why = "the output cannot be stored as JSON: an object of the class 'object' is no JSON"
    assert outcome.reason == f"it was acknowledged, and {why}"
    assert len(pay.effects) == 1


def test_long_params_are_stored_outside_the_log_and_read_back(world: Any) -> None:
    pay = world(step(), crash_after="planned")
    text = "y" * 20_000
    pay.dies(lambda: pay.run(order=text))
    assert pay.run(order=text).state == "DONE"
    assert pay.sent[0].params == {"order": text}
    events = pay.ledger.transact(lambda tx: tx.events("t1"), durable=False)
    assert all(len(event.body) < 500 for event in events)


def test_a_clock_that_jumps_back_shortens_no_wait(world: Any) -> None:
    pay = world(
        step(query=True, absence=PROOF, retry_absent=True), replies=["dropped"], crash_after="call_intent"
    )
    pay.dies(pay.run)
    pay.clock_ms -= 500_000
    assert pay.run().state == "DONE"
    events = pay.ledger.transact(lambda tx: tx.events("t1"), durable=False)
    intents = [event.at_ms for event in events if event.kind == "call_intent"]
    assert intents[1] - intents[0] >= 97_000
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)


def test_only_the_intents_of_writes_are_synced_before_the_machine_goes_on(world: Any) -> None:
    pay = world(step(), step("look", "read"))
    pay.run("look", path="1")
    pay.run("pay", path="2")
    assert pay.synced == ["call_intent"]


def test_a_window_that_closes_before_the_intent_is_written_closes_the_way(world: Any) -> None:
    promise = DedupePromise(window_ms=10_000)
    forgetful = step(effect="idem_write", dedupe=promise, timeout_ms=500, send_within_ms=500, backoff=NOW)
    pay = world(forgetful, replies=["lost"], honours_keys=True)
    pay.upon["uncertain"] = lambda: pay.upon.update(
        Elapsed=lambda: setattr(pay, "clock_ms", START_MS + 9_000)
    )
    outcome = pay.run()
    assert outcome.reason.endswith("the other side may have forgotten the key")
    assert len(pay.sent) == 1


def test_params_that_cannot_be_read_back_leave_the_step_to_a_person(world: Any) -> None:
    pay = world(step(query=True), crash_after="Call")
    pay.dies(lambda: pay.run(order="y" * 20_000))
    pay.blobs.stored.clear()
    pay.claim()
    (item,) = pay.items()
    assert item.reason.endswith("is not there")
    assert pay.asked == []


def test_a_planned_step_that_goes_to_a_person_holds_nobody_else(world: Any) -> None:
    pay = world(step(identity=("order",)), replies=["lost"])
    pay.run(task_id="t1")
    assert pay.run(task_id="t2").state == "HELD"
    assert pay.run(task_id="t2", order="A-1", note="new").state == "NEEDS_HUMAN"
    assert pay.states("t2") == ["NEEDS_HUMAN"]
