"""Every bad example does the harm that its page names, with two faults at most, and its good twin does none."""

from functools import cache

import pytest

from stepcheck import page, rules
from stepcheck.harms.pairs import MOST_FAULTS, Pair, Shown, pairs, show

ALL = [pair for name in rules.names() for pair in pairs(page.find(name))]
CODE = [pair for pair in ALL if not pair.declared]
RUN = [pair for pair in CODE if pair.bad.run != "none"]


def _name(pair: Pair) -> str:
    return f"{pair.rule}-{pair.number}"


@cache
def _shown(rule: str, number: int) -> Shown:
    [pair] = [one for one in RUN if (one.rule, one.number) == (rule, number)]
    return show(pair)


@pytest.mark.parametrize("pair", RUN, ids=_name)
def test_a_bad_example_does_the_harm_that_its_page_names(pair: Pair) -> None:
    shown = _shown(pair.rule, pair.number)
    assert shown.bad is not None, f"{pair.harm} in none of {shown.schedules} schedules as '{shown.situation}'"
    assert len(shown.bad.faults) <= MOST_FAULTS
    assert pair.harm in [wrong.harm for wrong in shown.bad.wrong]


@pytest.mark.parametrize("pair", RUN, ids=_name)
def test_its_good_twin_does_no_harm(pair: Pair) -> None:
    shown = _shown(pair.rule, pair.number)
    assert shown.wrong is None


@pytest.mark.parametrize("pair", [pair for pair in CODE if pair.bad.run == "none"], ids=_name)
def test_a_page_says_why_no_run_can_show_an_example(pair: Pair) -> None:
    told = page.find(pair.rule).sections["Demonstration"]
    assert "no run" in " ".join(told.lower().split())


def test_nine_of_ten_rules_about_code_have_an_example_that_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    rules_of_code = {pair.rule for pair in CODE}
    run = {pair.rule for pair in RUN}
    schedules = sum(_shown(pair.rule, pair.number).schedules for pair in RUN)
    with capsys.disabled():
        print(
            f"\n{len(run)} of {len(rules_of_code)} rules, {len(RUN)} pairs of examples, {schedules} schedules"
        )
    assert len(run) >= 0.9 * len(rules_of_code)
