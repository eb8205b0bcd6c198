"""The other side does what it is asked as often as it is asked, and honours keys."""

import pytest

from stepcheck.harms.effects import Request, World, request, takes_back

PAY = Request("bank.pay", "order", "")
REFUND = Request("bank.refund", "order", "", undoes=True)


def world(*requests: Request) -> World:
    made = World()
    for one in requests:
        made.land(one)
    return made


def test_a_request_without_a_key_happens_each_time() -> None:
    assert world(PAY, PAY).effects == [PAY, PAY]


def test_a_keyed_request_lands_once() -> None:
    keyed = Request("bank.pay", "order", "k-1")
    made = world(keyed)
    assert made.land(keyed)
    assert made.effects == [keyed]


def test_one_key_of_two_calls_makes_both() -> None:
    other = Request("mail.send", "order", "k-1")
    assert world(Request("bank.pay", "order", "k-1"), other).effects[1] is other


def test_a_known_key_with_another_body_of_one_intent_is_refused() -> None:
    first = Request("bank.pay", "order, drawn-1", "k-1")
    second = Request("bank.pay", "order, drawn-2", "k-1")
    made = world(first)
    assert not made.land(second)
    assert (made.effects, made.refused) == ([first], [second])


def test_what_can_be_repeated_leaves_everything_as_it_is() -> None:
    put = Request("bank.put", "order", "", repeatable=True)
    assert world(put, put).effects == [put]


def test_an_undo_of_nothing_is_noted_with_nothing() -> None:
    made = world(REFUND)
    assert made.undos == [(REFUND, None)]
    assert made.undone == []


def test_an_undo_meets_what_was_done_and_a_second_one_takes_nothing_more_back() -> None:
    made = world(PAY, REFUND, REFUND)
    assert made.undone == [PAY]
    assert [met for _, met in made.undos] == [PAY, PAY]


def test_a_query_finds_what_is_there_and_not_what_is_taken_back() -> None:
    made = world(PAY)
    assert made.knows()
    made.land(REFUND)
    assert not made.knows()


def test_what_is_told_to_take_back_what_is_under_way_keeps_it_from_happening() -> None:
    cancel = Request("bank.cancel", "order", "", undoes=True)
    made = World(under_way=[PAY])
    made.land(cancel)
    assert made.arrive() == []
    assert made.effects == [cancel]


def test_a_refund_does_not_keep_what_is_under_way_from_happening() -> None:
    made = World(under_way=[PAY])
    made.land(REFUND)
    assert made.arrive() == [PAY]


@pytest.mark.parametrize(
    ("words", "key", "about"),
    [
        ({"idempotency_key": "k-1", "amount": 5}, "k-1", "order, 5"),
        ({"headers": {"Idempotency-Key": "k-2"}, "timeout": 5}, "k-2", "order"),
        ({"headers": {"Accept": "text"}}, "", "order"),
        ({"idempotency_key": None}, "", "order"),
    ],
)
def test_the_key_of_a_request_is_told_apart_from_what_it_is_about(
    words: dict[str, object], key: str, about: str
) -> None:
    made = request("bank.pay", ("order",), words)
    assert (made.key, made.about) == (key, about)


def test_what_differs_from_try_to_try_is_no_part_of_what_is_meant() -> None:
    first = Request("bank.pay", "order, drawn-1, 1764000001.0", "")
    second = Request("bank.pay", "order, drawn-2, 1764000009.0", "")
    assert first.meant == second.meant == "bank.pay(order, *, *)"


def test_an_undo_is_of_what_it_shares_a_word_with() -> None:
    assert takes_back(REFUND, PAY)
    assert not takes_back(Request("bank.refund", "another order", "", undoes=True), PAY)
    assert not takes_back(REFUND, REFUND)
