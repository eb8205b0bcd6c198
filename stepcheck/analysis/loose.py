"""Steps that stand alone, outside of any table: other files may make tables of them."""

import re
from collections.abc import Collection
from functools import lru_cache

from stepcheck.code.module import How, Module
from stepcheck.facts import Entry, Invocation, Mapping, Scalar, Value

_TELLING = frozenset({"call", "effect", "effect_class"})


class Loose:
    """The names of all loose steps that a run has met so far."""

    def __init__(self, aliases: Collection[str]) -> None:
        self._fields = _TELLING | set(aliases)
        self._names: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._names)

    def collect(self, module: Module) -> bool:
        """Take the names that a file binds to what looks like a single step; whether there are any."""
        found = [
            binding.name
            for binding in module.bindings
            if binding.scope == 0 and binding.how is How.ASSIGNED and self._is_step(binding.value)
        ]
        self._names.update(dict.fromkeys(found))
        return bool(found)

    def mentioned(self, data: bytes, _kind: str = "") -> bool:
        """Whether a file has any of the names in it."""
        names = [name.encode() for name in self._names]
        return any(name in data and _word(name).search(data) for name in names)

    def _is_step(self, value: Value) -> bool:
        entries: tuple[Entry, ...] = ()
        if isinstance(value, Mapping):
            entries = value.entries
        elif isinstance(value, Invocation):
            entries = value.keywords
        return any(isinstance(entry.key, Scalar) and entry.key.value in self._fields for entry in entries)


@lru_cache
def _word(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\b%b\b" % re.escape(name))
