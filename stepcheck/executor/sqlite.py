"""The embedded ledger: one SQLite file, one machine."""

import sqlite3
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from threading import RLock
from typing import TypeVar

from stepcheck.executor.clock import wall_ms
from stepcheck.executor.ledger import Conflict, LedgerError, LedgerUnavailable, OpenTransaction, Transaction
from stepcheck.executor.sql import SqlTransaction
from stepcheck.executor.storage import refuse_volatile

T = TypeVar("T")

SCHEMA = "1"


class SqliteLedger:
    """A ledger in a file, in WAL mode: `synchronous` is FULL where an intent is written, and NORMAL
    elsewhere.

    A later FULL commit syncs all earlier ones, so that a plan or a `done` is on the disk before any intent
    that depends on it. It owns its connection, so that no outer transaction can take a commit back.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        allow_volatile: bool = False,
        clock: Callable[[], int] = wall_ms,
        busy_seconds: float = 30.0,
    ) -> None:
        """Open the file, and lay the schema in a new one.

        Raises VolatileStorage for a file system that forgets, LedgerError for a file that is no ledger.
        """
        self.path = Path(path)
        if not allow_volatile:
            refuse_volatile(self.path.parent)
        self._clock = clock
        self._lock = RLock()
        self._durable = True
        self._busy_seconds = busy_seconds
        try:
            self._connection = self._connect()
        except sqlite3.Error as error:
            raise LedgerUnavailable(f"the ledger '{self.path}' cannot be opened: {error}") from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise LedgerError(f"'{self.path}' cannot be used as a ledger: {error}") from None
        except BaseException:
            self._connection.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self.path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )

    def _prepare(self) -> None:
        execute = self._connection.execute
        mode = execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise LedgerError(f"'{self.path}' cannot be used as a ledger: its journal stays in mode '{mode}'")
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA foreign_keys=ON")
        # A checkpoint costs three fsyncs: at 16 MiB of log it comes every hundred steps, not every thirty.
        execute("PRAGMA wal_autocheckpoint=4096")
        execute("BEGIN IMMEDIATE")
        try:
            if not execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
                self._lay_schema()
            execute("COMMIT")
        except BaseException:
            execute("ROLLBACK")
            raise
        row = execute("SELECT v FROM meta WHERE k = 'schema'").fetchone()
        if row is None or row[0] != SCHEMA:
            found = row[0] if row else "none"
            raise LedgerError(f"'{self.path}' has a ledger's schema {found}, and this is for schema {SCHEMA}")

    def _lay_schema(self) -> None:
        text = resources.files("stepcheck.executor").joinpath("schema_sqlite.sql").read_text(encoding="utf-8")
        statement = ""
        for line in text.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                self._connection.execute(statement)
                statement = ""

    def transact(self, work: Callable[[Transaction], T], *, durable: bool) -> T:
        """See `Ledger.transact`; a durable commit costs one fsync, any other none."""
        with self._lock:
            if self._connection.in_transaction:
                raise OpenTransaction(
                    "a transaction was asked for inside another one: it would not be committed"
                )
            try:
                return self._run(work, durable)
            except sqlite3.IntegrityError as error:
                raise Conflict(str(error)) from error
            except sqlite3.Error as error:
                raise LedgerUnavailable(f"the ledger '{self.path}' broke off: {error}") from error

    def _run(self, work: Callable[[Transaction], T], durable: bool) -> T:
        execute = self._connection.execute
        if durable != self._durable:
            execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._durable = durable
        execute("BEGIN IMMEDIATE")
        try:
            result = work(SqlTransaction(execute, self._clock))
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        return result

    def close(self) -> None:
        """See `Ledger.close`."""
        with self._lock:
            self._connection.close()
