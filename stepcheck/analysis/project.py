"""The checked project, as those who read step tables ask about it: files, names, values, callables."""

from stepcheck.analysis.callables import callable_at, lookup
from stepcheck.analysis.evaluate import evaluate
from stepcheck.analysis.found import Found
from stepcheck.analysis.modules import Modules
from stepcheck.facts import Name, Value


class Project(Modules):
    """Files below a root, linked. Nothing in them is ever imported or run."""

    def lookup(self, dotted: str, importer: str = "") -> Found:
        """The callable that a dotted path names, seen from a file (or else from the source roots)."""
        return lookup(self, dotted, importer)

    def callable_at(self, name: Name) -> Found:
        """The callable that a name means in the place where it stands."""
        return callable_at(self, name)

    def value(self, value: Value) -> Value:
        """What a value comes to, names followed. A name that leads nowhere comes back as it is."""
        if not isinstance(value, Name):
            return evaluate(self, value)
        found = self._values.get(value)
        if found is None:
            found = self._values[value] = evaluate(self, value)
        return found
