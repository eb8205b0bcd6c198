"""Schedulers inside a process: each that is started runs every job when its time has come."""

from typing import TYPE_CHECKING, Any

from stepcheck.harms import sending
from stepcheck.harms.thing import Thing

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


class Scheduler:
    """Runs its jobs in the process that starts it."""

    def __init__(self, process: "Process") -> None:
        self._process = process
        self._jobs: list[Any] = []

    def add_job(self, job: Any, *_: Any, **__: Any) -> None:
        """Add a job."""
        self._jobs.append(job)

    def start(self) -> None:
        """Start; the hour comes, and each job is run."""
        for job in self._jobs:
            name = getattr(job, "__name__", str(job))
            self._process.outside.say(f"The scheduler of process {self._process.outside.running} runs {name}")
            with self._process.calm():
                sending.send_to(self._process, name, (), {})


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""
    names = ("BackgroundScheduler", "AsyncIOScheduler", "BlockingScheduler")
    return {name: lambda *_, **__: Scheduler(process) for name in names} | {
        "Flask": lambda *_: Thing(process, "app"),
        "FastAPI": lambda *_: Thing(process, "app"),
    }
