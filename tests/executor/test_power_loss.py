"""Power loss, modelled: files go back to their last sync, and no acknowledged intent is lost."""

from pathlib import Path
from typing import Any

import pytest

from stepcheck.executor.sqlite import SqliteLedger
from tests.executor.simulated import Simulation, step

apsw = pytest.importorskip(
    "apsw", reason="apsw is not installed: it lets a test stand between SQLite and its files"
)


class Disk(apsw.VFS):  # type: ignore[misc]
    """Files as a disk has them: `durable` is what a power loss leaves."""

    def __init__(self, name: str) -> None:
        self.durable: dict[str, bytes] = {}
        super().__init__(name, "unix")

    def xOpen(self, name: Any, flags: list[int]) -> "DiskFile":  # noqa: N802 - SQLite's names
        return DiskFile(self, name, flags)


class DiskFile(apsw.VFSFile):  # type: ignore[misc]
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if hasattr(name, "filename") else str(name)
        super().__init__("unix", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self.disk.durable[self.path] = Path(self.path).read_bytes()


class ApswLedger(SqliteLedger):
    """The same ledger over a connection whose files are on the modelled disk."""

    disk = Disk("modelled-disk")

    def _connect(self) -> Any:
        connection = apsw.Connection(
            str(self.path), vfs=self.disk.vfs_name if hasattr(self.disk, "vfs_name") else "modelled-disk"
        )
        connection.setbusytimeout(1_000)
        return connection


def after_power_loss(ledger: ApswLedger, folder: Path) -> SqliteLedger:
    """What is left when the power goes at this moment, opened again."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        data = ledger.disk.durable.get(f"{ledger.path}{suffix}")
        if data is not None:
            (folder / f"ledger.db{suffix}").write_bytes(data)
    return SqliteLedger(folder / "ledger.db")


def kinds(ledger: SqliteLedger) -> list[str]:
    events = ledger.transact(lambda tx: tx.events("t1"), durable=False)
    return [f"{event.kind} {event.step_path}" for event in events]


def test_at_every_operation_a_power_loss_keeps_every_intent_and_all_before_it(tmp_path: Path) -> None:
    ledger = ApswLedger(tmp_path / "ledger.db")
    pay = Simulation({"pay": step("pay"), "look": step("look", "read")}, ledger=ledger)
    checked = 0
    do = pay._do

    def watched(op: Any) -> Any:
        nonlocal checked
        answer = do(op)
        label = getattr(op, "label", type(op).__name__)
        if label in ("call_intent", "Call", "acked", "done"):
            checked += 1
            left = after_power_loss(ledger, tmp_path / f"loss-{checked}")
            known, kept = kinds(ledger), kinds(left)
            intended = max(index for index, kind in enumerate(known) if kind.startswith("call_intent"))
            assert kept == known[: len(kept)]
            assert len(kept) > intended, (label, kept, known)
            left.close()
        return answer

    pay._do = watched  # type: ignore[method-assign]
    plan = [("pay", {"n": 1}), ("look", {"n": 1}), ("pay", {"n": 2}), ("pay", {"n": 3})]
    assert [outcome.state for outcome in pay.run_task(plan).steps] == ["DONE"] * 4
    ledger.close()
    assert checked == 3 * 3 + 2


def test_the_model_of_the_disk_does_forget_what_was_not_synced(tmp_path: Path) -> None:
    ledger = ApswLedger(tmp_path / "ledger.db")
    pay = Simulation({"look": step("look", "read")}, ledger=ledger)
    pay.run("look")
    left = after_power_loss(ledger, tmp_path / "loss")
    assert (kinds(ledger), kinds(left)) == (["planned 1", "done 1"], [])
    left.close()
    ledger.close()
