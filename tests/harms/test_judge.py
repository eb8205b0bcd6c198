"""What counts as a harm: each verdict beside what is nearly one and none."""

import pytest

from stepcheck.harms.effects import Request, World
from stepcheck.harms.judge import Final, judge
from stepcheck.harms.life import End
from stepcheck.harms.standins.files import NOTHING
from stepcheck.harms.store import ADDED, Store

PAY = Request("bank.pay", "order", "")
REFUND = Request("bank.refund", "order", "", undoes=True)
RETURNED, CRASHED = End("returned"), End("crashed")
FAILED = End("raised", "Declined", definite=True)
UNKNOWN = End("raised", "Timeout")
ANSWERED = End("answered an error")


def world(*requests: Request, asked: tuple[Request, ...] = (), **fields: object) -> World:
    made = World(asked=[*(asked or requests)])
    for one in requests:
        made.land(one)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def store(*rows: dict[str, object], table: str = "payments") -> Store:
    made = Store()
    for row in rows:
        made.new(table, row)
    return made


def harms(
    world: World,
    *ends: End,
    rows: Store | None = None,
    handed: tuple[str, ...] = (),
    wanted: int = 1,
    step: bool = False,
    undone: bool = False,
) -> list[str]:
    final = Final(world, rows or Store(), ends or (RETURNED,), handed, wanted, step, undone)
    return [wrong.harm for wrong in judge(final)]


def test_what_happens_once_and_is_told_so_is_no_harm() -> None:
    assert harms(world(PAY, acknowledged=[PAY]), rows=store({"status": "paid"})) == []


def test_what_happens_more_often_than_it_is_wanted_is_a_duplicate_and_less_often_is_lost() -> None:
    assert harms(world(PAY, PAY)) == ["duplicate"]
    assert harms(world(PAY, PAY), wanted=2) == []
    assert harms(world(PAY), wanted=2) == ["lost"]
    assert harms(world(PAY), CRASHED, wanted=2) == []


def test_what_is_deleted_before_it_is_done_again_is_there_once() -> None:
    assert harms(world(PAY, PAY, removed=[PAY])) == []


def test_what_is_added_to_a_row_or_handed_out_twice_is_a_duplicate() -> None:
    row = {"meant": "points + 5"}
    assert harms(world(), rows=store(row, row, table=ADDED)) == ["duplicate"]
    assert harms(world(), rows=store(row, table=ADDED)) == []
    assert harms(world(), handed=("chunk", "chunk")) == ["duplicate"]


def test_what_was_answered_as_done_and_is_not_there_is_lost_unless_it_takes_something_back() -> None:
    assert harms(world(acknowledged=[PAY])) == ["lost"]
    assert harms(world(acknowledged=[REFUND])) == []
    assert harms(world(Request("s3.put", NOTHING, ""))) == ["lost"]


def test_a_record_that_it_is_done_is_a_loss_where_nothing_happened_and_nothing_was_answered() -> None:
    done = store({"status": "done"})
    assert harms(world(), rows=done) == ["lost"]
    assert harms(world(), rows=store({"done": True})) == ["lost"]
    assert harms(world(), rows=store({"done": 1})) == []
    assert harms(world(REFUND, acknowledged=[REFUND]), rows=done) == []


def test_a_failure_that_is_recorded_or_told_is_false_where_it_happened() -> None:
    failed = store({"status": "failed"})
    assert harms(world(PAY), rows=failed) == ["false-failure"]
    assert harms(world(), rows=failed) == []
    assert harms(world(PAY), FAILED) == ["false-failure"]
    assert harms(world(PAY), UNKNOWN) == []
    assert harms(world(), FAILED) == []


def test_a_failure_is_true_where_what_happened_was_taken_back() -> None:
    assert harms(world(PAY, REFUND), rows=store({"status": "failed"})) == []
    assert harms(world(PAY, REFUND), FAILED) == []


def test_a_record_of_an_undo_that_never_came_through_is_a_ghost() -> None:
    refunded = store({"status": "refunded"})
    assert harms(world(PAY, asked=(PAY, REFUND)), rows=refunded) == ["ghost"]
    assert harms(world(PAY, REFUND), rows=refunded) == []


def test_what_is_left_when_all_is_taken_back_is_a_ghost() -> None:
    stay = Request("hotel.book", "room", "")
    assert harms(world(PAY, stay, REFUND), UNKNOWN) == ["ghost"]
    assert harms(world(PAY, stay, REFUND)) == []
    assert harms(world(PAY), undone=True) == ["ghost"]
    assert harms(world(PAY, unwinds=True), UNKNOWN) == ["ghost"]
    assert harms(world(PAY), UNKNOWN) == []


def test_an_undo_of_what_did_not_happen_is_wrong_where_it_had_been_asked_for_or_is_of_anything() -> None:
    anything = Request("compensate", "step", "", undoes=True)
    assert harms(world(REFUND, asked=(PAY, REFUND))) == ["wrong-compensation"]
    assert harms(world(REFUND)) == []
    assert harms(world(anything)) == ["wrong-compensation"]
    assert harms(world(anything, unwinds=True)) == []


def test_an_undo_in_words_of_its_own_makes_up_twice_for_the_same_effect() -> None:
    again = Request("bank.refund", "order, again", "", undoes=True)
    assert harms(world(PAY, REFUND)) == []
    assert harms(world(PAY, REFUND, again)) == ["wrong-compensation"]


def test_two_undos_of_one_wording_are_two_whatever_they_meet() -> None:
    assert harms(world(PAY, REFUND, PAY, REFUND), wanted=2) == ["wrong-compensation"]
    assert harms(world(REFUND, REFUND)) == ["wrong-compensation"]


def test_things_of_a_list_that_are_taken_back_in_the_order_they_were_done_are_taken_back_wrongly() -> None:
    did = [Request(f"steps[{number}].do", "", "") for number in range(2)]
    undid = [Request(f"steps[{number}].undo", "", "", undoes=True) for number in range(2)]
    assert harms(world(*did, *undid)) == ["wrong-compensation"]
    assert harms(world(*did, *reversed(undid))) == []


def test_things_of_no_list_may_be_taken_back_in_any_order() -> None:
    stay, leave = Request("hotel.book", "room", ""), Request("hotel.cancel", "room", "", undoes=True)
    first = Request("steps[0].do", "", "")
    undo = Request("steps[0].undo", "", "", undoes=True)
    assert harms(world(stay, first, leave, undo)) == []


def test_an_error_that_is_answered_a_third_time_is_one_too_many_where_it_had_happened() -> None:
    assert harms(world(PAY), ANSWERED, ANSWERED, ANSWERED) == ["unbounded"]
    assert harms(world(PAY), ANSWERED, ANSWERED) == []
    assert harms(world(), ANSWERED, ANSWERED, ANSWERED) == []


@pytest.mark.parametrize(("kind", "harm"), [("endless", "unbounded"), ("hangs", "stuck")])
def test_what_never_ends_is_a_harm_whenever_it_was(kind: str, harm: str) -> None:
    assert harms(world(), End(kind), RETURNED) == [harm]


def test_a_record_of_what_is_under_way_is_stuck_where_an_error_left_it() -> None:
    sending = store({"status": "sending"})
    assert harms(world(), UNKNOWN, rows=sending) == ["stuck"]
    assert harms(world(), CRASHED, rows=sending) == []
    assert harms(world(), UNKNOWN, rows=store({"claim": "sending"})) == []


def test_a_claim_is_stuck_where_a_later_run_ends_well_and_the_work_was_never_done() -> None:
    claimed = store({"claim": True})
    assert harms(world(), CRASHED, RETURNED, rows=claimed) == ["stuck"]
    assert harms(world(), RETURNED, rows=claimed) == []
    assert harms(world(PAY), CRASHED, RETURNED, rows=claimed) == []
    assert harms(world(), CRASHED, CRASHED, rows=claimed) == []
    assert harms(world(), CRASHED, RETURNED, rows=store({"claim": False})) == []


def test_a_key_that_came_with_another_body_is_refused() -> None:
    assert harms(world(refused=[PAY])) == ["refused"]


def test_a_long_text_in_a_row_is_bloat_and_the_longest_that_is_not_has_4096_characters() -> None:
    assert harms(world(), rows=store({"body": "x" * 4_097})) == ["bloat"]
    assert harms(world(), rows=store({"body": "x" * 4_096})) == []
    assert harms(world(), rows=store({"claim": "x" * 4_097})) == []


def test_half_of_a_step_is_lost_where_it_ended_as_a_whole_and_only_of_a_step() -> None:
    half = world(PAY, half="mail.send(order)")
    assert harms(half, CRASHED, step=True) == ["lost"]
    assert harms(half, CRASHED) == []
    assert harms(half, RETURNED, step=True) == []
    assert harms(half, CRASHED, CRASHED, step=True) == []
    assert harms(world(half="mail.send(order)"), CRASHED, step=True) == []
    undone = world(PAY, REFUND, half="mail.send(order)")
    assert harms(undone, CRASHED, step=True) == []
