"""Which schedule of a bad example is shown, and what counts against its good twin."""

from collections.abc import Iterator

from stepcheck.harms.judge import Wrong
from stepcheck.harms.outside import Beat
from stepcheck.harms.trial import Played
from stepcheck.harms.twins import compare, most


def played(*faults: str, harms: str = "", beats: int = 1, moments: tuple[int, ...] = ()) -> Played:
    """A schedule with these faults and harms, told in so many sentences."""
    told = tuple(Beat(f"sentence {number}") for number in range(beats))
    return Played(faults, moments, told, tuple(Wrong(harm, "x") for harm in harms.split()), (), ())


def test_of_the_schedules_with_the_fewest_faults_the_one_that_the_page_speaks_of_is_shown() -> None:
    crash, lost = played("crash", harms="ghost"), played("answer lost", harms="ghost", beats=9)
    two = played("answer lost", "crash", harms="ghost")
    assert compare("ghost", "One lost answer suffices.", [played(), crash, lost, two], None).bad is lost
    assert compare("ghost", "One crash suffices.", [played(), crash, lost, two], None).bad is crash


def test_a_request_that_comes_late_is_shown_where_nothing_else_does_the_harm() -> None:
    late, lost = played("late arrival", harms="ghost"), played("hangs", harms="ghost", beats=9)
    assert compare("ghost", "", [late, lost], None).bad is lost


def test_another_harm_is_not_the_one_that_is_named() -> None:
    found = compare("ghost", "", [played(harms="duplicate")], lambda _: [played()])
    assert (found.bad, found.good, found.schedules) == (None, None, 1)


def test_no_schedule_is_run_with_more_faults_than_the_harm_needs() -> None:
    asked = []

    def bad() -> Iterator[Played]:
        for faults in ((), ("crash",), ("crash", "crash")):
            asked.append(len(faults))
            yield played(*faults, harms="ghost")

    compare("ghost", "", bad(), None, tolerant=False)
    assert asked == [0, 1]


def test_the_twin_has_one_fault_at_least_and_else_as_many_as_the_harm_needs() -> None:
    assert [most(played(*faults)) for faults in ((), ("crash",), ("crash", "crash"))] == [1, 1, 2]


def test_the_harm_of_the_page_counts_against_the_twin_whatever_it_is() -> None:
    for harm in ("ghost", "refused", "unbounded"):
        found = compare(harm, "", [played(harms=harm)], lambda _, harm=harm: [played(), played(harms=harm)])
        assert found.wrong == Wrong(harm, "x")


def test_what_both_do_besides_does_not_count_and_a_harm_of_the_twin_alone_does() -> None:
    bad, good = [played(harms="ghost lost")], [played(harms="lost")]
    assert compare("ghost", "", bad, lambda _: good).wrong is None
    assert compare("ghost", "", bad, lambda _: good, tolerant=False).wrong == Wrong("lost", "x")
    assert compare("ghost", "", bad, lambda _: [played(harms="duplicate")]).wrong == Wrong("duplicate", "x")
    assert compare("ghost", "", bad, lambda _: [played(harms="stuck")]).wrong is None


def test_the_twin_is_shown_under_the_same_faults_at_the_same_moments() -> None:
    bad = [played("crash", harms="ghost", moments=(1,))]
    same = played("crash", moments=(1,))
    found = compare(
        "ghost", "", bad, lambda _: [played(), played("crash", moments=(0,)), same, played("hangs")]
    )
    assert found.good is same
