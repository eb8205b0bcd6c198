"""Rows outlive a process, except those that a transaction has not committed."""

from stepcheck.harms.store import Store


def held(store: Store) -> list[tuple[str, str]]:
    return [(table, key) for table, key, _ in store.every()]


def test_a_row_without_a_transaction_outlives_a_crash() -> None:
    store = Store()
    store.new("sent", {"state": "done"}, "A-1")
    store.crash()
    assert list(store.every()) == [("sent", "A-1", {"state": "done"})]


def test_a_transaction_that_is_rolled_back_takes_its_rows_back() -> None:
    store = Store()
    store.new("sent", {}, "before")
    store.begin()
    store.new("sent", {}, "inside")
    store.roll_back()
    assert held(store) == [("sent", "before")]


def test_a_crash_takes_back_all_that_no_transaction_around_has_committed() -> None:
    store = Store()
    store.begin()
    store.new("sent", {}, "outer")
    store.begin()
    store.new("sent", {}, "inner")
    store.commit()
    store.begin()
    store.crash()
    assert held(store) == []
    assert store.open == []


def test_an_inner_rollback_leaves_what_the_outer_transaction_did() -> None:
    store = Store()
    store.begin()
    store.new("sent", {}, "outer")
    store.begin()
    store.new("sent", {}, "inner")
    store.roll_back()
    store.commit()
    assert held(store) == [("sent", "outer")]


def test_a_change_of_a_row_is_taken_back_with_its_transaction() -> None:
    store = Store()
    store.new("sent", {"state": "open"}, "A-1")
    store.begin()
    store.rows("sent")["A-1"]["state"] = "done"
    store.roll_back()
    assert store.rows("sent")["A-1"] == {"state": "open"}


def test_the_number_of_a_row_is_never_given_twice() -> None:
    store = Store()
    store.begin()
    assert store.new("sent", {}) == "sent-1"
    store.roll_back()
    assert store.new("sent", {}) == "sent-2"
