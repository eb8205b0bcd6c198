"""Real processes, real ledgers: killed at every operation, paused past a lease, their server stopped."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepcheck.executor.ledger import Ledger
from stepcheck.executor.verify import verify
from tests.executor.child import open_ledger
from tests.executor.server import Server

PLAN = ["look", "reserve", "post", "notify"]
OPERATIONS = 25
"""Of the whole task, when nothing goes wrong; counted by the first test."""


def start(ledger: str, world: Path, **how: Any) -> "subprocess.Popen[str]":
    told = json.dumps({"task": "t1", "plan": PLAN, **how})
    command = [sys.executable, "-m", "tests.executor.child", ledger, str(world), told]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(ledger: str, world: Path, **how: Any) -> tuple[int, str]:
    process = start(ledger, world, **how)
    output, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors
    return process.returncode, output.strip()


@pytest.fixture(scope="module")
def forked() -> Iterator[Any]:
    """Runs a worker as `run` does, in a process forked off one that has all imported."""
    command = [sys.executable, "-m", "tests.executor.child"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    ask, answers = server.stdin, server.stdout

    def run_forked(ledger: str, world: Path, **how: Any) -> tuple[int, str]:
        told = json.dumps({"task": "t1", "plan": PLAN, **how})
        ask.write(json.dumps([ledger, str(world), told]) + "\n")
        ask.flush()
        code, output = json.loads(answers.readline())
        assert "Traceback" not in output, output
        return code, output.strip()

    yield run_forked
    ask.close()
    server.wait(timeout=60)
    answers.close()


def effects(world: Path) -> Counter[str]:
    lines = world.read_text().splitlines() if world.exists() else []
    return Counter(json.loads(line)["step"] for line in lines)


def checked(ledger: Ledger) -> tuple[list[str], list[str], list[str]]:
    """States, open inbox steps and kinds of the task, after the check that nothing differs from the log."""

    def work(tx: Any) -> tuple[list[str], list[str], list[str]]:
        assert verify(tx, "t1") == []
        steps = tx.steps("t1")
        waiting = [row.step_name for row in steps for item in tx.items("t1") if item.step_seq == row.step_seq]
        return [row.state for row in steps], waiting, [str(event.kind) for event in tx.events("t1")]

    try:
        return ledger.transact(work, durable=False)
    finally:
        ledger.close()


def killed_everywhere(
    run: Any, place: Any, folder: Path, plan: list[str], operations: int, **how: Any
) -> Counter[str]:
    """Kill the worker before its n-th operation for every n, run it again; return how the tasks ended."""
    ends: Counter[str] = Counter()
    # There is no operation after the last: the count leaves none out.
    assert run(place(operations), folder / "world-all.jsonl", plan=plan, kill_at=operations, **how)[0] == 0
    for number in range(operations):
        ledger, world = place(number), folder / f"world-{number}.jsonl"
        code, _ = run(ledger, world, plan=plan, kill_at=number, **how)
        assert code == -signal.SIGKILL
        code, output = run(ledger, world, plan=plan, **how)
        assert code == 0
        assert run(ledger, world, plan=plan, **how)[1] == output
        states, waiting, kinds = checked(open_ledger(ledger))
        assert max(effects(world).values(), default=0) <= 1, (number, effects(world))
        sent = sum(kind in ("call_intent", "comp_intent") for kind in kinds)
        assert sum(effects(world).values()) <= sent
        assert all(
            state in ("DONE", "FAILED", "COMPENSATED", "NEEDS_HUMAN", "COMP_NEEDS_HUMAN") for state in states
        )
        assert len(waiting) == sum(state.endswith("NEEDS_HUMAN") for state in states)
        ends[json.loads(output)["status"]] += 1
    return ends


@pytest.fixture
def places(tmp_path: Path) -> Any:
    return lambda number: str(tmp_path / f"ledger-{number}.db")


@pytest.fixture
def schemas(postgres: Server) -> Any:
    made: list[str] = []

    def place(_number: int) -> str:
        made.append(postgres.create())
        return postgres.url(made[-1])

    yield place
    for name in made:
        postgres.drop(name)


def test_a_task_that_nobody_kills_is_done_with_one_effect_a_write(places: Any, tmp_path: Path) -> None:
    code, output = run(places(0), tmp_path / "world.jsonl")
    assert (code, json.loads(output)) == (0, {"status": "done", "steps": ["DONE"] * 4})
    assert effects(tmp_path / "world.jsonl") == {"reserve": 1, "post": 1, "notify": 1}
    code, output = run(places(1), tmp_path / "world.jsonl", kill_at=OPERATIONS - 1)
    assert code == -signal.SIGKILL
    assert run(places(2), tmp_path / "world.jsonl", kill_at=OPERATIONS)[0] == 0


def test_killed_before_any_operation_a_task_on_sqlite_has_at_most_one_effect_a_write(
    forked: Any, places: Any, tmp_path: Path
) -> None:
    # A person decides after 'reserve' was intended and not sent, and between intent and answer of 'notify'.
    assert killed_everywhere(forked, places, tmp_path, PLAN, OPERATIONS) == {"done": 22, "halted": 3}


def test_killed_before_any_operation_a_compensation_on_sqlite_has_at_most_one_effect(
    forked: Any, places: Any, tmp_path: Path
) -> None:
    plan = ["reserve", "notify"]
    ends = killed_everywhere(forked, places, tmp_path, plan, 23, refuses=["notify"])
    assert ends == {"compensated": 19, "halted": 3, "compensating": 1}


def test_killed_before_any_operation_a_task_on_postgres_has_at_most_one_effect_a_write(
    forked: Any, schemas: Any, tmp_path: Path
) -> None:
    assert killed_everywhere(forked, schemas, tmp_path, PLAN, OPERATIONS) == {"done": 22, "halted": 3}


@pytest.mark.parametrize("at", ["call_intent", "Call", "acked"])
def test_an_owner_that_is_stopped_past_its_lease_adds_evidence_and_nothing_else(
    places: Any, tmp_path: Path, at: str
) -> None:
    paused_past_its_lease(places(0), tmp_path / "world.jsonl", at)


@pytest.mark.parametrize("at", ["call_intent", "Call", "acked"])
def test_on_postgres_an_owner_that_is_stopped_past_its_lease_adds_evidence_and_nothing_else(
    database: str, tmp_path: Path, at: str
) -> None:
    paused_past_its_lease(database, tmp_path / "world.jsonl", at)


def paused_past_its_lease(ledger: str, world: Path, at: str) -> None:
    plan = ["notify"]
    first = start(ledger, world, plan=plan, pause_at=at, lease_ms=50)
    assert first.stdout is not None
    assert first.stdout.readline() == "paused\n"
    opened = open_ledger(ledger)
    # The lease covers the call it was taken for; it is cut short here so that the test need not wait it out.
    opened.transact(lambda tx: tx.touch("t1", 0, 0), durable=False)
    opened.close()
    code, output = run(ledger, world, plan=plan)
    assert code == 0
    first.send_signal(signal.SIGCONT)
    said, errors = first.communicate(timeout=60)
    assert (first.returncode, said.strip(), errors) == (3, "Fenced", "")
    states, waiting, kinds = checked(open_ledger(ledger))
    assert effects(world) == {"notify": 1}
    if at == "call_intent":
        assert json.loads(output)["status"] == "done"
    else:
        assert json.loads(output)["steps"] == ["NEEDS_HUMAN"]
        assert kinds == ["planned", "call_intent", "uncertain", "needs_human", "late_evidence", "done"]
    assert (states, waiting) == (["DONE"], [])


@pytest.mark.parametrize("at", ["planned", "call_intent", "Call", "acked", "done"])
def test_a_server_that_stops_at_once_loses_no_intent(tmp_path: Path, at: str, stoppable: Server) -> None:
    name = stoppable.create()
    ledger, world = stoppable.url(name), tmp_path / "world.jsonl"
    worker = start(ledger, world, plan=["reserve"], pause_at=at)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "paused\n"
    stoppable.stop("immediate")
    worker.send_signal(signal.SIGCONT)
    said, errors = worker.communicate(timeout=60)
    assert (said.strip(), "Traceback" in errors) == ("LedgerUnavailable", False)
    stoppable.start()
    code, output = run(ledger, world, plan=["reserve"])
    assert code == 0
    states, waiting, kinds = checked(open_ledger(ledger))
    assert effects(world)["reserve"] == 1
    assert kinds.count("call_intent") == 1
    assert (states, waiting) == (["DONE"], [])
    assert json.loads(output)["status"] == "done"
    stoppable.drop(name)


@pytest.fixture(scope="module")
def stoppable(postgres: Server) -> Any:
    server = Server()
    server.start()
    yield server
    server.remove()
