"""Every way a run can go is gone once, those with fewer faults first."""

from stepcheck.harms.schedule import Schedule, every


def ways(*counts: int, faults: int, most: int = 3_000) -> list[tuple[int, ...]]:
    """The ways taken by a run that comes to places with so many ways each."""

    def run(schedule: Schedule) -> tuple[int, ...]:
        return tuple(schedule.pick(range(count)) for count in counts)

    return list(every(run, faults, most))


def test_without_a_fault_there_is_one_way() -> None:
    assert ways(3, 2, faults=0) == [(0, 0)]


def test_one_fault_takes_each_other_way_at_each_place_once() -> None:
    assert ways(3, 2, faults=1) == [(0, 0), (2, 0), (1, 0), (0, 1)]


def test_two_faults_come_after_all_with_one() -> None:
    found = ways(2, 2, 2, faults=2)
    assert found == sorted(found, key=sum)
    assert sorted(found) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]


def test_no_way_is_gone_twice_where_a_fault_opens_further_places() -> None:
    def run(schedule: Schedule) -> str:
        first = schedule.pick("ab")
        return first + (schedule.pick("cd") if first == "b" else "")

    assert list(every(run, 2)) == ["a", "bc", "bd"]


def test_a_run_is_cut_off_at_the_most_schedules() -> None:
    assert ways(2, 2, 2, faults=2, most=3) == [(0, 0, 0), (1, 0, 0)]


def test_a_place_with_one_way_costs_nothing() -> None:
    schedule = Schedule((0, 1), 1)
    assert [schedule.pick(["only"]), schedule.pick(["well", "ill"])] == ["only", "ill"]
    assert schedule.places == [(0, 1), (1, 2)]
