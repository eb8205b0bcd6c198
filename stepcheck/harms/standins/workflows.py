"""Engines that begin a function again from its top, and hand it what its steps gave before."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stepcheck.harms import sending
from stepcheck.harms.thing import Thing, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


class Suspended(BaseException):
    """The function stops here until somebody answers; then it is begun from its top."""


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""
    kept = process.outside.kept
    count = {"step": 0, "stop": 0}

    def durable(make: Callable[[], Any]) -> Any:
        count["step"] += 1
        name = f"step {count['step']}"
        if name not in kept:
            kept[name] = make()
        else:
            process.outside.say("What was a step of its own is on record, and is not done again")
        return kept[name]

    def step(*given: Any, **_: Any) -> Any:
        def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def run(*args: Any, **words: Any) -> Any:
                return durable(lambda: function(*args, **words))

            return run

        return wrap(given[0]) if given else wrap

    def stop(*_: Any) -> Any:
        return wait("It stops here until somebody answers")

    def sleep(*_: Any) -> Any:
        return wait("It sleeps here, and its worker lets go of it")

    def wait(told: str) -> Any:
        count["stop"] += 1
        name = f"stop {count['stop']}"
        if name not in kept:
            kept[name] = True
            process.outside.say(told)
            raise Suspended
        return Thing(process, "the answer")

    def activity(function: Any, *args: Any, **words: Any) -> Any:
        given = (*args, *words.pop("args", ()))
        once = "retry_policy" in words
        name = getattr(function, "__name__", text_of(function))

        def run() -> Any:
            for attempt in range(1 if once else 3):
                try:
                    key = {"idempotency_key": text_of(given[1])} if len(given) > 1 else {}
                    return sending.send_to(process, name, given, key)
                except Exception:
                    if once or attempt == 2:
                        raise
                    process.outside.say("Temporal begins the activity again")
            return None

        return durable(run)

    return {
        "interrupt": stop,
        "langgraph.types.interrupt": stop,
        "workflow.sleep": sleep,
        "workflow.execute_activity": activity,
        "DBOS.step": step,
    }
