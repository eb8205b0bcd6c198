"""The reconciliation, run by `stepcheck run` in processes that are killed at every operation."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stepcheck.running import contents
from stepcheck.running.places import DEFAULT, ledger_that_is_there

ROOT = Path(__file__).parents[2]
STEPS = ROOT / "fixtures" / "reconciliation" / "right" / "reconciliation" / "steps.py"
KINDS = {
    "create_adjustment": "slip",
    "submit_for_approval": "approval",
    "notify_people": "message",
    "post_to_book": "entry",
    "archive_report": "report",
}
ONE_EACH = dict.fromkeys(KINDS.values(), 1)
OPERATIONS = 36
"""Of the whole task, when nothing goes wrong; counted by the first test."""
MATCHES = [{"order": "ORD-7002", "amount": -500}, {"order": "ORD-7003", "amount": 4500}]
DIFFERENCES = [
    {"order": "ORD-7002", "owed": 8950, "paid": 8450},
    {"order": "ORD-7003", "owed": 120500, "paid": 125000},
    {"order": "ORD-7004", "owed": 6000, "paid": 0},
]
PERIOD = {"period": "2026-09"}
PARAMS = {
    "find_differences": PERIOD,
    "match_orders": {**PERIOD, "differences": DIFFERENCES},
    "create_adjustment": {**PERIOD, "matches": MATCHES},
    "submit_for_approval": {**PERIOD, "approver": "accounts-lead"},
    "notify_people": {**PERIOD, "people": ["accounts", "sales"]},
    "post_to_book": {**PERIOD, "matches": MATCHES, "account": "4410"},
    "archive_report": PERIOD,
}


class Place:
    """A folder with its params, ledger and world."""

    def __init__(self, folder: Path, loses: str = "") -> None:
        folder.mkdir()
        self.folder, self.world = folder, folder / "world.jsonl"
        (folder / "params.json").write_text(json.dumps(PARAMS))
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "RECONCILIATION_WORLD": str(self.world),
            "RECONCILIATION_LOSES": loses,
        }

    def process(self, module: Sequence[str], arguments: Sequence[str]) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", *module, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stderr == "", done.stderr
        return done.returncode, done.stdout

    def run(self, kill_at: int | None = None) -> int:
        module = ["stepcheck"] if kill_at is None else ["tests.running.killed", str(kill_at)]
        return self.process(module, ["run", str(STEPS), "--task", "t1", "--params", "params.json"])[0]

    def differences(self) -> tuple[str, ...]:
        with ledger_that_is_there(str(self.folder / DEFAULT)) as world:
            return contents.check(world.ledger, None).wrong

    def effects(self) -> Counter[str]:
        lines = self.world.read_text().splitlines() if self.world.exists() else []
        return Counter(json.loads(line)["kind"] for line in lines)

    def ask_person(self) -> int:
        """Do what a person does: look at the world, and say of each item what is there."""
        with ledger_that_is_there(str(self.folder / DEFAULT)) as world:
            items = contents.inbox(world.ledger, None)
        for each in items:
            happened = self.effects()[KINDS[each.state.step_name]] > 0
            said = "it_happened" if happened else "it_did_not_happen"
            word = ["ledger", "resolve", str(each.item.item_id), said, "--by", "a person"]
            word += ["--evidence", "the world's file"]
            word += [] if happened else ["--table", str(STEPS)]
            assert self.process(["stepcheck"], word)[0] == 0
        return len(items)


def killed_and_resumed(place: Place, kill_at: int) -> str:
    """Kill the run before one operation, run it again to its end; return how it came to its end."""
    assert place.run(kill_at) == -signal.SIGKILL
    code = place.run()
    how = "alone"
    if code == 4:
        assert place.ask_person() == 1
        code, how = place.run(), "after a person's word"
    assert (code, place.effects()) == (0, ONE_EACH), kill_at
    assert place.differences() == ()
    return how


def everywhere(folder: Path, points: Sequence[int], loses: str = "") -> Counter[str]:
    with ThreadPoolExecutor(2) as pool:
        return Counter(
            pool.map(lambda number: killed_and_resumed(Place(folder / str(number), loses), number), points)
        )


def test_the_task_is_done_with_one_effect_a_write_and_a_second_run_adds_none(tmp_path: Path) -> None:
    place = Place(tmp_path / "plain")
    assert (place.run(kill_at=OPERATIONS), place.effects()) == (0, ONE_EACH)
    assert (place.run(), place.effects()) == (0, ONE_EACH)
    assert Place(tmp_path / "last").run(kill_at=OPERATIONS - 1) == -signal.SIGKILL


def test_killed_before_any_operation_the_task_is_done_with_one_effect_a_write(tmp_path: Path) -> None:
    # A person is asked where an intent is there and no effect (three writes with a query, and the message),
    # and where the message was sent and its answer not recorded.
    assert everywhere(tmp_path, range(OPERATIONS)) == {"alone": 31, "after a person's word": 5}


def test_a_lost_answer_is_found_by_query_or_sent_again_with_its_key(tmp_path: Path) -> None:
    place = Place(tmp_path / "lost", "slip,approval,entry,report")
    assert (place.run(), place.effects()) == (0, ONE_EACH)


def test_killed_while_answers_are_lost_the_task_is_done_with_one_effect_a_write(tmp_path: Path) -> None:
    ends = everywhere(tmp_path, (12, 13, 15, 21, 28, 35, 41, 50), "slip,approval,entry,report")
    assert ends == {"alone": 6, "after a person's word": 2}


@pytest.mark.parametrize("answer", ["it_happened", "it_did_not_happen"])
def test_a_message_without_an_answer_waits_for_a_person(tmp_path: Path, answer: str) -> None:
    place = Place(tmp_path / "message", "message")
    assert (place.run(), place.run(), place.effects()["message"]) == (4, 4, 1)
    if answer == "it_did_not_happen":
        kept = [line for line in place.world.read_text().splitlines() if '"message"' not in line]
        place.world.write_text("".join(f"{line}\n" for line in kept))
    assert place.ask_person() == 1
    assert place.run() == (0 if answer == "it_happened" else 4)
