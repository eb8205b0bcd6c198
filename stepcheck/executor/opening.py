"""Where a ledger is, as one writes it on a command line, and what opens it."""

from pathlib import Path

from stepcheck.executor.blobs import FolderBlobs
from stepcheck.executor.drivers import World
from stepcheck.executor.ledger import LedgerError
from stepcheck.executor.sqlite import SqliteLedger


def open_world(place: str, *, allow_volatile: bool = False) -> World:
    """Open a ledger with its blobs: a file, which is SQLite's, or a `postgresql://` URL.

    A file's long outputs are in the folder beside it, named like it with `.blobs`; a database keeps its own.
    Raises LedgerError.
    """
    if place.startswith(("postgresql://", "postgres://")):
        from stepcheck.executor.postgres import PostgresLedger  # noqa: PLC0415 - needs an extra

        database = PostgresLedger(place, allow_volatile=allow_volatile)
        return World(database, database)
    if "://" in place:
        raise LedgerError(f"'{place}' is no place for a ledger: give a file, or a postgresql:// URL")
    path = Path(place)
    ledger = SqliteLedger(path, allow_volatile=allow_volatile)
    return World(ledger, FolderBlobs(path.with_name(f"{path.name}.blobs")))
