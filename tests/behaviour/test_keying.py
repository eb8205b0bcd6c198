"""What the rules about keys say of code, and what they leave alone."""

import re
from pathlib import Path

import pytest

from tests.behaviour.families import judged

KEYS = {
    "missing-key", "ambiguous-key", "narrow-key", "model-written-key", "incomplete-key", "dropped-key",
    "per-attempt-key", "volatile-key", "salted-hash-key", "unsorted-key",
}  # fmt: skip
SNIPPETS = [
    (f"{path.stem}-{number}", expected, body)
    for path in sorted((Path(__file__).parent / "keying").glob("*.txt"))
    for number, expected, body in re.findall(
        r"(?m)^#--- (\d+): (.*)\n((?:(?!#--- ).*\n?)*)", path.read_text("utf-8")
    )
]


def told(text: str, rule: str) -> list[tuple[int, str, str]]:
    return [(one.span.line, one.severity.value, one.message) for one in judged(text) if one.rule == rule]


@pytest.mark.parametrize(
    ("expected", "body"), [snippet[1:] for snippet in SNIPPETS], ids=[snippet[0] for snippet in SNIPPETS]
)
def test_a_snippet_gets_the_rule_it_names_and_no_other_about_keys(expected: str, body: str) -> None:
    names = {finding.rule for finding in judged(body)}
    wanted = set(expected.split(","))
    if wanted == {"quiet"}:
        assert names & KEYS == set()
    elif "another rule" in wanted:
        assert names
    else:
        assert names & wanted
        assert names & KEYS <= wanted


def test_there_are_as_many_bad_snippets_as_good_ones_at_least_in_hundreds() -> None:
    quiet = sum(expected == "quiet" for _, expected, _ in SNIPPETS)
    assert quiet >= 100
    assert len(SNIPPETS) - quiet >= 100


def test_a_missing_key_is_told_with_who_runs_the_code_again() -> None:
    text = "@activity.defn\nasync def refund(charge: str):\n    stripe.Refund.create(charge=charge)\n"
    assert told(text, "missing-key") == [
        (
            3,
            "warning",
            "'stripe.Refund.create' may happen more than once: Temporal runs 'refund' again after a lost answer, "
            "and 'idempotency_key' is not given",
        )
    ]


def test_an_ambiguous_key_is_told_with_its_neighbours() -> None:
    text = "def pay(bank, a, b):\n    bank.pay(1, idempotency_key=f'{a}{b}')\n"
    assert told(text, "ambiguous-key") == [
        (
            2,
            "warning",
            "two different intents may get the same key, and the second never happens: a and b stand in "
            "'idempotency_key' with nothing between them, as '1' and '23' are '12' and '3'",
        )
    ]


def test_a_narrow_key_is_told_with_the_field_that_changes() -> None:
    text = "def pay(bank, o):\n    bank.post('/p', json={'at': time.time()}, headers={'Idempotency-Key': o.key})\n"
    assert told(text, "narrow-key") == [
        (
            2,
            "warning",
            "a repeat of 'bank.post' has the same 'Idempotency-Key' and another body, and is refused or answered for "
            "the first: 'at' is 'time.time', which the clock changes",
        )
    ]


def test_a_key_from_the_id_of_a_tools_call_is_told_with_it() -> None:
    text = "def act(tool_call):\n    bank.pay(1, idempotency_key=tool_call.id)\n"
    assert told(text, "model-written-key") == [
        (
            2,
            "warning",
            "when the model calls the tool again, the repeat is taken for something new: 'idempotency_key' is "
            "'tool_call.id', which is another one at each call of the tool",
        )
    ]


def test_one_key_over_a_loop_is_an_error_told_at_the_key() -> None:
    text = "def pay(bank, run, people):\n    for one in people:\n        bank.pay(one, idempotency_key=run.key)\n"
    assert told(text, "incomplete-key") == [
        (
            3,
            "error",
            "all but the first turn of the loop are lost: each 'bank.pay' is taken for the first and never happens, "
            "as 'idempotency_key' does not change in it",
        )
    ]


def test_a_key_drawn_in_a_task_of_which_nothing_says_that_it_is_retried_is_a_warning() -> None:
    text = "@shared_task{}\ndef pay(order):\n    bank.pay(order, idempotency_key=str(uuid.uuid4()))\n"
    assert [severity for _, severity, _ in told(text.format(""), "per-attempt-key")] == ["warning"]
    assert [severity for _, severity, _ in told(text.format("(acks_late=True)"), "per-attempt-key")] == [
        "error"
    ]
    assert told(text.format("(max_retries=0)"), "per-attempt-key") == []


def test_of_several_rules_about_one_write_the_most_specific_speaks() -> None:
    text = "@tool\ndef pay(cents: int, request_id: str):\n    bank.pay(cents, idempotency_key=request_id)\n"
    assert [finding.rule for finding in judged(text)] == ["model-written-key"]


def test_one_key_for_a_loop_rests_on_a_name_where_a_function_of_our_own_takes_it() -> None:
    text = "def pay(staff, key):\n    for one in staff:\n        {}(one, idempotency_key=key)\n"
    rule = "incomplete-key"
    assert [severity for _, severity, _ in told(text.format("bank.transfer"), rule)] == ["error"]
    assert [severity for _, severity, _ in told(text.format("transfer_money"), rule)] == ["warning"]
