"""What stories of page examples say: who begins again, what is left open, and in what words."""

import pytest

from stepcheck.demo import Demo
from stepcheck.demo.rounds import shortened
from stepcheck.stories import stories


def _shown(rule: str, number: int) -> Demo:
    return stories(rule)[number - 1]


def test_a_good_twin_that_ends_without_an_answer_says_what_is_open_and_who_can_see_that() -> None:
    assert _shown("call-before-ledger", 1).good.sentences[-2:] == (
        "It is not begun again, as 'Payout' says 'sending': a person can ask whether it happened",
        "No harm is done: it happened once",
    )
    assert _shown("timeout-as-failure", 1).good.sentences[-2:] == (
        "It is left open, and 'fax' says so ('unknown'): whoever looks there can find out",
        "No harm is done: nothing counts as failed that happened",
    )
    assert _shown("timeout-as-failure", 2).good.sentences[-2] == (
        "It is left open: its caller gets TimeoutError, which says neither that it happened nor that it did not"
    )


def test_a_timeout_meets_the_side_that_never_answers_at_the_same_place() -> None:
    shown = _shown("missing-timeout", 3)
    assert shown.faults == ("the other side never answers",)
    assert (
        shown.bad.sentences[1]
        == "It calls 'requests.post' (AUTHORITY, document): the other side never answers"
    )
    assert shown.good.sentences[1:3] == (
        "It calls 'requests.post' (AUTHORITY, document): no answer comes until its timeout",
        "It ends with ReadTimeout",
    )


def test_what_was_not_committed_is_gone_with_its_process_so_a_get_does_harm_by_being_asked_again() -> None:
    shown = _shown("write-behind-get", 1)
    assert shown.faults == ()
    assert "A crawler asks for the same page" in shown.bad.sentences
    assert [one.what for one in shown.good.effects] == ["INSERT INTO coupons(user)"]


def test_two_that_look_at_the_same_time_are_told_as_two_at_the_same_time() -> None:
    shown = _shown("unclaimed-lookup", 2)
    assert shown.faults == ("two at the same time",)
    assert shown.good.sentences[-2] == (
        "Process 1 claims 'Mail.objects.filter().update' (status=sending): another one was first"
    )


def test_what_is_deleted_later_is_there_once() -> None:
    good = _shown("repeated-append", 1).good
    assert [one.what for one in good.effects] == [
        "frame.to_sql(staging, engine, append), deleted later",
        "frame.to_sql(staging, engine, append)",
    ]
    assert good.sentences[-1] == "No harm is done: it happened once"


def test_what_is_added_to_a_row_is_told_of_the_row() -> None:
    shown = _shown("repeated-append", 2)
    assert [(one.step, one.words) for one in shown.bad.rows] == [
        ("Account[user_id]", "points added to twice")
    ]


def test_each_step_of_a_twin_is_run_and_the_fault_strikes_the_same_call() -> None:
    shown = _shown("two-effects-in-one-step", 1)
    lost = "It calls 'warehouse.ship' (order.address): the request is lost"
    assert lost in shown.bad.sentences
    assert lost in shown.good.sentences


@pytest.mark.parametrize("rule", ["abandoned-thread", "ambiguous-key", "dropped-key", "narrow-except"])
def test_no_two_examples_of_a_page_have_one_title(rule: str) -> None:
    titles = [one.title for one in stories(rule)]
    assert len(titles) == len(set(titles))


def test_rounds_are_told_three_times_and_then_counted() -> None:
    assert shortened(["a", *["b", "c"] * 9, "b", "end"]) == (
        *("a", "b", "c", "b", "c", "b", "c"),
        "The same comes 6 times more",
        "b",
        "end",
    )
    assert shortened(["b", "c"] * 9 + ["b"])[-1] == "The same comes 6 times more"
    assert shortened(["a", "a", "a"]) == ("a", "a", "a")
