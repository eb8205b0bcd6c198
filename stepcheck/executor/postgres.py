"""The ledger in PostgreSQL: several workers, one clock, the server's."""

import logging
from collections.abc import Callable, Sequence
from importlib import resources
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from stepcheck.executor.blobs import BlobError, checked
from stepcheck.executor.ledger import (
    Conflict,
    LedgerError,
    LedgerUnavailable,
    OpenTransaction,
    Transaction,
    VolatileStorage,
)
from stepcheck.executor.outputs import digest
from stepcheck.executor.sql import Rows, SqlTransaction

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")

SCHEMA = "1"
SCHEMA_LOCK = 7_380_113_001
"""The advisory lock under which one of several workers lays the schema."""


class PostgresLedger:
    """A ledger in a database, `postgresql://...`; needs psycopg 3 (the extra `postgres`).

    `synchronous_commit` is on where an intent is written and off elsewhere; a later synchronous commit
    syncs all earlier ones. A task's row is locked for the length of each of its transactions.
    """

    def __init__(self, url: str, *, allow_volatile: bool = False) -> None:
        """Connect, and lay the schema in an empty database.

        Raises LedgerUnavailable, VolatileStorage for a server that does not sync, LedgerError.
        """
        try:
            import psycopg  # noqa: PLC0415 - only those who use PostgreSQL have it
        except ImportError:
            raise LedgerError("a ledger in PostgreSQL needs psycopg 3: install stepcheck[postgres]") from None
        self._psycopg = psycopg
        self._url = url
        self._allow_volatile = allow_volatile
        self._lock = RLock()
        self._busy = False
        self._connection: psycopg.Connection[Any] | None = None
        with self._lock:
            self._connect()
            self._prepare()

    def _connect(self) -> "psycopg.Connection[Any]":
        if self._connection is not None and not self._connection.closed:
            return self._connection
        try:
            connection = self._psycopg.connect(self._url, autocommit=True, connect_timeout=10)
            # Bodies are read as text: what they say is the executor's business.
            connection.adapters.register_loader("jsonb", self._psycopg.types.string.TextLoader)
            fsync = connection.execute("SHOW fsync").fetchone()
        except self._psycopg.Error as error:
            raise LedgerUnavailable(f"the ledger's server cannot be reached: {error}") from None
        if fsync == ("off",) and not self._allow_volatile:
            connection.close()
            raise VolatileStorage(
                "the ledger's server runs with fsync off: a power loss forgets every intent"
            )
        self._connection = connection
        return connection

    def _prepare(self) -> None:
        connection = self._connect()
        try:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
                there = connection.execute("SELECT to_regclass('meta')").fetchone()
                if there is None or there[0] is None:
                    schema = resources.files("stepcheck.executor").joinpath("schema_postgres.sql")
                    connection.execute(schema.read_bytes())
            row = connection.execute("SELECT v FROM meta WHERE k = 'schema'").fetchone()
        except self._psycopg.Error as error:
            raise LedgerError(f"the database cannot be used as a ledger: {error}") from None
        if row is None or row[0] != SCHEMA:
            found = row[0] if row else "none"
            raise LedgerError(f"the database has a ledger's schema {found}, and this is for schema {SCHEMA}")

    def transact(self, work: Callable[[Transaction], T], *, durable: bool) -> T:
        """See `Ledger.transact`; a lost connection is opened again by the next transaction."""
        with self._lock:
            if self._busy:
                raise OpenTransaction(
                    "a transaction was asked for inside another one: it would not be committed"
                )
            self._busy = True
            try:
                return self._run(work, durable)
            except self._psycopg.IntegrityError as error:
                raise Conflict(str(error)) from error
            except self._psycopg.Error as error:
                raise LedgerUnavailable(f"the ledger's server broke off: {error}") from error
            finally:
                self._busy = False

    def _run(self, work: Callable[[Transaction], T], durable: bool) -> T:
        connection = self._connect()

        def execute(sql: str, values: Sequence[object]) -> Rows:
            return connection.execute(sql.replace("?", "%s").encode(), values)

        def wall_ms() -> int:
            row = connection.execute(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
            ).fetchone()
            assert row is not None
            return int(row[0])

        connection.execute(f"BEGIN; SET LOCAL synchronous_commit TO {'on' if durable else 'off'}")
        try:
            result = work(SqlTransaction(execute, wall_ms, " FOR UPDATE"))
            connection.execute("COMMIT")
        except BaseException:
            self._take_back(connection)
            raise
        return result

    def _take_back(self, connection: "psycopg.Connection[Any]") -> None:
        try:
            connection.execute("ROLLBACK")
        except self._psycopg.Error as error:
            logging.getLogger(__name__).debug("the rollback did not reach the server: %s", error)
            connection.close()

    def put(self, data: bytes) -> str:
        """See `Blobs.put`: long outputs are in the same database, where every worker reads them."""
        name = digest(data)
        with self._lock:
            try:
                # A statement of its own commits as the server does by default, so it is asked for durability.
                self._connect().execute("SET synchronous_commit TO on")
                sql = "INSERT INTO blob (sha256, data) VALUES (%s, %s) ON CONFLICT (sha256) DO NOTHING"
                self._connect().execute(sql, (name, data))
            except (self._psycopg.Error, LedgerError) as error:
                raise BlobError(f"the output could not be stored in the ledger's database: {error}") from None
        return name

    def get(self, sha256: str) -> bytes:
        """See `Blobs.get`."""
        with self._lock:
            try:
                sql = "SELECT data FROM blob WHERE sha256 = %s"
                row = self._connect().execute(sql, (sha256,)).fetchone()
            except (self._psycopg.Error, LedgerError) as error:
                raise BlobError(f"the output {sha256} could not be read: {error}") from None
        return checked(None if row is None else bytes(row[0]), sha256)

    def close(self) -> None:
        """See `Ledger.close`."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
