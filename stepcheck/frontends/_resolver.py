"""What reading a step needs to know about names: each kind of file has its own answer."""

from typing import Protocol

from stepcheck.facts import Reference, Value


class Resolver(Protocol):
    """Follows what a file writes down to what it means there."""

    def value(self, value: Value) -> Value:
        """What stands behind a name: a scalar, a mapping, a sequence. `Opaque` where only a run could tell.

        A value that is no name comes back as it is; an enum member comes back as its value.
        """
        ...

    def reference(self, value: Value, step_names: frozenset[str]) -> Reference | None:
        """The callable, or step of the same table, that a value names; None where only a run could tell."""
        ...
