"""A worker in a process of its own: runs one task, and goes before its n-th operation. Effects go to a
world file.

`python -m tests.executor.child LEDGER WORLD HOW`, with HOW as JSON: task, plan, table, kill_at, loses,
pause_at, owner.
"""

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from stepcheck.executor.answers import Ambiguous, Definite, Found
from stepcheck.executor.blobs import FolderBlobs
from stepcheck.executor.drivers import World, drive
from stepcheck.executor.ledger import Fenced, Ledger, LedgerError
from stepcheck.executor.ops import CallContext, Machine, Txn
from stepcheck.executor.owner import is_dead, process_owner
from stepcheck.executor.step import Backoff, DedupePromise, ExecStep
from stepcheck.executor.task import run_machine
from stepcheck.executor.tasks import Owner
from stepcheck.facts.effect import Effect


class Other:
    """The other side: a file to which every effect is added and synced before any answer."""

    def __init__(self, path: Path, loses: list[str], refuses: list[str]) -> None:
        self.path, self.loses, self.refuses = path, loses, refuses

    def effects(self) -> list[dict[str, str]]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def send(self, name: str, key: str, *, honours: bool) -> dict[str, str]:
        if name in self.refuses:
            raise Definite(f"{name} is refused")
        effect = {"step": name, "key": key}
        if not (honours and effect in self.effects()):
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            os.write(handle, (json.dumps(effect) + "\n").encode())
            os.fsync(handle)
            os.close(handle)
        if name in self.loses:
            raise Ambiguous("no answer")
        return effect

    def find(self, name: str, key: str) -> Any:
        effect = {"step": name, "key": key}
        return Found(effect) if effect in self.effects() else None


def table(other: Other) -> dict[str, ExecStep]:
    def call(name: str, honours: bool = False) -> Any:
        return lambda _params, ctx: other.send(name, ctx.idempotency_key, honours=honours)

    def with_paper(_params: object, ctx: CallContext) -> dict[str, str]:
        """Answer at a length that the event does not hold, so that it is stored before the step is done."""
        return {**other.send("reserve", ctx.idempotency_key, honours=False), "paper": "x" * 5_000}

    def query(name: str) -> Any:
        return lambda _params, ctx: other.find(name, ctx.idempotency_key)

    release = ExecStep(
        name="release", effect=Effect.NON_IDEM_WRITE, call=call("release"), query=query("release")
    )
    steps = (
        ExecStep(name="look", effect=Effect.READ, call=lambda _params, _ctx: {"rows": 2}),
        ExecStep(
            name="reserve",
            effect=Effect.NON_IDEM_WRITE,
            call=with_paper,
            query=query("reserve"),
            compensation=release,
            compensate_within_ms=3_600_000,
        ),
        ExecStep(
            name="post",
            effect=Effect.IDEM_WRITE,
            call=call("post", honours=True),
            dedupe=DedupePromise(),
            backoff=Backoff(0, 0),
        ),
        ExecStep(name="notify", effect=Effect.NON_IDEM_WRITE, call=call("notify")),
    )
    return {step.name: step for step in steps}


def dying(machine: Machine[Any], kill_at: int | None, pause_at: str | None) -> Machine[Any]:
    """Pass a machine's operations on; go, or stop until somebody says go on, before one of them."""
    answer: Any = None
    number = 0
    error: Exception | None = None
    while True:
        try:
            op = machine.send(answer) if error is None else machine.throw(error)
        except StopIteration as end:
            return end.value
        if number == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        if pause_at in (op.label if isinstance(op, Txn) else "", type(op).__name__):
            pause_at = None
            print("paused", flush=True)
            os.kill(os.getpid(), signal.SIGSTOP)
        number += 1
        answer, error = None, None
        try:
            answer = yield op
        except Exception as raised:
            error = raised


def open_ledger(where: str) -> Ledger:
    if where.startswith("postgresql:"):
        from stepcheck.executor.postgres import PostgresLedger

        return PostgresLedger(where)
    from stepcheck.executor.sqlite import SqliteLedger

    return SqliteLedger(where)


def main(where: str, world: str, told: str) -> int:
    how = json.loads(told)
    other = Other(Path(world), how.get("loses", []), how.get("refuses", []))
    ledger = open_ledger(where)
    owner = Owner(process_owner(), how.get("lease_ms", 60_000), is_dead)
    plan = [(name, {"order": "A-1"}) for name in how["plan"]]
    machine = run_machine(table(other), plan, how["task"], owner)
    try:
        outcome = drive(
            dying(machine, how.get("kill_at"), how.get("pause_at")),
            World(ledger, FolderBlobs(Path(world).parent / "blobs")),
        )
    except (Fenced, LedgerError) as error:
        print(type(error).__name__, flush=True)
        return 3
    print(json.dumps({"status": outcome.status, "steps": [str(step.state) for step in outcome.steps]}))
    return 0


def serve() -> None:
    """Run a worker for each line of JSON on stdin, each in a process forked off this one."""
    for line in sys.stdin:
        source, sink = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(source)
            os.dup2(sink, 1)
            os.dup2(sink, 2)
            code = 70
            try:
                code = main(*json.loads(line))
                sys.stdout.flush()
            except BaseException:
                traceback.print_exc()
            os._exit(code)
        os.close(sink)
        with os.fdopen(source) as said:
            output = said.read()
        _, status = os.waitpid(pid, 0)
        print(json.dumps([os.waitstatus_to_exitcode(status), output]), flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else serve())
