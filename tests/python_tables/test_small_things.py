"""Values and names in tables that are easily read as what they are not."""

from collections.abc import Callable

import pytest

from stepcheck.facts import Duration, Effect, StepTable, Target, Unlimited

Tables = Callable[..., list[StepTable]]


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("2 * 30", 60),
        ("10**15", None),
        ("(10000000 * 10000000 * 100) * (1000 * 1000)", None),
        ("60 / 0", None),
    ],
)
def test_arithmetic_is_done_while_it_is_cheap(tables: Tables, written: str, seconds: int | None) -> None:
    [table] = tables(f'STEPS = {{"a": {{"effect": "read", "call": f, "timeout": {written}}}}}\n')
    timeout = table.steps[0].timeout
    assert timeout.opaque == (seconds is None)
    if seconds is not None:
        assert isinstance(timeout.value, Duration)
        assert timeout.value.length.total_seconds() == seconds


def test_numbers_too_large_to_reckon_with_are_not_multiplied(tables: Tables) -> None:
    huge = "*".join(["99999999999999999999"] * 50)
    [table] = tables(f'STEPS = {{"a": {{"effect": "read", "call": f, "max_attempts": {huge}}}}}\n')
    assert table.steps[0].max_attempts.opaque


def test_an_enum_member_that_is_a_tuple_stands_for_its_first_item(tables: Tables) -> None:
    text = "import enum\nclass Kind(enum.Enum):\n    SEND = ('non_idem_write', 'sends something')\n"
    [table] = tables(text + 'STEPS = {"a": {"effect": Kind.SEND, "call": f, "query": g}}\n')
    assert (table.steps[0].effect.value, table.steps[0].effect.wrong) == (Effect.NON_IDEM_WRITE, False)


def test_what_is_spread_into_a_step_under_a_condition_makes_it_open(tables: Tables) -> None:
    step = '{"effect": "non_idem_write", "call": f, "timeout": None}'
    [always] = tables(f'pay = {step}\npay.update({{"query": g}})\nSTEPS = {{"pay": pay}}\n')
    assert (always.steps[0].query.present, always.steps[0].open) == (True, False)
    assert always.steps[0].timeout.value is Unlimited.UNLIMITED
    [perhaps] = tables(f'pay = {step}\nif LIVE:\n    pay.update({{"query": g}})\nSTEPS = {{"pay": pay}}\n')
    assert (perhaps.steps[0].query.opaque, perhaps.steps[0].open) == (True, True)
    assert perhaps.steps[0].timeout.opaque


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("import stripe", "stripe.charge"),
        ("from stripe import charge", "charge"),
        ("import stripe.refunds", "stripe.refunds.give"),
        ("from stripe.refunds import give", "give"),
    ],
)
def test_a_module_that_imports_its_own_name_means_the_installed_package(
    tables: Tables, head: str, call: str
) -> None:
    text = f'{head}\nSTEPS = {{"a": {{"effect": "read", "call": {call}, "timeout": 5}}}}\n'
    [table] = tables(text, "stripe.py")
    reference = table.steps[0].call.value
    assert reference is not None
    assert reference.target is Target.OUTSIDE
