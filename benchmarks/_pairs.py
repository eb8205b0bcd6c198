"""Whole processes timed in alternation, so that a busy machine is busy for all of them alike."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple


class Spent(NamedTuple):
    """What one process took, with the processes it began."""

    clock: float
    processor: float
    """Seconds, of all of them together."""
    peak: float
    """Megabytes of memory, of the largest of them; never less than what the measuring process has itself."""


def alternate(
    commands: Mapping[str, Sequence[str]],
    runs: int,
    cwd: str = ".",
    before: Mapping[str, Callable[[], None]] | None = None,
    warm: bool = True,
) -> dict[str, list[Spent]]:
    """What each command takes, run in turn `runs` times, where `warm` after one round that does not count.

    `before` is what is done before a command, off the clock.
    """
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    for number in range(-1 if warm else 0, runs):
        for name, command in commands.items():
            if before and name in before:
                before[name]()
            one = once(command, cwd)
            if number >= 0:
                spent[name].append(one)
    return spent


def once(command: Sequence[str], cwd: str = ".", ok: Collection[int] = ()) -> Spent:
    """Run a command to its end. One that fails and prints nothing ends us, unless its exit code is `ok`."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as wrong:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=said, stderr=wrong)
        _, status, used = os.wait4(process.pid, 0)
        clock = time.perf_counter() - start
        process.returncode = code = os.waitstatus_to_exitcode(status)
        if code < 0 or (code > 1 and code not in ok and not said.tell()):
            wrong.seek(0)
            raise SystemExit(f"{command[0]} ended with {code}: {wrong.read().decode()[-300:]}")
    return Spent(clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3)


def ratio(spent: Sequence[Spent], base: Sequence[Spent]) -> float:
    """The median, over the rounds, of the clock of one command in that of another."""
    return statistics.median(one.clock / other.clock for one, other in zip(spent, base, strict=True))


def table(spent: Mapping[str, Sequence[Spent]], base: str) -> str:
    """A Markdown table of medians, and of the median ratio to `base` within the same round."""
    rows = ["| command | median ms | times " + base + " |", "|---|---|---|"]
    for name, runs in spent.items():
        clock = statistics.median(one.clock for one in runs)
        rows.append(f"| {name} | {clock * 1000:.0f} | {ratio(runs, spent[base]):.2f} |")
    return "\n".join(rows)
