"""A private PostgreSQL server for the tests that want one, and the three ledgers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.executor.server import Server, missing


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    if why := missing():
        pytest.skip(why)
    server = Server()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    from stepcheck.executor.memory import MemoryLedger
    from stepcheck.executor.sqlite import SqliteLedger

    made: Any
    if request.param == "memory":
        made = MemoryLedger()
    elif request.param == "sqlite":
        made = SqliteLedger(tmp_path / "ledger.db")
    else:
        from stepcheck.executor.postgres import PostgresLedger

        made = PostgresLedger(request.getfixturevalue("database"))
    yield made
    made.close()
