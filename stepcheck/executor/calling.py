"""A call with a bound on the wait: made in another thread, which serves one call after another."""

import contextvars
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread


@dataclass(slots=True)
class _Call:
    action: Callable[[], object]
    context: contextvars.Context
    over: Lock = field(default_factory=Lock)
    """Held until the action has ended."""
    answer: object = None
    error: BaseException | None = None


class Caller:
    """Makes one call at a time, in a thread that it keeps: handing over is cheaper than starting one.

    A call that outlasts its bound is not stopped, and may land; it keeps its thread, and the next call gets
    another.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] | None = None

    def call(self, action: Callable[[], object], seconds: float) -> object:
        """Return what the action returns, in a copy of this thread's context, or raise what it raises.

        Raises TimeoutError where it has not ended after so many seconds.
        """
        if self._calls is None:
            self._calls = SimpleQueue()
            Thread(target=_serve, args=(self._calls,), name="step calls", daemon=True).start()
        call = _Call(action, contextvars.copy_context())
        call.over.acquire()
        self._calls.put(call)
        if not call.over.acquire(timeout=seconds):
            self.close()
            raise TimeoutError(f"no answer within {seconds:g} s; it may still come")
        if call.error is not None:
            raise call.error
        return call.answer

    def close(self) -> None:
        """Let the thread end, after the call it is at."""
        if self._calls is not None:
            self._calls.put(None)
            self._calls = None


def _serve(calls: "SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        try:
            call.answer = call.context.run(call.action)
        except BaseException as error:
            call.error = error
        call.over.release()
        # A thread that waits holds nothing of the call before.
        del call
