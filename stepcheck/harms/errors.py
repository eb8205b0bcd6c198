"""Classes of exceptions that an example names: with the bases that the catalogue knows, and what each tells."""

import builtins

from stepcheck.catalogue import exceptions
from stepcheck.catalogue.names import words
from stepcheck.facts import Outcome


class Errors:
    """The classes of one process, by their dotted names."""

    def __init__(self, handled: tuple[str, ...], raised: tuple[str, ...] = ()) -> None:
        self._made: dict[str, type[BaseException]] = {}
        self._named = handled
        self._raised = frozenset(name.rpartition(".")[2] for name in raised)

    def of(self, name: str) -> type[BaseException]:
        """The class of that name."""
        fact = exceptions.exception(name)
        name = fact.name if fact else name
        if name in self._made:
            return self._made[name]
        built_in = getattr(builtins, name.removeprefix("builtins.").removeprefix("asyncio."), None)
        if isinstance(built_in, type) and issubclass(built_in, BaseException):
            return built_in
        bases = tuple(self.of(one) for one in fact.bases) if fact and fact.bases else ()
        bases = tuple(dict.fromkeys(one for one in bases if one is not object)) or (Exception,)
        try:
            made = type(name.rpartition(".")[2], bases, {})
        except TypeError:
            made = type(name.rpartition(".")[2], bases[:1], {})
        self._made[name] = made
        return made

    def lost(self, library: str) -> tuple[str, ...]:
        """Names of the classes in which a lost answer shows, as the library of a call has it."""
        if library in _LOST:
            return _LOST[library]
        told = [name for name in self._named if self._tells(name) is Outcome.UNKNOWN]
        told += [
            name for name in self._named if self._tells(name) is None and _GENERAL.intersection(words(name))
        ]
        specific = tuple(name for name in told if name not in ("Exception", "BaseException"))
        return specific or ("TimeoutError",)

    def refusals(self) -> tuple[str, ...]:
        """Names of the classes in which the other side says no."""
        told = [name for name in self._named if self._tells(name) is Outcome.REFUSED]
        told += [
            name
            for name in self._named
            if self._tells(name) is None and not _GENERAL.intersection(words(name))
        ]
        return tuple(told)

    def unsent(self) -> tuple[str, ...]:
        """Names of the classes that say that nothing was sent."""
        return tuple(name for name in self._named if self._tells(name) is Outcome.NOT_SENT)

    def known(self, error: Exception) -> bool:
        """Whether the world, or the example, raised it: everything else is a mistake of the harness."""
        return (
            isinstance(error, (TimeoutError, ConnectionError)) or type(error) not in vars(builtins).values()
        )

    def definite(self, name: str) -> bool:
        """Whether an exception of that class says that nothing was done."""
        if name in self._raised and not _OPEN.intersection(words(name)):
            return True
        return self._tells(name) in (Outcome.REFUSED, Outcome.NOT_SENT)

    def _tells(self, name: str) -> Outcome | None:
        found = exceptions.outcome(name)
        return found.outcome if found else None


_GENERAL = frozenset(
    [
        "provider",
        "client",
        "api",
        "service",
        "gateway",
        "server",
        "engine",
        "remote",
        "upstream",
        "network",
        "http",
        "request",
    ]
)
"""Words of the class that a client raises for everything: nothing else says whether it happened."""
_OPEN = frozenset({"uncertain", "unknown", "human", "needs", "again", "pending"})
"""Words of an exception that the example raises itself by which it does not say that nothing was done."""
_LOST = {
    "requests": ("requests.ReadTimeout", "requests.ConnectionError"),
    "httpx": ("httpx.ReadTimeout",),
}
