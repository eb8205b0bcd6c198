"""What the executor guarantees holds in every schedule; where a declared bound is broken, it does not."""

import pytest

from stepcheck.explorer.explore import Result, explore
from stepcheck.explorer.guaranteed import Claim, claims

ALL = claims()


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.name)
def test_no_harm_but_what_is_declared_in_any_schedule_of_two_faults(claim: Claim) -> None:
    result = explore(claim.scenario, 2)
    assert set(result.harms) == claim.harms
    print(f"{claim.name}: {result.schedules} schedules")


def test_exploring_twice_gives_the_same_to_the_last_moment() -> None:
    scenario = ALL[-1].scenario

    def told(result: Result) -> str:
        return repr((result.schedules, result.by_faults, dict(result.harms), dict(result.shortest)))

    assert told(explore(scenario, 1)) == told(explore(scenario, 1))
