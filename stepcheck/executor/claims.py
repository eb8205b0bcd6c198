"""The claims that one executor holds: a task is taken once, however many threads and coroutines ask."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, get_ident

from stepcheck.executor.ledger import Fenced
from stepcheck.executor.record import Claim


@dataclass(frozen=True, slots=True)
class _Taking:
    over: Future[None] = field(default_factory=Future)
    thread: int = field(default_factory=get_ident)


class Claims:
    """Claims by task: whoever asks first takes the task, the others wait for that one's claim."""

    def __init__(self) -> None:
        self._held: dict[str, Claim] = {}
        self._takings: dict[str, _Taking] = {}
        self._lock = Lock()

    def get(self, task_id: str, take: Callable[[], Claim]) -> Claim:
        """Return the claim that is held, or the one that `take` returns. Raises what `take` raises.

        Raises RuntimeError while a coroutine of this very thread is taking the task: it could not go on.
        """
        while True:
            match self._look(task_id):
                case Claim() as claim:
                    return claim
                case _Taking(over, thread):
                    if thread == get_ident():
                        raise RuntimeError(f"task '{task_id}' is being taken by a coroutine of this thread")
                    over.result()
                case None:
                    with self._taking(task_id):
                        return self._keep(task_id, take())

    async def aget(self, task_id: str, take: Callable[[], Awaitable[Claim]]) -> Claim:
        """As `get`, for coroutines."""
        while True:
            match self._look(task_id):
                case Claim() as claim:
                    return claim
                case _Taking(over):
                    await asyncio.wrap_future(over)
                case None:
                    with self._taking(task_id):
                        return self._keep(task_id, await take())

    def drop(self, task_id: str) -> Claim | None:
        """Forget the task's claim and return it."""
        with self._lock:
            return self._held.pop(task_id, None)

    @contextmanager
    def valid(self, claim: Claim) -> Iterator[Claim]:
        """Drop the claim if it turns out to be fenced off: the next to ask takes the task anew."""
        try:
            yield claim
        except Fenced:
            with self._lock:
                if self._held.get(claim.task_id) == claim:
                    del self._held[claim.task_id]
            raise

    def _look(self, task_id: str) -> Claim | _Taking | None:
        """Return the claim, or who is taking the task; None where the caller is the one, from now on."""
        with self._lock:
            found = self._held.get(task_id) or self._takings.get(task_id)
            if found is None:
                self._takings[task_id] = _Taking()
                # A coroutine that is cancelled while it waits must not cancel what others wait for.
                self._takings[task_id].over.set_running_or_notify_cancel()
            return found

    def _keep(self, task_id: str, claim: Claim) -> Claim:
        with self._lock:
            self._held[task_id] = claim
        return claim

    @contextmanager
    def _taking(self, task_id: str) -> Iterator[None]:
        try:
            yield
        finally:
            with self._lock:
                taking = self._takings.pop(task_id)
            taking.over.set_result(None)
