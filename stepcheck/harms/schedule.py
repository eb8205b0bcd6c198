"""Every way a run can go: at each place one way is taken, and all but the first cost a fault."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Schedule:
    """One way through: the ways to take at the first places, and the first way at all others."""

    def __init__(self, taken: tuple[int, ...], faults: int) -> None:
        self._taken = taken
        self._left = faults
        self.places: list[tuple[int, int]] = []
        """At each place that was come to: the way taken, and how many there were."""

    def pick(self, ways: Sequence[T]) -> T:
        """Take a way; the first one is that nothing goes wrong."""
        number = len(self.places)
        way = self._taken[number] if number < len(self._taken) else 0
        self.places.append((way, len(ways) if self._left else 1))
        if way:
            self._left -= 1
        return ways[way]


def every(run: Callable[[Schedule], R], faults: int, most: int = 3_000) -> Iterator[R]:
    """Run every schedule of at most so many faults, those with fewer first."""
    for budget in range(faults + 1):
        waiting: list[tuple[int, ...]] = [()]
        while waiting and most:
            taken = waiting.pop()
            schedule = Schedule(taken, budget)
            result = run(schedule)
            most -= 1
            ways = tuple(way for way, _ in schedule.places)
            for place in range(len(schedule.places) - 1, len(taken) - 1, -1):
                for other in range(1, schedule.places[place][1]):
                    waiting.append((*ways[:place], other))
            if sum(way > 0 for way in ways) == budget:
                yield result
