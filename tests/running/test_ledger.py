"""`stepcheck ledger`: the log, the inbox, a person's word, and the check against the log."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from tests.executor.server import Server, missing
from tests.running.conftest import LOOK, MAIL, PAY

RUN = ("run", "steps.json", "--task", "t1")
FIELDS = [
    "task_id",
    "step_seq",
    "step_name",
    "status",
    "input_hash",
    "output_ref",
    "started_at",
    "finished_at",
    "effect_class",
    "idempotency_key",
]
WAITS = {**MAIL, "call": "tests.running.calls.pay_unheard"}
WORD = ("--by", "Li Wei", "--evidence", "seen in the channel")

Call = Callable[..., Result]
Write = Callable[..., None]


@pytest.fixture
def waiting(stepcheck: Call, table: Write) -> None:
    """Task t1: a read that is done, a message that waits, and a payment not begun."""
    table(look=LOOK, mail=WAITS, pay=PAY)
    assert stepcheck(*RUN).exit_code == 4


@pytest.mark.usefixtures("waiting")
def test_the_log_has_every_event_with_its_ten_fields(stepcheck: Call) -> None:
    shown = stepcheck("ledger", "log", "--output-format", "json")
    events = json.loads(shown.stdout)["events"]
    assert (shown.exit_code, [list(event)[:10] for event in events]) == (0, [FIELDS] * len(events))
    assert [(event["step_seq"], event["kind"], event["status"]) for event in events] == [
        (1, "planned", "PLANNED"),
        (1, "done", "DONE"),
        (2, "planned", "PLANNED"),
        (2, "call_intent", "IN_FLIGHT"),
        (2, "uncertain", "UNCERTAIN"),
        (2, "needs_human", "NEEDS_HUMAN"),
    ]
    assert all(len(event["input_hash"]) == len(event["idempotency_key"]) == 64 for event in events)
    done = events[1]
    assert done["started_at"] <= done["finished_at"]
    assert done["output_ref"] == "inline:sha256:" + done["output_sha256"]


@pytest.mark.usefixtures("waiting")
def test_the_log_as_text_is_a_line_an_event(stepcheck: Call) -> None:
    lines = stepcheck("ledger", "log").stdout.splitlines()
    assert lines[0].split() == ["event", *FIELDS]
    assert [line.split()[:5] for line in lines[1:3]] == [
        ["1", "t1", "1", "look", "PLANNED"],
        ["2", "t1", "1", "look", "DONE"],
    ]
    assert len(lines) == 7


@pytest.mark.usefixtures("waiting")
def test_one_task_is_shown_by_itself_and_a_task_that_is_not_there_is_told(stepcheck: Call) -> None:
    stepcheck("run", "steps.json", "--task", "t2")
    of_two = json.loads(stepcheck("ledger", "log", "--task", "t2", "--output-format", "json").stdout)
    assert {event["task_id"] for event in of_two["events"]} == {"t2"}
    of_all = json.loads(stepcheck("ledger", "log", "--output-format", "json").stdout)
    assert [event["event_id"] for event in of_all["events"]] == list(range(1, 13))
    told = stepcheck("ledger", "log", "--task", "t3")
    assert (told.exit_code, told.stderr) == (
        2,
        "error: the ledger has no task 't3': 'stepcheck ledger tasks' lists them\n",
    )


@pytest.mark.usefixtures("waiting")
def test_the_inbox_has_what_waits_and_with_all_what_was_resolved(stepcheck: Call) -> None:
    shown = json.loads(stepcheck("ledger", "inbox", "--output-format", "json").stdout)["items"]
    assert [(item["item"], item["step_name"], item["state"], item["resolution"]) for item in shown] == [
        (1, "mail", "NEEDS_HUMAN", None)
    ]
    assert shown[0]["resolve"][0] == "stepcheck ledger resolve 1 it_happened --by NAME --evidence TEXT"
    said = stepcheck("ledger", "resolve", 1, "it_happened", *WORD)
    assert (said.exit_code, said.stdout) == (
        0,
        "item 1 is closed: it counts as done, and is not sent again\n",
    )
    assert stepcheck("ledger", "inbox").stdout == "nothing waits for a person\n"
    line = stepcheck("ledger", "inbox", "--all").stdout
    assert line.startswith("item 1, task 't1': its outcome is unknown")
    assert line.endswith("Z: seen in the channel\n")
    assert "; it_happened, says Li Wei at 20" in line


@pytest.mark.usefixtures("waiting")
def test_a_persons_output_is_the_steps_output_from_then_on(stepcheck: Call, folder: Path) -> None:
    (folder / "sent.json").write_text('{"number": "m-7"}')
    refused = stepcheck("ledger", "resolve", 1, "it_did_not_happen", *WORD, "--output", "sent.json")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: --output says what came of a step that happened; 'it_did_not_happen' has none\n",
    )
    assert stepcheck("ledger", "resolve", 1, "it_happened", *WORD, "--output", "sent.json").exit_code == 0
    events = json.loads(stepcheck("ledger", "log", "--output-format", "json").stdout)["events"]
    assert (events[-1]["kind"], events[-1]["receipt"]) == ("done", '{"number":"m-7"}')


def test_a_word_that_the_query_contradicts_is_refused(stepcheck: Call, table: Write, folder: Path) -> None:
    table(pay={**PAY, "call": "tests.running.calls.pay_unheard", "on_uncertain": "human"})
    assert stepcheck(*RUN).exit_code == 4
    word = ("ledger", "resolve", 1, "it_did_not_happen", *WORD, "--table", "steps.json")
    refused = stepcheck(*word)
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: refused: the query of step '1' finds it: it was not sent again; nothing has changed\n",
    )
    (folder / "world").unlink()
    assert stepcheck(*word).stdout == (
        "item 1 is closed: it may be sent once more, when the task is run again\n"
    )


@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize(
    ("word", "said"),
    [
        (
            (7, "abandon", *WORD),
            "no item 7 in this ledger's inbox: 'stepcheck ledger inbox' lists what waits",
        ),
        (
            (1, "compensate", *WORD),
            "refused: 'compensate' says nothing of step '2', which is NEEDS_HUMAN; nothing has changed",
        ),
        (
            (1, "abandon", "--by", "me", "--evidence", " "),
            "refused: a resolution needs its evidence: who says so, and what shows it; nothing has changed",
        ),
        (
            (1, "it_happened", *WORD, "--output", "gone.json"),
            "the output 'gone.json' cannot be read: No such file or directory",
        ),
        (
            (1, "it_happened", *WORD, "--output", "world"),
            "the output 'world' is no JSON: Expecting value: line 1 column 1 (char 0)",
        ),
        ((1, "it_did_not_happen", *WORD, "--table", "gone.py"), "there is no file 'gone.py'"),
    ],
)
def test_a_word_that_makes_no_sense_is_refused(stepcheck: Call, word: tuple[str, ...], said: str) -> None:
    refused = stepcheck("ledger", "resolve", *word)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"error: {said}\n")
    assert len(json.loads(stepcheck("ledger", "inbox", "--output-format", "json").stdout)["items"]) == 1


@pytest.mark.usefixtures("waiting")
def test_verify_finds_a_difference_and_mends_it(stepcheck: Call, folder: Path) -> None:
    sound = stepcheck("ledger", "verify")
    assert (sound.exit_code, sound.stdout) == (0, "1 task compared with the log: no difference\n")
    with sqlite3.connect(folder / ".stepcheck" / "ledger.db") as file:
        file.execute("UPDATE step SET state = 'DONE' WHERE step_seq = 2")
    file.close()
    wrong = stepcheck("ledger", "verify", "--output-format", "json")
    assert (wrong.exit_code, json.loads(wrong.stdout)) == (
        1,
        {
            "version": 1,
            "tasks": 1,
            "differences": ["the projection of step '2' of task 't1' differs from its events"],
        },
    )
    assert stepcheck("ledger", "verify", "--mend").exit_code == 1
    assert stepcheck("ledger", "verify").exit_code == 0


@pytest.mark.usefixtures("waiting")
def test_a_snapshot_is_made_of_every_task_and_compared_with_the_log(stepcheck: Call, folder: Path) -> None:
    assert stepcheck("ledger", "snapshot").stdout == "task 't1': up to event 6\n"
    assert stepcheck("ledger", "verify").exit_code == 0
    with sqlite3.connect(folder / ".stepcheck" / "ledger.db") as file:
        file.execute("UPDATE snapshot SET state = '[]'")
    file.close()
    wrong = stepcheck("ledger", "verify")
    assert (wrong.exit_code, wrong.stdout) == (
        1,
        "the snapshot of task 't1' up to event 6 differs from its events\n"
        "1 task compared with the log: 1 difference\n",
    )


@pytest.mark.usefixtures("waiting")
def test_tasks_are_listed_with_how_their_steps_stand(stepcheck: Call) -> None:
    lines = stepcheck("ledger", "tasks").stdout.splitlines()
    assert lines[0].split() == ["task_id", "status", "steps", "waiting", "clock", "table"]
    assert lines[1].split()[:7] == ["t1", "halted", "1", "DONE,", "1", "NEEDS_HUMAN", "1"]
    listed = json.loads(stepcheck("ledger", "tasks", "--output-format", "json").stdout)["tasks"]
    assert [(task["task"], task["status"], task["steps"], task["waiting"]) for task in listed] == [
        ("t1", "halted", {"DONE": 1, "NEEDS_HUMAN": 1}, 1)
    ]


@pytest.mark.parametrize("name", ["log", "inbox", "tasks", "verify", "snapshot"])
def test_a_ledger_that_is_not_there_is_not_made(stepcheck: Call, folder: Path, name: str) -> None:
    told = stepcheck("ledger", name)
    assert (told.exit_code, told.stdout, told.stderr) == (
        2,
        "",
        "error: there is no ledger '.stepcheck/ledger.db': give the one of the run, with --ledger, "
        "or go to the folder in which it was begun\n",
    )
    assert not (folder / ".stepcheck").exists()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if why := missing():
        pytest.skip(why)
    server = Server()
    server.start()
    yield server
    server.remove()


def test_a_task_on_postgres_is_run_settled_and_shown_alike(
    stepcheck: Call, table: Write, server: Server
) -> None:
    place = ("--ledger", server.url(server.create()))
    table(look=LOOK, mail=WAITS, pay=PAY)
    assert stepcheck(*RUN, *place).exit_code == 4
    assert stepcheck("ledger", "resolve", 1, "it_happened", *WORD, *place).exit_code == 0
    done = stepcheck(*RUN, *place, "--output-format", "json")
    assert (done.exit_code, [step["status"] for step in json.loads(done.stdout)["steps"]]) == (
        0,
        ["DONE"] * 3,
    )
    assert stepcheck("ledger", "verify", *place).exit_code == 0
