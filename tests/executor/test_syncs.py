"""What a step costs: one fsync where a write is intended, none for a read. Counted by the kernel."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STEPS = 30

PROGRAM = """
import sys
from stepcheck.executor.blobs import MemoryBlobs
from stepcheck.executor.drivers import World, drive
from stepcheck.executor.sqlite import SqliteLedger
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import run_machine
from stepcheck.executor.tasks import Owner
from stepcheck.facts.effect import Effect

step = ExecStep(name="go", effect=Effect(sys.argv[2]), call=lambda params, ctx: {"ok": True})
world = World(SqliteLedger(sys.argv[1]), MemoryBlobs())
for task, steps in (("warm", 1), ("t1", int(sys.argv[3]))):
    plan = [("go", {"n": number}) for number in range(steps)]
    assert drive(run_machine({"go": step}, plan, task, Owner("w0")), world).status == "done"
"""


def syncs(folder: Path, effect: str, steps: int) -> int:
    trace = folder / f"{effect}-{steps}.trace"
    command = ["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(trace), sys.executable, "-c", PROGRAM]
    subprocess.run(
        [*command, str(folder / f"{effect}-{steps}.db"), effect, str(steps)], check=True, timeout=120
    )
    return sum("fsync(" in line or "fdatasync(" in line for line in trace.read_text().splitlines())


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed: it counts the syncs")
@pytest.mark.parametrize(("effect", "each"), [("read", 0), ("idem_write", 1), ("non_idem_write", 1)])
def test_a_write_step_costs_one_fsync_and_a_read_step_none(tmp_path: Path, effect: str, each: int) -> None:
    # The difference of two lengths leaves out what opening, closing and the last checkpoint cost.
    assert syncs(tmp_path, effect, 1 + STEPS) - syncs(tmp_path, effect, 1) == each * STEPS
