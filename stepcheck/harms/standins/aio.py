"""asyncio, as far as waiting goes: everything happens at once, and what is too slow goes on by itself."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from stepcheck.harms.thing import Thing, name_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


class Thread:
    """A call in a thread: begun when it is first waited for."""

    def __init__(self, process: "Process", call: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.process, self.call, self.args = process, call, args
        self.begun = self.slow = False
        self.answer: Any = None

    def wait(self) -> Any:
        """Wait for it. Raises TimeoutError where the answer takes longer; the call goes on."""
        outside = self.process.outside
        if not self.begun:
            self.begun = True
            self.slow = outside.schedule.pick(["nothing", "slow"]) == "slow"
            if self.slow:
                outside.strike("late arrival")
                self.process.outside.say(
                    f"It waits no longer for '{name_of(self.call)}', which goes on in its thread"
                )
            outside.actor = "The thread" if self.slow else ""
            with self.process.calm():
                self.answer = self.call(*self.args)
            outside.actor = ""
        if self.slow:
            self.slow = False
            raise TimeoutError
        return self.answer

    def __await__(self) -> Generator[None, None, Any]:
        yield from ()
        return self.wait()


class Ready:
    """Something that is awaited, and is there at once."""

    def __init__(self, value: Callable[[], Any]) -> None:
        self._value = value

    def __await__(self) -> Generator[None, None, Any]:
        yield from ()
        return self._value()


def awaited(value: Any) -> Any:
    """What `await` can wait for: what is no such thing is there already."""
    return value if hasattr(value, "__await__") else Ready(lambda: value)


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""

    def to_thread(call: Any, *args: Any) -> Thread:
        return Thread(process, call, args)

    def in_executor(_: Any, call: Any, *args: Any) -> Thread:
        return Thread(process, call, args)

    def wait_for(waited: Any, **_: Any) -> Any:
        if isinstance(waited, Thread):
            return Ready(waited.wait)
        return waited

    return {
        "asyncio.to_thread": to_thread,
        "loop.run_in_executor": in_executor,
        "asyncio.wait_for": wait_for,
        "asyncio.shield": lambda waited: waited,
        "asyncio.sleep": lambda *_: Thing(process, "sleep"),
    }
