"""Decorators that begin a function again: tenacity and its kin, and the brokers of task queues."""

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stepcheck.harms.thing import Thing, name_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

MANY = 60
"""Tries of what is tried without a limit: more than the world answers."""


class Retry(Exception):
    """A task asks its broker to begin it again."""


class Task:
    """A function that a broker runs, and runs again when it fails."""

    def __init__(self, process: "Process", function: Callable[..., Any], tries: int, bound: bool) -> None:
        functools.update_wrapper(self, function)
        self.function, self.tries, self.bound = function, tries, bound
        self._process = process

    def __call__(self, *args: Any, **words: Any) -> Any:  # noqa: D102
        return self.function(*((self, *args) if self.bound else args), **words)

    def delay(self, *args: Any, **words: Any) -> Any:
        """Hand the work to the broker: it sends one message."""
        name = getattr(self.function, "__name__", "task")
        return Thing(self._process, f"{name}.delay").__call__(*args, **words)

    apply_async = send = delay

    def retry(self, exc: BaseException | None = None, **_: object) -> BaseException:
        """What `raise self.retry()` raises."""
        return Retry(str(exc))


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""

    def classes(given: Any) -> tuple[type[BaseException], ...]:
        many = given if isinstance(given, (list, tuple)) else (given,)
        return tuple(process.errors.of(name_of(one)) if isinstance(one, Thing) else one for one in many)

    def retry(*given: Any, stop: Any = None, retry: Any = None, tries: Any = None, **_: Any) -> Any:
        if len(given) == 1 and inspect.isfunction(given[0]):
            return repeated(given[0], MANY, (Exception,))
        on = classes(given) if given else retry if isinstance(retry, tuple) else (Exception,)
        if given:
            process.aborts += [name_of(one) for one in given if isinstance(one, Thing)]
        limit = tries or stop or MANY
        return lambda function: repeated(function, limit if isinstance(limit, int) else 5, on)

    def repeated(function: Callable[..., Any], tries: int, on: tuple[type[BaseException], ...]) -> Any:
        def run(*args: Any, **words: Any) -> Any:
            for attempt in range(tries):
                try:
                    return function(*args, **words)
                except on:
                    process.pending.clear()
                    if attempt + 1 == tries:
                        raise
                    process.outside.say("It is begun again")
            return None

        if inspect.isgeneratorfunction(function):
            return function
        return functools.wraps(function)(run)

    def task(*given: Any, **words: Any) -> Any:
        if len(given) == 1 and inspect.isfunction(given[0]):
            return Task(process, given[0], 1, False)
        limit = words.get("max_retries", words.get("retries"))
        tries = 1 + (limit if isinstance(limit, int) else 3 if words.get("autoretry_for") else 0)
        return lambda function: Task(process, function, tries, bool(words.get("bind")))

    def actor(*given: Any, max_retries: int = 20, **_: Any) -> Any:
        if given:
            return Task(process, given[0], 21, False)
        return lambda function: Task(process, function, 1 + max_retries, False)

    def only(*given: Any) -> Any:
        return classes(given[0]) if given else (Exception,)

    made: dict[str, Any] = {"dramatiq.actor": actor}
    made |= dict.fromkeys(("shared_task", "app.task", "task", "celery.task"), task)
    made |= dict.fromkeys(("retry", "tenacity.retry", "retry_on"), retry)
    for prefix in ("", "tenacity."):
        made[f"{prefix}stop_after_attempt"] = lambda tries: tries
        made[f"{prefix}stop_after_delay"] = lambda _: 10
        made[f"{prefix}retry_if_exception_type"] = only
    return made
