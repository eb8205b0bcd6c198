"""Every run within a budget of faults, depth first over choice points, each from where it branched off."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

S = TypeVar("S")
W = TypeVar("W")
S_contra = TypeVar("S_contra", contravariant=True)


class Chooser(Protocol[S_contra]):
    """Says which way a run goes where it can go several."""

    @property
    def settled(self) -> bool:
        """Whether only the first way is left from here on."""

    def pick(self, moment: str, ways: Sequence[W], snapshot: Callable[[], S_contra]) -> W:
        """Return one of the ways at a moment; `snapshot` gives the state that asks this same question again."""


@dataclass(frozen=True, slots=True)
class Branch(Generic[S]):
    """A run that stands at a choice, and the way it is to go there."""

    state: S
    way: int
    spent: int


class Choices(Generic[S]):
    """The choices of one run: at the first one the branch's way, from then on the first way.

    The first way costs nothing, any other costs one; ways that the budget still allows are kept as branches.
    """

    def __init__(self, budget: int, way: int = 0, spent: int = 0) -> None:
        self._budget = budget
        self._way: int | None = way
        self.spent = spent
        self.branches: list[Branch[S]] = []

    @property
    def settled(self) -> bool:
        """Whether only the first way is left from here on."""
        return self._way is None and self.spent >= self._budget

    def pick(self, moment: str, ways: Sequence[W], snapshot: Callable[[], S]) -> W:
        """Return the way to go, whatever moment it is."""
        del moment
        return ways[self.choose(len(ways), snapshot)]

    def choose(self, ways: int, snapshot: Callable[[], S]) -> int:
        """Return the way to go; `snapshot` gives the state that asks this same question again."""
        if self._way is not None:
            way, self._way = self._way, None
            if way:
                self.spent += 1
                return way
        if ways > 1 and self.spent < self._budget:
            state = snapshot()
            self.branches += [Branch(state, way, self.spent) for way in range(1, ways)]
        return 0


def every_run(start: S, go: Callable[[S, Choices[S]], S], budget: int, copy: Callable[[S], S]) -> Iterator[S]:
    """Return the end of each run of cost at most `budget`, in an order that never changes.

    `go` carries a state to its end and asks for each choice on the way.
    """
    stack = [Branch(start, 0, 0)]
    while stack:
        branch = stack.pop()
        choices: Choices[S] = Choices(budget, branch.way, branch.spent)
        yield go(copy(branch.state), choices)
        stack.extend(reversed(choices.branches))
