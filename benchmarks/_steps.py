"""One contender in a process of its own: runs steps that do nothing, and prints the seconds they took, by the
clock and by the processor.

`python benchmarks/_steps.py CONTENDER STEPS PLACE`; PLACE is a folder, or a postgresql:// URL.
"""

import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHECKPOINT = 4096
"""Pages of the write-ahead log before they are moved: the same for all who have a log."""

Spent = tuple[float, float]


def now() -> Spent:
    return time.perf_counter(), time.process_time()


def since(started: Spent) -> Spent:
    return time.perf_counter() - started[0], time.process_time() - started[1]


def raw_sqlite(steps: int, place: str) -> Spent:
    connection = sqlite3.connect(Path(place, "raw.db"), isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT}")
    connection.execute("CREATE TABLE step (n INTEGER PRIMARY KEY, output TEXT)")
    started = now()
    for number in range(steps):
        connection.execute("INSERT INTO step VALUES (?, ?)", (number, '{"ok":true}'))
    return since(started)


def raw_postgres(steps: int, place: str) -> Spent:
    import psycopg

    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS raw_step")
        connection.execute("CREATE TABLE raw_step (n integer PRIMARY KEY, output text)")
        started = now()
        for number in range(steps):
            connection.execute("INSERT INTO raw_step VALUES (%s, %s)", (number, '{"ok":true}'))
        return since(started)


def stepcheck(effect: str) -> Callable[[int, str], Spent]:
    def run(steps: int, place: str) -> Spent:
        from stepcheck.executor.drivers import drive
        from stepcheck.executor.opening import open_world
        from stepcheck.executor.owner import process_owner
        from stepcheck.executor.step import ExecStep
        from stepcheck.executor.task import run_machine
        from stepcheck.executor.tasks import Owner
        from stepcheck.facts.effect import Effect

        world = open_world(place if "://" in place else str(Path(place, "ledger.db")))
        table = {"go": ExecStep(name="go", effect=Effect(effect), call=lambda _params, _ctx: {"ok": True})}
        owner = Owner(process_owner())
        name = f"{effect} {time.time_ns()}"
        drive(run_machine(table, [("go", {"n": 0})], f"warm {name}", owner), world)
        plan = [("go", {"n": number}) for number in range(steps)]
        started = now()
        outcome = drive(run_machine(table, plan, name, owner), world)
        spent = since(started)
        assert outcome.status == "done"
        world.ledger.close()
        return spent

    return run


def dbos(*, forced: bool) -> Callable[[int, str], Spent]:
    def run(steps: int, place: str) -> Spent:
        from dbos import DBOS
        from sqlalchemy import event
        from sqlalchemy.engine import Engine

        on_sqlite = "://" not in place
        if forced and on_sqlite:

            def like_the_ledger(connection: Any, _record: Any) -> None:
                for pragma in ("journal_mode=WAL", "synchronous=FULL", f"wal_autocheckpoint={CHECKPOINT}"):
                    connection.execute(f"PRAGMA {pragma}")

            event.listen(Engine, "connect", like_the_ledger)
        url = (
            f"sqlite:///{place}/dbos.db" if on_sqlite else place.replace("postgresql:", "postgresql+psycopg:")
        )
        DBOS(config={"name": "bench", "system_database_url": url, "log_level": "ERROR"})

        @DBOS.step()
        def go(number: int) -> dict[str, bool]:
            return {"ok": number >= 0}

        @DBOS.workflow()
        def work(count: int) -> int:
            return sum(go(number)["ok"] for number in range(count))

        DBOS.launch()
        work(1)
        started = now()
        done = work(steps)
        spent = since(started)
        assert done == steps
        DBOS.destroy()
        return spent

    return run


CONTENDERS: dict[str, Callable[[int, str], Spent]] = {
    "raw-sqlite": raw_sqlite,
    "raw-postgres": raw_postgres,
    "stepcheck-write": stepcheck("non_idem_write"),
    "stepcheck-read": stepcheck("read"),
    "dbos": dbos(forced=False),
    "dbos-forced": dbos(forced=True),
}

if __name__ == "__main__":
    contender, count, where = sys.argv[1:]
    print(*CONTENDERS[contender](int(count), where), flush=True)
