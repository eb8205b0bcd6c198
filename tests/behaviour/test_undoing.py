"""Undoing: every snippet of the tables is found by its rule, or by none of the family."""

import pytest

from stepcheck.behaviour import undoing
from tests.behaviour.families import problems, snippets

RULES = (
    "blind-compensation",
    "compensation-before-query",
    "compensation-out-of-order",
    "empty-compensation",
    "late-undo",
    "swallowed-compensation-failure",
    "unbounded-compensation",
)
SNIPPETS = snippets("undoing")


@pytest.mark.parametrize(
    ("wanted", "text"),
    [(wanted, text) for wanted, _, text in SNIPPETS],
    ids=[head for _, head, _ in SNIPPETS],
)
def test_a_snippet_is_found_by_its_rule_and_a_lookalike_by_none(wanted: str, text: str) -> None:
    found = {name for name, _ in problems(text, undoing.facts, RULES)}
    assert (wanted in found) if wanted != "quiet" else not found, found


@pytest.mark.parametrize("rule", RULES)
def test_there_are_enough_snippets_of_each_rule(rule: str) -> None:
    assert sum(wanted == rule for wanted, _, _ in SNIPPETS) >= 8


TRIP = """\
async def book(trip):
    undo = []
    try:
        {before}
        seat = await flights.reserve(trip)
        {after}
        await tell(trip)
    except Exception:
        {asks}
        for each in reversed(undo):
            await each()
        raise
"""
KEEPS = "undo.append(lambda: flights.cancel(trip.id))"


@pytest.mark.parametrize(
    ("before", "after", "asks", "found"),
    [
        ("pass", KEEPS, "pass", ["late-undo"]),
        (KEEPS, "pass", "pass", []),
        (KEEPS, KEEPS, "pass", []),
        ("pass", KEEPS, "await settle(await flights.find(trip.id))", []),
        ("pass", "undo.append(lambda: log.info(trip.id))", "pass", []),
    ],
)
def test_an_undo_is_late_when_a_lost_answer_leaves_none(
    before: str, after: str, asks: str, found: list[str]
) -> None:
    text = TRIP.format(before=before, after=after, asks=asks)
    assert [name for name, _ in problems(text, undoing.facts, RULES)] == found


def test_a_late_undo_is_told_with_the_place_where_it_is_kept() -> None:
    text = TRIP.format(before="pass", after=KEEPS, asks="pass")
    [(_, problem)] = problems(text, undoing.facts, RULES)
    assert problem.message == (
        "when the answer of 'flights.reserve' is lost, what it did stays: its undo is kept in 'undo' only after it, "
        "so nothing undoes it and nothing asks whether it happened"
    )
    assert problem.span[1:3] == (5, 22)
    assert [(related.span[1:3], related.message) for related in problem.related] == [
        ((6, 9), "its undo is kept here")
    ]


LOOP = """\
def roll_back(saga):
    {held}
    for step in {over}:
        try:
            step.compensate()
        except Exception{name}:
            {handles}
    {then}
"""


@pytest.mark.parametrize(
    ("name", "handles", "then", "found"),
    [
        ("", "log.exception('no')", "saga.status = 'compensated'", True),
        (" as error", "log.error(error)", "saga.status = Status.ROLLED_BACK", True),
        ("", "pass", "repo.save(saga, state='compensated')", True),
        ("", "pass", "return {'state': 'rolled_back'}", True),
        ("", "raise", "saga.status = 'compensated'", False),
        ("", "failed.append(step)", "saga.status = 'compensated'", False),
        (" as error", "saga.error = error", "saga.status = 'compensated'", False),
        ("", "log.exception('no')", "saga.status = 'compensation_failed'", False),
        ("", "log.exception('no')", "saga.finished_at = now()", False),
    ],
)
def test_a_failing_undo_is_swallowed_when_all_is_recorded_as_undone(
    name: str, handles: str, then: str, found: bool
) -> None:
    text = LOOP.format(held="pass", over="reversed(saga.steps)", name=name, handles=handles, then=then)
    rules = [rule for rule, _ in problems(text, undoing.facts, RULES)]
    assert rules == ["swallowed-compensation-failure"] * found


@pytest.mark.parametrize(
    ("over", "found"),
    [
        ("done", True),
        ("list(done)", True),
        ("enumerate(done)", True),
        ("reversed(done)", False),
        ("done[::-1]", False),
        ("list(reversed(done))", False),
    ],
)
def test_undos_are_out_of_order_unless_something_turns_them(over: str, found: bool) -> None:
    held = "done = []\n    for one in saga.steps:\n        done.append(one)"
    text = LOOP.format(held=held, over=over, name="", handles="raise", then="pass")
    rules = [rule for rule, _ in problems(text, undoing.facts, RULES)]
    assert rules == ["compensation-out-of-order"] * found


@pytest.mark.parametrize(
    ("catches", "undoes", "found"),
    [
        ("TimeoutError", "cards.refund(order.id)", True),
        ("(TimeoutError, ConnectionResetError)", "cards.refund(order.id)", True),
        ("Exception", "cards.refund(order.id)", True),
        ("CardDeclinedError", "cards.refund(order.id)", False),
        ("ConnectionRefusedError", "cards.refund(order.id)", False),
        ("TimeoutError", "cards.refund_if_charged(order.id)", False),
        ("TimeoutError", "cards.void(order.id)", False),
        ("TimeoutError", "mails.refund(order.id)", False),
    ],
)
def test_what_may_not_have_happened_is_asked_about_before_it_is_undone(
    catches: str, undoes: str, found: bool
) -> None:
    text = f"""
def pay(order):
    try:
        cards.charge(order.id, order.total)
    except {catches}:
        {undoes}
        raise
"""
    rules = [rule for rule, _ in problems(text, undoing.facts, RULES)]
    assert rules == ["compensation-before-query"] * found
