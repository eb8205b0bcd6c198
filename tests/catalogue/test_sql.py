"""SQL statements and what repeating them does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.catalogue.sql import classify, statements
from stepcheck.facts import Effect

READ, IDEM, NON = Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE


@pytest.mark.parametrize(
    ("text", "verb", "effect", "table"),
    [
        ("SELECT * FROM orders", "SELECT", READ, "orders"),
        ("select 1", "SELECT", READ, ""),
        ("  -- why\n/* x */ insert into shop.orders (a) values (%s)", "INSERT", NON, "orders"),
        ("INSERT INTO {} VALUES (1)", "INSERT", NON, ""),
        ("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO NOTHING", "INSERT", IDEM, "t"),
        ("INSERT IGNORE INTO t VALUES (1)", "INSERT", IDEM, "t"),
        ("insert or ignore into t values (1)", "INSERT", IDEM, "t"),
        (
            "INSERT INTO t (a, n) VALUES (1, 2) ON CONFLICT (a) DO UPDATE SET n = excluded.n",
            "INSERT",
            IDEM,
            "t",
        ),
        ("INSERT INTO t (a, n) VALUES (1, 2) ON CONFLICT (a) DO UPDATE SET n = t.n + 1", "INSERT", NON, "t"),
        (
            "INSERT INTO t (n) VALUES (2) ON CONFLICT (a) DO UPDATE SET n = excluded.n + 1",
            "INSERT",
            IDEM,
            "t",
        ),
        ("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE n = n + 1", "INSERT", NON, "t"),
        ("INSERT INTO t SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM t)", "INSERT", IDEM, "t"),
        ("UPDATE accounts SET state = 'paid' WHERE id = 1", "UPDATE", IDEM, "accounts"),
        ("UPDATE accounts SET balance = balance - :amount", "UPDATE", NON, "accounts"),
        ('update "T" set "N" = ("N" + 1), b = 2', "UPDATE", NON, "t"),
        ("UPDATE t SET a = lower(a)", "UPDATE", IDEM, "t"),
        ("UPDATE t SET a = b + 1", "UPDATE", IDEM, "t"),
        ("UPDATE t SET a = 1 WHERE b = b + 1", "UPDATE", IDEM, "t"),
        ("UPDATE t SET done = NOT done", "UPDATE", NON, "t"),
        ("DELETE FROM t WHERE id = 1", "DELETE", IDEM, "t"),
        ("REPLACE INTO t VALUES (1)", "REPLACE", IDEM, "t"),
        ("CREATE TABLE t (a int)", "CREATE", NON, ""),
        ("CREATE TABLE IF NOT EXISTS t (a int)", "CREATE", IDEM, ""),
        ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", "INSERT", NON, "t"),
        ("WITH d AS (DELETE FROM q RETURNING *) SELECT * FROM d", "DELETE", IDEM, "q"),
        ("WITH x AS (SELECT 1) SELECT * FROM x", "SELECT", READ, "x"),
        ("SELECT a INTO b FROM c", "SELECT", NON, "b"),
        ("COPY t FROM STDIN", "COPY", NON, "t"),
        ("COPY (SELECT 1) TO STDOUT", "COPY", READ, ""),
        ("CALL pay(1)", "CALL", NON, ""),
        ("SELECT 'INSERT INTO t'; INSERT INTO t VALUES (1)", "INSERT", NON, "t"),
    ],
)
def test_a_statement_is_told_by_its_words(text: str, verb: str, effect: Effect, table: str) -> None:
    found = classify(text)
    assert found is not None
    assert (found.verb, found.effect, found.table) == (verb, effect, table)


def test_an_insert_that_leaves_rows_alone_is_a_claim() -> None:
    found = classify("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING")
    assert found is not None and found.claims


def test_an_upsert_is_no_claim() -> None:
    found = classify("INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2")
    assert found is not None and not found.claims


def test_a_locking_read_is_told() -> None:
    found = classify("SELECT * FROM t WHERE id = %s FOR UPDATE SKIP LOCKED")
    assert found is not None and found.locks and found.effect is READ


def test_an_insert_from_a_select_adds() -> None:
    found = classify("INSERT INTO t SELECT * FROM s")
    assert found is not None and found.additive


def test_transaction_words_change_nothing() -> None:
    assert [(s.verb, s.control) for s in statements("BEGIN; COMMIT")] == [("BEGIN", True), ("COMMIT", True)]


@pytest.mark.parametrize("text", ["", "hello world", "{} FROM t", "-- INSERT INTO t", "'SELECT 1'"])
def test_what_is_no_statement_is_none(text: str) -> None:
    assert classify(text) is None


@given(
    st.text(
        alphabet=st.sampled_from(list("SELECT INTO()'\";,=+-*/.?{}$:%@with\n")) | st.characters(), max_size=80
    )
)
def test_any_text_is_read_without_an_error(text: str) -> None:
    classify(text)
    classify("UPDATE " + text)
    classify("WITH a AS (" + text)
    classify("INSERT INTO " + text + " ON CONFLICT DO UPDATE SET " + text)
