"""Every bad example does its harm with as few faults as it says, and every good twin does none."""

import pytest

from stepcheck import page, rules
from stepcheck.explorer.demonstrations import Demonstration, find, load, of_rule
from stepcheck.explorer.explore import explore
from stepcheck.explorer.oracle import Harm
from stepcheck.stories import stories

ALL = load()
PAGES = {
    "query-writes",
    "compensation-without-an-end",
    "keyed-write-retried-by-the-table",
    "done-before-call",
}


def test_there_are_forty_eight_and_those_that_pages_add() -> None:
    names = {one.name for one in ALL}
    assert len(names) == len(ALL) == 48 + len(PAGES)
    assert names >= PAGES


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_the_bad_example_does_its_harm_with_so_few_faults(one: Demonstration) -> None:
    assert one.faults <= 2
    assert one.harm in one.run().harms
    if one.faults:
        assert one.harm not in one.run(one.faults - 1).harms


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_the_good_twin_does_no_harm_in_any_schedule_of_two_faults(one: Demonstration) -> None:
    result = explore(one.good, 2)
    assert dict(result.harms) == {}
    assert result.by_faults[0] == 1
    assert result.by_faults[2] > 0
    print(f"{one.name}: {result.schedules} schedules")


def test_every_good_twin_runs_on_the_reference_executor() -> None:
    assert [one.name for one in ALL if one.good.skeleton is not None] == []


def test_each_harm_that_pages_can_declare_is_shown_by_one() -> None:
    shown = {one.harm for one in ALL}
    named = {Harm.DUPLICATE, Harm.GHOST, Harm.LOST, Harm.FALSE_FAILURE, Harm.STUCK, Harm.UNBOUNDED}
    assert shown == named | {Harm.WRONG_COMPENSATION, Harm.DANGLING}


def test_a_story_is_numbered_and_ends_with_the_harm() -> None:
    assert find("write-retried").told() == (
        "1. The executor records the intent to call 'pay'\n"
        "2. The executor calls 'pay' for A-1: it happens; the answer is lost\n"
        "3. The executor records the intent to call 'pay'\n"
        "4. The executor calls 'pay' for A-1: it happens\n"
        "5. The executor records 'pay' as done\n"
        "6. One thing was wanted, and it happened more than once: 'pay' for A-1 happened 2 times\n"
    )


RUN = [name for name in rules.names() if page.find(name).harm not in page.UNEXPLORED]


def test_a_harm_that_no_run_shows_is_none_of_the_explorers() -> None:
    assert page.HARMS.keys() - {harm.value for harm in Harm} >= page.UNEXPLORED
    assert [name for name in rules.names() if name not in RUN and of_rule(name)] == []


@pytest.mark.parametrize("rule", rules.names())
def test_a_page_tells_whether_stories_show_its_harm(rule: str) -> None:
    found = page.find(rule)
    told = {one.harm for one in stories(rule)}
    assert (bool(told), found.leads_to in told) == (found.runs, found.runs)


@pytest.mark.parametrize("rule", RUN)
def test_a_rule_whose_harm_can_be_run_has_a_demonstration_or_an_example_that_does_it(rule: str) -> None:
    shown = [one.harm for one in of_rule(rule)] or [one.harm for one in stories(rule)]
    assert shown[0] == page.find(rule).harm


def test_rules_find_their_demonstrations() -> None:
    assert [one.name for one in of_rule("unproven-absence")] == [
        "empty-query-of-a-replica",
        "empty-query-before-arrival",
    ]
    assert of_rule("no-such-rule") == ()
    with pytest.raises(KeyError):
        find("no-such-demonstration")
