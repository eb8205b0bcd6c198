"""What keeps things: blobs, the file systems a ledger refuses, and who is alive."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepcheck.executor.blobs import BlobError, FolderBlobs, MemoryBlobs
from stepcheck.executor.ledger import LedgerError, VolatileStorage
from stepcheck.executor.opening import open_world
from stepcheck.executor.owner import is_dead, process_owner
from stepcheck.executor.sqlite import SqliteLedger
from stepcheck.executor.storage import refuse_volatile

MOUNTS = """\
/dev/sda / ext4 rw 0 0
tmpfs /run tmpfs rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/local xfs rw 0 0
tmpfs /with\\040space tmpfs rw 0 0
"""


def test_a_blob_is_read_back_under_its_digest(tmp_path: Path) -> None:
    for blobs in (FolderBlobs(tmp_path / "blobs"), MemoryBlobs()):
        name = blobs.put(b"long")
        assert blobs.put(b"long") == name
        assert blobs.get(name) == b"long"
        with pytest.raises(BlobError, match="is not there"):
            blobs.get("0" * 64)


def test_postgres_keeps_long_outputs_for_every_worker(database: str) -> None:
    world, other = open_world(database), open_world(database)
    name = world.blobs.put(b"long" * 5_000)
    assert world.blobs.put(b"long" * 5_000) == name
    assert other.blobs.get(name) == b"long" * 5_000
    with pytest.raises(BlobError, match="is not there"):
        other.blobs.get("0" * 64)
    for each in (world, other):
        each.ledger.close()
    world.blobs.put(b"after the connection was closed")
    world.ledger.close()


def test_a_place_is_a_file_or_a_url(tmp_path: Path) -> None:
    world = open_world(str(tmp_path / "ledger.db"))
    name = world.blobs.put(b"long")
    assert (tmp_path / "ledger.db.blobs" / name[:2] / name).read_bytes() == b"long"
    world.ledger.close()
    with pytest.raises(LedgerError, match="'mysql://x' is no place for a ledger"):
        open_world("mysql://x")


def test_a_server_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(LedgerError, match="the ledger's server cannot be reached") as error:
        open_world(f"postgresql://nobody@/none?host={tmp_path}")
    assert error.value.__cause__ is None


def test_a_torn_blob_is_refused(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    name = blobs.put(b"long")
    (tmp_path / name[:2] / name).write_bytes(b"lo")
    with pytest.raises(BlobError, match="differs from its digest"):
        blobs.get(name)


def test_a_blob_is_synced_before_it_is_renamed_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, rename = os.fsync, Path.rename

    def fsync(handle: int) -> None:
        target = Path(f"/proc/self/fd/{handle}").readlink()
        done.append("sync folder" if target.is_dir() else "sync file")
        sync(handle)

    def renamed(self: Path, target: Path) -> Path:
        done.append("rename")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "rename", renamed)
    FolderBlobs(tmp_path).put(b"long")
    assert done == ["sync file", "rename", "sync folder", "sync folder"]


def test_a_store_that_cannot_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = FolderBlobs(tmp_path)

    def full(handle: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BlobError, match="no space left"):
        blobs.put(b"long")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("/run/x/ledger", "is on tmpfs, which is in memory: a power loss forgets every intent"),
        ("/home/ann", "is on nfs4: SQLite's locks and syncs do not hold over a network"),
        ("/with space/x", "is on tmpfs"),
    ],
)
def test_a_file_system_that_forgets_is_refused(place: str, message: str) -> None:
    with pytest.raises(VolatileStorage, match=message):
        refuse_volatile(Path(place), MOUNTS)


@pytest.mark.parametrize("place", ["/var/lib", "/home/local/ann", "/runner"])
def test_a_file_system_that_keeps_is_taken(place: str) -> None:
    refuse_volatile(Path(place), MOUNTS)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no file system in memory here")
def test_a_ledger_in_memory_is_refused_unless_told_otherwise() -> None:
    place = Path("/dev/shm") / f"stepcheck-{os.getpid()}.db"
    try:
        with pytest.raises(VolatileStorage):
            SqliteLedger(place)
        assert not place.exists()
        SqliteLedger(place, allow_volatile=True).close()
    finally:
        for path in place.parent.glob(f"{place.name}*"):
            path.unlink()


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, and long enough to be taken for one" * 20)
    with pytest.raises(LedgerError, match="cannot be used as a ledger: file is not a database"):
        SqliteLedger(tmp_path / "notes.txt")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be opened"):
        SqliteLedger(tmp_path / "no" / "ledger.db")


def test_a_living_process_is_not_dead_and_a_gone_one_is() -> None:
    assert not is_dead(process_owner())
    code = "from stepcheck.executor.owner import process_owner; print(process_owner())"
    gone = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert is_dead(gone)


@pytest.mark.parametrize("name", ["w0", "otherhost/12ab-1/1/1", ""])
def test_of_other_owners_only_the_lease_can_tell(name: str) -> None:
    assert not is_dead(name)
