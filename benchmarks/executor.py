"""What a step of the reference executor costs, next to bare commits and to the steps of DBOS.

    python benchmarks/executor.py [--steps 300] [--rounds 5] [--postgres URL] [--dbos PYTHON]

URL is a database that may be written over; without it PostgreSQL's rows are left out. PYTHON is an interpreter
that has `dbos` (and `psycopg[binary]`); without it DBOS's rows are left out. Fsyncs of files are counted by strace,
those of the server by its own statistics, as the difference of two lengths.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

WORKER = str(Path(__file__).with_name("_steps.py"))


@dataclass(frozen=True)
class Contender:
    name: str
    worker: str
    python: str
    server: str | None = None
    """The database's URL; None for a file of its own."""

    def command(self, steps: int, folder: str) -> list[str]:
        return [self.python, WORKER, self.worker, str(steps), self.server or folder]


def contenders(postgres: str | None, dbos: str | None) -> list[Contender]:
    here = sys.executable
    found = [
        Contender("SQLite, one-row commits, WAL/FULL", "raw-sqlite", here),
        Contender("stepcheck write step, SQLite", "stepcheck-write", here),
        Contender("stepcheck read step, SQLite", "stepcheck-read", here),
    ]
    if dbos:
        found += [
            Contender("DBOS step, SQLite, WAL/FULL", "dbos-forced", dbos),
            Contender("DBOS step, SQLite as shipped", "dbos", dbos),
        ]
    if postgres:
        found += [
            Contender("PostgreSQL, one-row commits", "raw-postgres", here, postgres),
            Contender("stepcheck write step, PostgreSQL", "stepcheck-write", here, postgres),
            Contender("stepcheck read step, PostgreSQL", "stepcheck-read", here, postgres),
        ]
    if postgres and dbos:
        found.append(Contender("DBOS step, PostgreSQL", "dbos", dbos, postgres))
    return found


def run(command: list[str]) -> tuple[float, float]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-500:]}")
    wall, processor = done.stdout.split()[-2:]
    return float(wall), float(processor)


def fresh_run(contender: Contender, steps: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        return run(contender.command(steps, folder))


def syncs_a_step(contender: Contender, steps: int) -> str:
    if contender.server:
        # A run without steps beside one with them leaves out what the start and the end cost.
        few, many = (server_syncs(contender, count) for count in (1, 1 + steps))
    elif shutil.which("strace"):
        few, many = (file_syncs(contender, count) for count in (1, 1 + steps))
    else:
        return "not counted"
    return f"{(many - few) / steps:.2f}"


def file_syncs(contender: Contender, steps: int) -> int:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        trace = Path(folder, "trace")
        run(
            [
                "strace",
                "-f",
                "-qq",
                "-e",
                "trace=fsync,fdatasync",
                "-o",
                str(trace),
                *contender.command(steps, folder),
            ]
        )
        return sum("sync(" in line for line in trace.read_text().splitlines())


def server_syncs(contender: Contender, steps: int) -> int:
    import psycopg

    assert contender.server
    with psycopg.connect(contender.server, autocommit=True) as watcher:

        def syncs() -> int:
            time.sleep(1.5)  # the server's processes report their counts once a second
            row = watcher.execute("SELECT wal_sync FROM pg_stat_wal").fetchone()
            assert row
            return int(row[0])

        before = syncs()
        fresh_run(contender, steps)
        return syncs() - before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--postgres")
    parser.add_argument("--dbos")
    given = parser.parse_args()
    all_of_them = contenders(given.postgres, given.dbos)
    seconds: dict[str, list[float]] = {each.name: [] for each in all_of_them}
    processor: dict[str, list[float]] = {each.name: [] for each in all_of_them}
    for number in range(given.rounds):
        for each in all_of_them:
            wall, own = fresh_run(each, given.steps)
            seconds[each.name].append(wall)
            processor[each.name].append(own)
        print(f"round {number + 1} of {given.rounds}", file=sys.stderr)
    raw = {None: all_of_them[0].name, given.postgres: "PostgreSQL, one-row commits"}
    print(
        "| | steps a second | of the bare commits | processor, ms a step | fsyncs a step |\n|---|---|---|---|---|"
    )
    for each in all_of_them:
        bare = seconds[raw[each.server]]
        ratio = statistics.median(one / own for one, own in zip(bare, seconds[each.name], strict=True))
        rate = given.steps / statistics.median(seconds[each.name])
        own = statistics.median(processor[each.name]) / given.steps * 1000
        print(f"| {each.name} | {rate:.0f} | {ratio:.2f} | {own:.2f} | {syncs_a_step(each, given.steps)} |")


if __name__ == "__main__":
    main()
