"""Keys: one for each address and meaning, and none shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.executor.canonical import CanonicalError
from stepcheck.executor.keys import business_key, compensation_key, idempotency_key, input_hash

ids = st.text("ab1/", min_size=1, max_size=4)


@given(ids, ids, ids, ids)
def test_two_addresses_never_meet_in_one_key(task: str, path: str, other_task: str, other_path: str) -> None:
    same = (task, path) == (other_task, other_path)
    assert (idempotency_key(task, path, {}) == idempotency_key(other_task, other_path, {})) == same


def test_a_key_stays_as_it_was_when_this_was_written() -> None:
    # A change here forgets every key in every ledger: it needs another scheme tag.
    assert (
        idempotency_key("t1", "7/inv-1", {"amount": 5, "order": "A-1"})
        == "fce0b174156324d24ab38d31a23aa27d31e4e51deaca93c1aa7c9d30fe31fffd"
    )


def test_with_an_identity_only_its_fields_make_the_key() -> None:
    one = idempotency_key("t", "1", {"order": "A", "at": 1}, identity=("order",))
    assert one == idempotency_key("t", "1", {"order": "A", "at": 2}, identity=("order",))
    assert one != idempotency_key("t", "1", {"order": "B", "at": 1}, identity=("order",))


def test_without_an_identity_all_but_the_volatile_fields_make_it() -> None:
    one = idempotency_key("t", "1", {"order": "A", "at": 1}, volatile=("at",))
    assert one == idempotency_key("t", "1", {"order": "A", "at": 2}, volatile=("at",))
    assert one != idempotency_key("t", "1", {"order": "A", "at": 1})


def test_the_order_of_identity_is_of_no_account() -> None:
    params = {"a": 1, "b": 2}
    assert idempotency_key("t", "1", params, identity=("a", "b")) == idempotency_key(
        "t", "1", params, identity=("b", "a")
    )


def test_an_identity_that_the_params_lack_is_refused() -> None:
    with pytest.raises(
        CanonicalError, match=r"params\.order is named in 'identity', and the params have no such"
    ):
        idempotency_key("t", "1", {"at": 1}, identity=("order",))


def test_the_input_hash_sees_every_field_that_is_not_volatile_and_the_name() -> None:
    one = input_hash("pay", {"order": "A", "at": 1}, volatile=("at",))
    assert one == input_hash("pay", {"order": "A", "at": 2}, volatile=("at",))
    assert one != input_hash("refund", {"order": "A", "at": 1}, volatile=("at",))


def test_a_business_key_is_the_same_in_every_task_and_none_without_an_identity() -> None:
    assert business_key("pay", {"order": "A"}, ()) is None
    assert business_key("pay", {"order": "A", "x": 1}, ("order",)) == business_key(
        "pay", {"order": "A", "x": 2}, ("order",)
    )
    assert business_key("pay", {"order": "A"}, ("order",)) != business_key(
        "refund", {"order": "A"}, ("order",)
    )


def test_a_compensation_has_a_key_of_its_own() -> None:
    assert len({"k", compensation_key("k"), compensation_key(compensation_key("k"))}) == 3
