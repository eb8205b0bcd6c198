"""Whole tasks: order, halting, compensation, several workers, the model's choice, the inbox."""

from collections.abc import Iterator
from typing import Any

import pytest

from stepcheck.executor.compensation import compensate_machine
from stepcheck.executor.inbox import Resolution, ResolutionRefused, Word, resolve_machine
from stepcheck.executor.ledger import Fenced, TaskBusy
from stepcheck.executor.machine import step_machine
from stepcheck.executor.ops import Call
from stepcheck.executor.record import halt, look
from stepcheck.executor.step import Backoff, DedupePromise
from stepcheck.executor.task import choose_machine, recover_machine
from tests.executor.simulated import Crash, Simulation, step

NOW = Backoff(0, 0)
PLAN = [("reserve", {"order": "A-1"}), ("pay", {"order": "A-1"}), ("ship", {"order": "A-1"})]


def undo(name: str, **how: Any) -> Any:
    return step(name, **how)


def shop(**how: Any) -> list[Any]:
    release = undo("release", query=True)
    refund = undo("refund", query=True)
    return [
        step("reserve", compensation=release, compensate_within_ms=600_000),
        step("pay", compensation=refund, compensate_within_ms=600_000, query=True),
        step("ship", **how),
    ]


@pytest.fixture
def world() -> Iterator[Any]:
    made: list[Simulation] = []

    def make(steps: list[Any], **how: Any) -> Simulation:
        made.append(Simulation({each.name: each for each in steps}, **how))
        return made[-1]

    yield make
    for simulation in made:
        simulation.check()


def say(
    simulation: Simulation, item: int, resolution: str, *, table: bool = True, receipt: object = None
) -> Any:
    word = Word(item, Resolution(resolution), "ann", "seen in the bank's portal", receipt)
    return simulation.drive(resolve_machine(word, simulation.table if table else None))


def test_steps_run_in_order_and_a_second_run_sends_nothing(world: Any) -> None:
    order = world(shop())
    assert order.run_task(PLAN).status == "done"
    assert [name for name, _ in order.effects] == ["reserve", "pay", "ship"]
    assert [outcome.state for outcome in order.run_task(PLAN).steps] == ["DONE"] * 3
    assert len(order.sent) == 3


def test_no_step_starts_before_the_one_before_it_is_settled(world: Any) -> None:
    order = world(shop(), replies=["lost"])
    outcome = order.run_task(PLAN)
    assert (outcome.status, [step.state for step in outcome.steps]) == ("halted", ["NEEDS_HUMAN"])
    assert [call.step.name for call in order.sent] == ["reserve"]


def test_a_task_runs_on_once_a_person_has_said_what_happened(world: Any) -> None:
    order = world(shop(), replies=["lost"])
    item = order.run_task(PLAN).steps[-1].inbox_item
    assert say(order, item, "it_happened", receipt={"number": 7}).state == "DONE"
    assert order.status() == "running"
    outcome = order.run_task(PLAN)
    assert (outcome.status, outcome.steps[0].receipt) == ("done", '{"number":7}')
    assert [name for name, _ in order.effects] == ["reserve", "pay", "ship"]


def test_a_person_can_authorise_one_more_send(world: Any) -> None:
    order = world(shop(), replies=["dropped"])
    say(order, order.run_task(PLAN).steps[-1].inbox_item, "it_did_not_happen")
    assert order.run_task(PLAN).status == "done"
    assert [call.ctx.attempt for call in order.sent if call.step.name == "reserve"] == [1, 2]


def test_an_authorised_send_that_is_lost_goes_back_to_a_person(world: Any) -> None:
    order = world(shop(), replies=["dropped", "lost"])
    say(order, order.run_task(PLAN).steps[-1].inbox_item, "it_did_not_happen")
    assert order.run_task(PLAN).steps[-1].inbox_item == 2
    assert len(order.sent) == 2


def test_it_did_not_happen_is_refused_when_the_query_finds_it(world: Any) -> None:
    order = world([step("pay", query=True)], replies=["lost"], sightings=["absent"])
    item = order.run().inbox_item
    with pytest.raises(ResolutionRefused, match="the query of step '1' finds it"):
        say(order, item, "it_did_not_happen")
    assert order.states() == ["NEEDS_HUMAN"]


def test_a_task_is_not_done_while_a_step_beyond_a_shorter_plan_waits(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "lost"])
    item = order.run_task(PLAN).steps[-1].inbox_item
    assert order.run_task(PLAN[:2]).status == "halted"
    assert [each.item_id for each in order.items()] == [item]
    say(order, item, "abandon")
    assert order.run_task(PLAN[:2]).status == "done"


def gone() -> object:
    raise Crash


def test_a_step_planned_beyond_a_shorter_plan_goes_to_a_person_and_is_not_sent(world: Any) -> None:
    order = world(shop())
    order.run_task(PLAN[:2])
    order.upon["call_intent"] = gone
    order.dies(lambda: order.run_task(PLAN))
    assert order.states() == ["DONE", "DONE", "PLANNED"]
    outcome = order.run_task(PLAN[:2])
    assert (outcome.status, outcome.steps[-1].state) == ("halted", "NEEDS_HUMAN")
    assert outcome.steps[-1].reason == "it was planned and never sent, and this run's plan ends before it"
    assert [call.step.name for call in order.sent] == ["reserve", "pay"]
    say(order, outcome.steps[-1].inbox_item, "abandon")
    assert order.run_task(PLAN[:2]).status == "done"


def test_a_read_that_is_refused_again_goes_back_to_a_person_and_undoes_nothing(world: Any) -> None:
    reserve, _, _ = shop()
    order = world([reserve, step("look", "read")], replies=["answer", *["refused"] * 3])
    plan = [("reserve", {"order": "A-1"}), ("look", {"order": "A-1"})]
    for _ in range(3):
        outcome = order.run_task(plan)
        assert (outcome.status, outcome.steps[-1].state) == ("halted", "NEEDS_HUMAN")
        assert outcome.steps[-1].reason == "the read was refused: Definite: no"
        say(order, outcome.steps[-1].inbox_item, "it_did_not_happen")
    assert order.run_task(plan).status == "done"
    assert [call.step.name for call in order.sent] == ["reserve", "look", "look", "look", "look"]


@pytest.mark.parametrize("query", [False, True])
def test_it_did_not_happen_is_refused_of_a_write_that_was_acknowledged(world: Any, query: bool) -> None:
    order = world([step("pay", query=query)], replies=[{1, 2}], sightings=["silent"] * 3)
    item = order.run("pay").inbox_item
    with pytest.raises(ResolutionRefused, match="step '1' was acknowledged: it did happen"):
        say(order, item, "it_did_not_happen", table=False)
    assert (order.run("pay").state, len(order.sent)) == ("NEEDS_HUMAN", 1)
    assert say(order, item, "it_happened", receipt={"number": 1}).state == "DONE"


def test_an_answer_that_came_late_and_cannot_be_stored_stays_an_answer(world: Any) -> None:
    order = world([step("pay")])
    machine, op = overtaken(order, "Call")
    order.run()
    order.replies = [{1, 2}]
    acked = machine.send(order._do(op))
    with pytest.raises(Fenced):
        machine.send(order._do(acked))
    (item,) = order.items()
    assert item.reason.startswith("the answer came after all, and the output cannot be stored as JSON")
    with pytest.raises(ResolutionRefused, match="it did happen"):
        say(order, item.item_id, "it_did_not_happen", table=False)


def test_it_did_not_happen_is_refused_when_a_later_step_is_done(world: Any) -> None:
    order = world([step("pay"), step("look", "read")])
    claim = order.claim()
    order.crash_after = "call_intent"
    order.dies(lambda: order.drive(step_machine(order.table, claim, "1", "pay", {})))
    order.drive(step_machine(order.table, claim, "2", "look", {}))
    order.claim()
    with pytest.raises(ResolutionRefused, match="step '2' came after step '1' and is done"):
        say(order, 1, "it_did_not_happen")


def test_a_step_that_was_never_sent_cannot_be_said_to_have_happened(world: Any) -> None:
    order = world([step("pay")], crash_after="planned")
    order.dies(order.run)
    item = order.run(order="other").inbox_item
    with pytest.raises(ResolutionRefused, match="was never sent"):
        say(order, item, "it_happened")


def test_a_resolution_needs_somebody_and_something_that_shows_it(world: Any) -> None:
    order = world([step("pay")], replies=["lost"])
    item = order.run().inbox_item
    with pytest.raises(ResolutionRefused, match="needs its evidence"):
        order.drive(resolve_machine(Word(item, Resolution.IT_HAPPENED, "ann", " ")))


def test_an_item_is_resolved_once(world: Any) -> None:
    order = world([step("pay")], replies=["lost"])
    item = order.run().inbox_item
    say(order, item, "abandon")
    with pytest.raises(ResolutionRefused, match="item 1 was resolved as 'abandon' by ann"):
        say(order, item, "it_happened")
    assert order.run().state == "ABANDONED"


def test_halting_puts_every_open_step_into_the_inbox(world: Any) -> None:
    order = world([step("pay", query=True), step("post")])
    claim = order.claim()
    order.crash_after = "call_intent"
    order.dies(lambda: order.drive(step_machine(order.table, claim, "a", "pay", {})))
    order.crash_after = "Call"
    order.dies(lambda: order.drive(step_machine(order.table, claim, "b", "post", {})))
    order.claim()
    assert order.states() == ["NEEDS_HUMAN", "NEEDS_HUMAN"]
    assert [item.step_seq for item in order.items()] == [1, 2]


def test_a_halted_task_starts_nothing_new(world: Any) -> None:
    order = world([step("pay"), step("post")], replies=["lost"])
    order.run("pay", path="1")
    held = order.run("post", path="2")
    assert (held.state, held.inbox_item) == ("HELD", 1)
    assert held.reason == "the task is halted, because of inbox item 1"


def test_after_a_failure_what_was_done_is_made_up_for_in_reverse_order(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "refused"])
    outcome = order.run_task(PLAN)
    assert outcome.status == "compensated"
    assert [call.step.name for call in order.sent] == ["reserve", "pay", "ship", "refund", "release"]
    assert order.sent[3].ctx.output == {"number": 2}
    assert order.sent[3].ctx.idempotency_key != order.sent[1].ctx.idempotency_key
    assert order.states() == ["COMPENSATED", "COMPENSATED", "FAILED"]
    assert order.run_task(PLAN).status == "compensated"
    assert len(order.sent) == 5


def test_a_compensation_of_unknown_outcome_is_queried_and_never_sent_again(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "refused", "lost", "dropped"])
    outcome = order.run_task(PLAN)
    assert order.states() == ["COMP_NEEDS_HUMAN", "COMPENSATED", "FAILED"]
    assert outcome.status == "compensating"
    assert [item.reason for item in order.items()] == [
        "the outcome of its compensation is unknown, and a query finds nothing"
    ]
    events = order.ledger.transact(lambda tx: tx.events("t1"), durable=False)
    assert [each.said["error"] for each in events if each.kind == "comp_uncertain"] == [
        "TimeoutError: no answer"
    ] * 2
    say(order, 1, "no_compensate")
    assert order.run_task(PLAN).status == "compensated"
    assert len(order.sent) == 5


@pytest.mark.parametrize("when", ["comp_intent", "Call", "comp_done"])
def test_a_crash_in_a_compensation_leads_to_at_most_one_send_of_it(world: Any, when: str) -> None:
    order = world(shop(), replies=["answer", "answer", "refused"])

    def life() -> None:
        claim = order.claim()
        for number, (name, params) in enumerate(PLAN, start=1):
            order.drive(step_machine(order.table, claim, str(number), name, params))

    life()
    order.crash_after = when
    order.dies(lambda: order.run_task(PLAN))
    order.run_task(PLAN)
    refunds = [call for call in order.sent if call.step.name == "refund"]
    assert len(refunds) == (0 if when == "comp_intent" else 1)


def test_a_refused_compensation_goes_to_a_person_and_earlier_ones_wait(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "refused", "refused"])
    outcome = order.run_task(PLAN)
    assert order.states() == ["DONE", "COMP_NEEDS_HUMAN", "FAILED"]
    assert outcome.steps[1].reason == "its compensation was refused: Definite: no"
    say(order, 1, "it_happened")
    assert order.run_task(PLAN).status == "compensated"
    assert [call.step.name for call in order.sent][-1] == "release"


def test_past_its_deadline_no_compensation_is_sent_by_itself(world: Any) -> None:
    late = step(
        "ship", backoff=Backoff(600_001, 600_001, jitter=False), effect="idem_write", dedupe=DedupePromise()
    )
    order = world([*shop()[:2], late])
    order.replies = ["answer", "answer", "lost", "refused"]
    order.run_task(PLAN)
    say(order, 1, "abandon")
    claim = order.claim()
    order.drive(compensate_machine(order.table, claim, "asked for"))
    assert order.items()[0].reason == "its compensate_deadline has passed, others may have acted"
    assert [call.step.name for call in order.sent].count("refund") == 0
    say(order, order.items()[0].item_id, "compensate")
    order.drive(compensate_machine(order.table, order.claim(), "asked for"))
    assert [call.step.name for call in order.sent].count("refund") == 1


def test_the_deadline_is_counted_from_the_earliest_intent_whatever_restarts_came(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "refused"])
    order.crash_after = "failed"
    order.dies(lambda: order.run_task(PLAN))
    order.clock_ms += 600_000
    order.run_task(PLAN)
    assert order.items()[0].reason == "its compensate_deadline has passed, others may have acted"
    assert [call.step.name for call in order.sent] == ["reserve", "pay", "ship"]


def test_a_write_without_a_registered_compensation_goes_to_a_person(world: Any) -> None:
    order = world([step("pay"), step("ship")], replies=["answer", "refused"])
    order.run_task(PLAN[1:])
    assert order.items()[0].reason == "it was done, and no compensation is registered for it"


def test_reads_need_no_compensation(world: Any) -> None:
    order = world([step("look", "read"), step("ship")], replies=["answer", "refused"])
    assert order.run_task([("look", {}), ("ship", {})]).status == "failed"


def test_another_owner_waits_while_the_lease_runs(world: Any) -> None:
    order = world([step("pay")])
    order.claim()
    order.owner = "w1"
    with pytest.raises(TaskBusy, match="held by the owner 'w0' until 1060000 ms"):
        order.claim()
    order.clock_ms += 60_000
    assert order.claim().fence == 2


def test_a_lease_covers_the_call_it_was_taken_for(world: Any) -> None:
    slow = step("pay", timeout_ms=300_000)
    order = world([slow], crash_after="call_intent")
    order.dies(order.run)
    order.owner, order.clock_ms = "w1", order.clock_ms + 300_000
    with pytest.raises(TaskBusy):
        order.claim()


def overtaken(order: Simulation, at: str) -> tuple[Any, Any]:
    """w0 stops before the operation `at`; w1 takes the task over when its lease is over."""
    machine = step_machine(order.table, order.claim(), "1", "pay", {"order": "A-1"})
    answer: Any = None
    while True:
        op = machine.send(answer)
        if at in (getattr(op, "label", ""), type(op).__name__):
            break
        answer = order._do(op)
    order.clock_ms += 10_000_000
    order.owner = "w1"
    return machine, op


def test_an_owner_that_was_overtaken_before_its_intent_sends_nothing(world: Any) -> None:
    order = world([step("pay")])
    _, op = overtaken(order, "call_intent")
    assert order.run().state == "DONE"
    with pytest.raises(Fenced):
        order._do(op)
    assert len(order.sent) == 1


def test_the_answer_of_an_overtaken_owner_is_taken_as_evidence_for_its_own_attempt(world: Any) -> None:
    order = world([step("pay")])
    machine, op = overtaken(order, "Call")
    assert order.run().state == "NEEDS_HUMAN"
    acked = machine.send(order._do(op))
    with pytest.raises(Fenced):
        machine.send(order._do(acked))
    assert order.kinds() == ["planned", "call_intent", "uncertain", "needs_human", "late_evidence", "done"]
    assert (order.items(), order.status()) == ([], "running")
    assert order.run().state == "DONE"
    assert len(order.effects) == 1


def test_an_overtaken_owner_records_neither_doubt_nor_refusal(world: Any) -> None:
    order = world([step("pay")])
    machine, op = overtaken(order, "Call")
    order.run()
    order.replies = ["refused"]
    failed = machine.send(order._do(op))
    with pytest.raises(Fenced):
        order._do(failed)
    assert order.states() == ["NEEDS_HUMAN"]


def test_the_model_is_asked_once_and_its_choice_is_replayed(world: Any) -> None:
    order = world([step("pay"), step("ship")])
    choices = iter([("pay", {"order": "A-1"}), ("ship", {"order": "A-2"})])
    claim = order.claim()
    assert order.drive(choose_machine(order.table, claim, "1", lambda: next(choices))) == (
        "pay",
        {"order": "A-1"},
    )
    assert order.kinds() == ["planned"]
    claim = order.claim()
    assert order.drive(choose_machine(order.table, claim, "1", lambda: next(choices))) == (
        "pay",
        {"order": "A-1"},
    )
    assert order.choices == 1
    assert order.drive(step_machine(order.table, claim, "1")).state == "DONE"


def test_a_choice_outside_the_table_is_not_logged(world: Any) -> None:
    order = world([step("pay")])
    with pytest.raises(KeyError):
        order.drive(choose_machine(order.table, order.claim(), "1", lambda: ("fly", {})))
    assert order.kinds() == []


def test_recovery_settles_open_steps_before_anything_new(world: Any) -> None:
    order = world([step("pay", query=True), step("ship")], crash_after="Call")
    order.dies(order.run)
    order.claim()
    assert order.states() == ["DONE"]
    assert order.drive(recover_machine(order.table, order.claim())) == []


def test_step_numbers_are_allocated_once_and_never_used_again(world: Any) -> None:
    order = world([step("pay")])
    for path in ("7", "7/inv-2", "7/inv-1"):
        order.run(path=path, order=path)
    events = order.ledger.transact(lambda tx: tx.events("t1"), durable=False)
    assert [(e.step_seq, e.step_path) for e in events if e.kind == "planned"] == [
        (1, "7"),
        (2, "7/inv-2"),
        (3, "7/inv-1"),
    ]
    assert len({event.idempotency_key for event in events}) == 3


def test_all_that_was_in_flight_is_uncertain_before_any_of_it_is_settled(world: Any) -> None:
    order = world([step("pay", query=True), step("post", query=True)])
    claim = order.claim()
    for path, name in (("a", "pay"), ("b", "post")):
        order.crash_after = "Call"
        order.dies(lambda path=path, name=name: order.drive(step_machine(order.table, claim, path, name, {})))
    order.crash_after = "recover"
    order.dies(order.claim)
    assert order.states() == ["UNCERTAIN", "UNCERTAIN"]
    order.claim()
    assert order.states() == ["DONE", "DONE"]


def test_a_store_that_is_down_while_the_task_halts_leaves_one_inbox_row(world: Any) -> None:
    order = world([step("pay")], replies=["x" * 5_000], broken_blobs=3)
    order.upon["Sleep"] = halting(order)
    outcome = order.run()
    assert (outcome.state, outcome.reason) == ("NEEDS_HUMAN", "another step waits")
    assert len(order.items()) == 1


def test_a_compensation_whose_answer_comes_while_it_is_queried_is_left_alone(world: Any) -> None:
    order = world(shop(), replies=["answer", "answer", "refused"], crash_after="failed")
    order.dies(lambda: order.run_task(PLAN))
    machine = compensate_machine(order.table, order.claim(), "ship failed")
    answer: Any = None
    while not isinstance(op := machine.send(answer), Call):
        answer = order._do(op)
    order.owner, order.clock_ms = "w1", order.clock_ms + 200_000

    def answered() -> None:
        made_up = machine.send(order._do(op))
        with pytest.raises(Fenced):
            machine.send(order._do(made_up))

    order.upon["Query"] = answered
    order.sightings = ["absent"]
    assert order.run_task(PLAN).status == "compensated"
    assert [name for name, _ in order.effects] == ["reserve", "pay", "refund", "release"]
    assert order.items() == []


def halting(order: Simulation) -> Any:
    """Another step of the task comes to wait for a person."""
    return lambda: order.ledger.transact(
        lambda tx: halt(tx, look(tx, "t1"), "another step waits"), durable=False
    )


def test_a_task_that_halts_under_a_lost_answer_has_the_step_in_the_inbox_once(world: Any) -> None:
    order = world([step("pay", query=True)], replies=["lost"])
    order.upon["uncertain"] = halting(order)
    assert order.run().reason == "another step waits"
    assert (order.kinds()[-2:], len(order.items())) == (["uncertain", "needs_human"], 1)


def test_a_task_that_halts_under_a_call_still_takes_its_answer_with_a_long_output(world: Any) -> None:
    order = world([step("pay")], replies=["x" * 5_000])
    order.upon["Call"] = halting(order)
    assert order.run().state == "DONE"
    assert order.kinds()[-3:] == ["needs_human", "late_evidence", "done"]
    assert (order.items(), order.status()) == ([], "running")
