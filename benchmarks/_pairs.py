"""Whole processes timed in alternation, so that a busy machine is busy for all of them alike."""

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence


def alternate(commands: Mapping[str, Sequence[str]], runs: int, cwd: str = ".") -> dict[str, list[float]]:
    """Wall seconds of each command, run in turn `runs` times after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for round_number in range(runs + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)
            spent = time.perf_counter() - start
            if run.returncode not in (0, 1):
                raise SystemExit(f"{name} ended with {run.returncode}: {run.stderr.decode()[-300:]}")
            if round_number:
                seconds[name].append(spent)
    return seconds


def table(seconds: Mapping[str, Sequence[float]], base: str) -> str:
    """A Markdown table of medians, and of the median ratio to `base` within the same round."""
    rows = ["| command | median ms | times " + base + " |", "|---|---|---|"]
    for name, spent in seconds.items():
        ratio = statistics.median(one / other for one, other in zip(spent, seconds[base], strict=True))
        rows.append(f"| {name} | {statistics.median(spent) * 1000:.0f} | {ratio:.2f} |")
    return "\n".join(rows)
