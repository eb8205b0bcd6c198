"""Every bad example does the harm that its page names, with two faults at most, and its good twin does none."""

import time
from functools import cache

import pytest

from stepcheck import page, rules
from stepcheck.harms.pairs import MOST_FAULTS, NO_RUN, Pair, Shown, pairs, show
from stepcheck.harms.prepared import prepared
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played, trial
from stepcheck.page import Example

ALL = [pair for name in rules.names() for pair in pairs(page.find(name))]
RUN = [pair for pair in ALL if NO_RUN not in (pair.bad.run, pair.harm)]


def _name(pair: Pair) -> str:
    return f"{pair.rule}-{pair.number}"


@cache
def _shown(rule: str, number: int) -> tuple[Shown, float]:
    [pair] = [one for one in RUN if (one.rule, one.number) == (rule, number)]
    start = time.perf_counter()
    return show(pair), time.perf_counter() - start


@pytest.mark.parametrize("pair", RUN, ids=_name)
def test_a_bad_example_does_the_harm_that_its_page_names(pair: Pair) -> None:
    shown, _ = _shown(pair.rule, pair.number)
    assert shown.bad is not None, f"{pair.harm} in none of {shown.schedules} schedules as '{shown.situation}'"
    assert len(shown.bad.faults) <= MOST_FAULTS
    assert pair.harm in [wrong.harm for wrong in shown.bad.wrong]


@pytest.mark.parametrize("pair", RUN, ids=_name)
def test_its_good_twin_does_no_harm(pair: Pair) -> None:
    shown, _ = _shown(pair.rule, pair.number)
    assert shown.good is not None
    assert shown.wrong is None


def _undisturbed(example: Example | None, like: Example, situation: Situation) -> Played:
    """What comes of an example where nothing goes wrong."""
    made = prepared(example, prepared(like)) if example else None
    assert made is not None
    return next(iter(trial(made, situation, 0)))


@pytest.mark.parametrize("pair", [pair for pair in RUN if pair.good and not pair.declared], ids=_name)
def test_its_good_twin_does_no_less_where_nothing_goes_wrong(pair: Pair) -> None:
    situation = _shown(pair.rule, pair.number)[0].situation
    bad = _undisturbed(pair.bad, pair.bad, situation)
    good = _undisturbed(pair.good, pair.bad, situation)
    asks_first = situation in (Situation.UNCERTAIN, Situation.WORKERS)
    relayed = any("Outbox" in of for of, _ in good.records)
    assert good.effects or not bad.effects or asks_first or relayed


@pytest.mark.parametrize("pair", [pair for pair in ALL if NO_RUN in (pair.bad.run, pair.harm)], ids=_name)
def test_a_page_says_why_no_run_can_show_an_example(pair: Pair) -> None:
    told = page.find(pair.rule).sections["Demonstration"]
    assert "No run shows" in " ".join(told.split())


def test_nine_of_ten_rules_have_an_example_that_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    every = {pair.rule for pair in ALL}
    run = {pair.rule for pair in RUN}
    shown = [_shown(pair.rule, pair.number) for pair in RUN]
    schedules, seconds = sum(one.schedules for one, _ in shown), sum(taken for _, taken in shown)
    with capsys.disabled():
        print(
            f"\n{len(run)} of {len(every)} rules, {len(RUN)} of {len(ALL)} pairs of examples, "
            f"{schedules} schedules, {seconds:.1f} s"
        )
    assert len(run) >= 0.9 * len(every)
