"""Transactions of ORMs: as a context manager or a decorator, kept at the end or taken back by an exception."""

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stepcheck.harms import objects

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


class Transaction:
    """One transaction; `@transaction.atomic` makes one a call."""

    def __init__(self, process: "Process") -> None:
        self._process = process

    def __enter__(self) -> "Transaction":
        self._process.store.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._process.pending.clear()
            self._process.store.roll_back()
            self._process.outside.say("The transaction is rolled back")
            return
        self._process.moment("before the transaction is committed")
        objects.commit(self._process)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:  # noqa: D102
        @functools.wraps(function)
        def run(*args: Any, **words: Any) -> Any:
            with Transaction(self._process):
                return function(*args, **words)

        return run


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""

    def atomic(*given: Any, **_: Any) -> Any:
        made = Transaction(process)
        return made(given[0]) if given and inspect.isfunction(given[0]) else made

    return {"transaction.atomic": atomic, "session.begin": atomic, "db.transaction": atomic}
