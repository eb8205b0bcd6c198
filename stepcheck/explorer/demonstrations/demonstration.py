"""What a demonstration is: a mistake, its harm, and the twin without it."""

from dataclasses import dataclass

from stepcheck.explorer.explore import Result, explore
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.story import story


@dataclass(frozen=True)
class Demonstration:
    """One mistake."""

    name: str
    """Kebab-case, naming the mistake."""
    title: str
    """The mistake in a clause, lower case."""
    harm: Harm
    """What the bad scenario shows in some schedule of at most two faults."""
    bad: Scenario
    good: Scenario
    """Shows nothing wrong in any schedule of at most two faults."""
    faults: int = 1
    """The fewest faults that lead to the harm."""
    rules: tuple[str, ...] = ()
    """The rules whose pages it belongs to, the nearest first."""

    def run(self, faults: int | None = None) -> Result:
        """Explore the bad scenario, with as few faults as show its harm unless told otherwise."""
        return explore(self.bad, self.faults if faults is None else faults)

    def told(self) -> str:
        """Return the shortest bad schedule as a numbered story."""
        return story(self.bad, self.run().shortest[self.harm], self.harm)
