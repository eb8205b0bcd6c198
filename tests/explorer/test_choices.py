"""Every run within the budget is visited, each once, in an order that never changes."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from stepcheck.explorer.choices import Choices, every_run

Taken = tuple[int, ...]


def runs(ways: list[int], budget: int) -> list[Taken]:
    """All runs of a program that asks for one choice after the other, with so many ways at each."""

    def go(taken: list[int], choices: Choices[list[int]]) -> list[int]:
        while len(taken) < len(ways):
            taken.append(choices.choose(ways[len(taken)], lambda: list(taken)))
        return taken

    return [tuple(taken) for taken in every_run([], go, budget, list)]


def test_without_a_budget_there_is_one_run_and_nothing_goes_wrong_in_it() -> None:
    assert runs([3, 2, 4], 0) == [(0, 0, 0)]


def test_one_fault_is_tried_at_each_place_in_each_way() -> None:
    assert runs([3, 1, 2], 1) == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 4), max_size=6), st.integers(0, 3))
def test_exactly_the_runs_within_the_budget_are_visited_each_once(ways: list[int], budget: int) -> None:
    wanted = [taken for taken in product(*map(range, ways)) if sum(map(bool, taken)) <= budget]
    visited = runs(ways, budget)
    assert len(visited) == len(wanted)
    assert set(visited) == set(wanted)


def test_a_run_may_ask_more_after_a_fault_than_without_one() -> None:
    def go(taken: list[int], choices: Choices[list[int]]) -> list[int]:
        while len(taken) < (3 if any(taken) else 1):
            taken.append(choices.choose(2, lambda: list(taken)))
        return taken

    ends = [tuple(taken) for taken in every_run([], go, 2, list)]
    assert ends == [(0,), (1, 0, 0), (1, 1, 0), (1, 0, 1)]


def test_once_the_budget_is_spent_nothing_is_kept_for_later() -> None:
    choices: Choices[int] = Choices(1, way=2, spent=0)
    assert choices.choose(3, lambda: 0) == 2
    assert choices.settled
    assert choices.choose(3, lambda: 0) == 0
    assert choices.branches == []
