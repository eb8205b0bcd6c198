"""`stepcheck run`: what it does with a table, how it ends, and how it refuses."""

import json
import os
import pty
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from stepcheck.executor.ledger import Ledger, LedgerError
from stepcheck.executor.sqlite import SqliteLedger
from stepcheck.running import places
from stepcheck.running.places import without_password
from tests.running.conftest import LOOK, MAIL, PAY

RUN = ("run", "steps.json", "--task", "t1")
UNHEARD = {**MAIL, "call": "tests.running.calls.pay_unheard"}
REFUSED = {**MAIL, "call": "tests.running.calls.refused"}

Call = Callable[..., Result]
Write = Callable[..., None]


def inline(output: str) -> str:
    """The reference of a short output, as it is shown."""
    return f"inline:sha256:{sha256(output.encode()).hexdigest()[:12]}"


SEEN = inline('{"seen":null,"rows":[]}')
PAID = inline('{"name":"pay"}')
SENT = inline('{"name":"mail"}')


def effects(folder: Path) -> list[str]:
    world = folder / "world"
    return world.read_text().split() if world.exists() else []


def test_the_steps_run_in_the_tables_order_and_are_shown_with_their_references(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(look=LOOK, pay=PAY, mail=MAIL)
    done = stepcheck(*RUN)
    assert (done.exit_code, effects(folder)) == (0, ["pay", "mail"])
    assert done.stdout == (
        "task 't1' in .stepcheck/ledger.db: done\n"
        f"  1  look  DONE  {SEEN}\n"
        f"  2  pay   DONE  {PAID}\n"
        f"  3  mail  DONE  {SENT}\n"
    )
    assert done.stderr == "looking\n"


def test_a_second_run_shows_the_same_and_sends_nothing(stepcheck: Call, table: Write, folder: Path) -> None:
    table(look=LOOK, pay=PAY)
    first, second = stepcheck(*RUN), stepcheck(*RUN)
    assert (second.exit_code, second.stdout, second.stderr) == (0, first.stdout, "")
    assert effects(folder) == ["pay"]


def test_what_a_child_process_of_a_step_prints_is_not_in_the_json(table: Write, folder: Path) -> None:
    table(look={**LOOK, "call": "tests.running.calls.look_with_a_child"})
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "stepcheck", *RUN, "--output-format", "json"]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["status"] == "done"
    assert ran.stderr.splitlines() == ["a child looks", "past the redirection"]


def test_json_has_every_step_by_reference(stepcheck: Call, table: Write, params: Write) -> None:
    table(look=LOOK)
    params(look={"rows": 2000})
    shown = json.loads(stepcheck(*RUN, "--params", "params.json", "--output-format", "json").stdout)
    step = shown["steps"][0]
    assert step["output_ref"] == "sha256:" + step["output_sha256"]
    assert (step["status"], step["calls_sent"], step["item"]) == ("DONE", 0, None)
    assert {key: shown[key] for key in ("version", "status", "not_begun", "waiting", "held", "stopped")} == {
        "version": 1,
        "status": "done",
        "not_begun": [],
        "waiting": [],
        "held": None,
        "stopped": None,
    }
    blob = Path(".stepcheck/ledger.db.blobs", step["output_sha256"][:2], step["output_sha256"])
    assert len(json.loads(blob.read_text())["rows"]) == 2000


def test_what_waits_is_shown_with_commands_that_settle_it(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(look=LOOK, mail=UNHEARD, pay=PAY)
    waits = stepcheck(*RUN)
    assert waits.exit_code == 4
    lines = waits.stdout.splitlines()
    key = json.loads(stepcheck(*RUN, "--output-format", "json").stdout)["steps"][1]["idempotency_key"]
    assert lines[:4] == [
        "task 't1' in .stepcheck/ledger.db: waits for a person",
        f"  1  look  DONE         {SEEN}",
        "  2  mail  NEEDS_HUMAN  its outcome is unknown, and the table says that a person decides then",
        "  -  pay   not begun",
    ]
    assert lines[5].startswith("item 1: step 2 'mail' waits for a person: its outcome is unknown")
    assert lines[6].endswith(f"Z with the key {key}")
    commands = [line.strip() for line in lines if line.startswith("    stepcheck")]
    assert commands == [
        "stepcheck ledger resolve 1 it_happened --by NAME --evidence TEXT",
        "stepcheck ledger resolve 1 it_did_not_happen --by NAME --evidence TEXT --table steps.json",
        "stepcheck ledger resolve 1 abandon --by NAME --evidence TEXT",
    ]
    assert stepcheck(*shlex.split(commands[0])[1:]).exit_code == 0
    assert (stepcheck(*RUN).exit_code, effects(folder)) == (0, ["pay", "pay"])


def test_a_step_that_was_acknowledged_is_not_offered_to_be_sent_again(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(pay={**MAIL, "call": "tests.running.calls.pay_no_json"})
    lines = stepcheck(*RUN).stdout.splitlines()
    why = "it was acknowledged, and the output cannot be stored as JSON: an object of the class 'set' is no JSON"
    assert lines[1] == f"  1  pay  NEEDS_HUMAN  {why}"
    assert [line.split()[4] for line in lines if line.startswith("    stepcheck")] == [
        "it_happened",
        "abandon",
    ]
    said = stepcheck("ledger", "resolve", 1, "it_did_not_happen", "--by", "me", "--evidence", "a guess")
    assert said.exit_code == 2
    assert "refused: step '1' was acknowledged: it did happen; nothing has changed" in said.stderr
    assert (stepcheck(*RUN).exit_code, effects(folder)) == (4, ["pay"])


def test_a_step_that_a_person_gives_up_ends_the_task(stepcheck: Call, table: Write) -> None:
    table(mail=UNHEARD, pay=PAY)
    stepcheck(*RUN)
    stepcheck("ledger", "resolve", 1, "abandon", "--by", "me", "--evidence", "no longer wanted")
    ended = stepcheck(*RUN)
    assert ended.exit_code == 5
    assert ended.stdout.splitlines()[0] == "task 't1' in .stepcheck/ledger.db: given up by a person"


def test_other_params_stop_a_task_and_the_first_ones_carry_it_on(
    stepcheck: Call, table: Write, params: Write, folder: Path
) -> None:
    table(pay=PAY, mail=MAIL)
    params(pay={"amount": 1}, mail={})
    with_params = (*RUN, "--params", "params.json")
    assert stepcheck(*with_params).exit_code == 0
    params(pay={"amount": 2}, mail={})
    stopped = stepcheck(*with_params)
    assert stopped.exit_code == 4
    assert stopped.stdout.splitlines()[-3:] == [
        "stopped: address '1' of task 't1' holds step 'pay' with other params than this run asks for",
        "  nothing was sent: run it with the table and params it was begun with,",
        "  or begin a new task, with another --task",
    ]
    listed = json.loads(stepcheck("ledger", "tasks", "--output-format", "json").stdout)["tasks"]
    assert [(task["status"], task["owner"]) for task in listed] == [("halted", None)]
    params(pay={"amount": 1}, mail={})
    assert (stepcheck(*with_params).exit_code, effects(folder)) == (0, ["pay", "mail"])


def test_another_table_stops_a_task(stepcheck: Call, table: Write, folder: Path) -> None:
    table(pay=PAY)
    stepcheck(*RUN)
    table(mail=MAIL, pay=PAY)
    stopped = stepcheck(*RUN, "--output-format", "json")
    assert stopped.exit_code == 4
    assert json.loads(stopped.stdout)["stopped"] == (
        "address '1' of task 't1' holds step 'pay', and this run asks for step 'mail' there"
    )
    assert effects(folder) == ["pay"]


def test_an_open_step_that_the_table_has_no_more_is_an_item_for_a_person(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(pay={**PAY, "call": "tests.running.calls.pay_interrupted"})
    assert stepcheck(*RUN).exit_code == 130
    table(mail=MAIL)
    waits = stepcheck(*RUN)
    assert waits.exit_code == 4
    assert "item 1: step 1 'pay' waits for a person: the table has no step 'pay' any more" in waits.stdout
    assert effects(folder) == ["pay"]


def test_a_step_that_waits_is_not_forgotten_when_the_table_is_shortened(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(pay=PAY, mail=UNHEARD)
    assert stepcheck(*RUN).exit_code == 4
    table(pay=PAY)
    waits = stepcheck(*RUN)
    assert waits.exit_code == 4
    assert waits.stdout.splitlines()[0] == "task 't1' in .stepcheck/ledger.db: waits for a person"
    assert effects(folder) == ["pay", "pay"]


def test_after_a_refusal_what_was_done_is_made_up_for(stepcheck: Call, table: Write, folder: Path) -> None:
    undo = {"compensate": "tests.running.calls.refund", "compensate_deadline": "PT10M"}
    table(pay={**PAY, **undo}, mail=REFUSED)
    ended = stepcheck(*RUN)
    assert (ended.exit_code, effects(folder)) == (5, ["pay", "refund"])
    assert ended.stdout.splitlines() == [
        "task 't1' in .stepcheck/ledger.db: failed, and what was done is made up for",
        f"  1  pay   COMPENSATED  {PAID}",
        "  2  mail  FAILED       Definite: the account is closed",
    ]
    assert (stepcheck(*RUN).exit_code, effects(folder)) == (5, ["pay", "refund"])


def test_what_cannot_be_made_up_for_waits_for_a_person(stepcheck: Call, table: Write, folder: Path) -> None:
    table(pay=PAY, mail=REFUSED)
    waits = stepcheck(*RUN)
    assert waits.exit_code == 4
    assert (
        "item 1: the compensation of step 1 'pay' waits for a person: it was done, and no compensation"
        in (waits.stdout)
    )
    commands = [line.strip() for line in waits.stdout.splitlines() if "ledger resolve" in line]
    assert [shlex.split(line)[4] for line in commands] == ["compensate", "no_compensate"]
    assert stepcheck(*shlex.split(commands[1])[1:]).exit_code == 0
    assert (stepcheck(*RUN).exit_code, effects(folder)) == (5, ["pay"])


def test_a_step_that_makes_up_for_another_is_not_run_forward(
    stepcheck: Call, table: Write, params: Write, folder: Path
) -> None:
    undo = {"effect": "non_idem_write", "call": "tests.running.calls.refund"}
    table(refund=undo, pay={**PAY, "compensate": "refund", "compensate_deadline": "PT10M"})
    assert (stepcheck(*RUN).exit_code, effects(folder)) == (0, ["pay"])
    params(refund={}, pay={})
    assert stepcheck(*RUN, "--params", "params.json").stderr == (
        "error: in the params file 'params.json', 'refund' makes up for 'pay' and gets its params: "
        "take the entry out\n"
    )


def test_a_step_waits_while_another_task_does_the_same_to_the_same_thing(
    stepcheck: Call, table: Write, params: Write, folder: Path
) -> None:
    table(mail={**UNHEARD, "identity": ["order"]})
    params(mail={"order": "A-1"})
    assert stepcheck(*RUN, "--params", "params.json").exit_code == 4
    held = stepcheck("run", "steps.json", "--task", "t2", "--params", "params.json")
    assert (held.exit_code, effects(folder)) == (4, ["pay"])
    assert "step 'mail' was not sent: step '1' of task 't1' does the same to the same thing" in held.stdout


def test_a_run_that_is_interrupted_leaves_a_step_that_the_next_run_queries(
    stepcheck: Call, table: Write
) -> None:
    table(pay={**PAY, "call": "tests.running.calls.pay_interrupted"})
    ended = stepcheck(*RUN)
    assert (ended.exit_code, ended.stdout) == (130, "")
    assert ended.stderr == (
        "interrupted; run the same command again: what was being called is settled first\n"
    )
    # The same process is the owner again here; another one takes the task because this one is gone.
    assert (stepcheck(*RUN).exit_code, effects(Path())) == (0, ["pay"])


def test_a_step_that_would_end_the_process_is_queried_in_the_same_run(stepcheck: Call, table: Write) -> None:
    table(pay={**PAY, "call": "tests.running.calls.pay_and_leave"})
    assert (stepcheck(*RUN).exit_code, effects(Path())) == (0, ["pay"])


def test_text_of_the_other_side_cannot_steer_the_terminal(stepcheck: Call, table: Write) -> None:
    table(mail={**MAIL, "call": "tests.running.calls.refused_in_red"})
    shown = stepcheck(*RUN)
    assert (shown.exit_code, shown.stdout.splitlines()[1:]) == (
        5,
        ["  1  mail  FAILED  Definite: \\x1b[31mthe account is closed"],
    )


def test_the_default_ledgers_folder_is_kept_out_of_version_control(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(look=LOOK)
    stepcheck(*RUN)
    assert (folder / ".stepcheck" / ".gitignore").read_text() == "*\n"
    assert {path.name for path in (folder / ".stepcheck").glob("ledger.db*")} <= {
        "ledger.db",
        "ledger.db-shm",
        "ledger.db-wal",
    }


Refusal = tuple[dict[str, Any], Any, tuple[str, ...], str]
REFUSALS: list[Refusal] = [
    ({"look": LOOK}, None, ("run", "none.py", "--task", "t"), "there is no file 'none.py'"),
    ({"look": LOOK}, None, ("run", "steps.json:b", "--task", "t"), "'steps.json' has no step table 'b'"),
    (
        {"look": {**LOOK, "timeout": "soon"}},
        None,
        RUN,
        "step 'look': timeout: is not an ISO 8601 duration such as 'PT10M'; "
        "'stepcheck check' says more of it",
    ),
    (
        {"look": {**LOOK, "call": "tests.running.calls.gone"}},
        None,
        RUN,
        "'tests.running.calls.gone' names nothing that can be called",
    ),
    (
        {"pay": {**PAY, "identity": ["order"]}},
        None,
        RUN,
        "step 'pay' has no 'order', which its identity names: give its params with --params FILE.json",
    ),
    (
        {"pay": {**PAY, "identity": ["order"]}},
        {"pay": {}},
        RUN,
        "step 'pay' has no 'order', which its identity names: in the params file 'params.json'",
    ),
    (
        {"look": LOOK},
        {"lock": {}},
        RUN,
        "in the params file 'params.json', the table has no step 'lock'; did you mean 'look'\n"
        "error: in the params file 'params.json', step 'look' has no entry: "
        'add "look": {} if it needs no params',
    ),
    (
        {"look": LOOK},
        {"look": {"amount": 1.5}},
        RUN,
        "step 'look': params.amount is a float, which has no one spelling: pass a Decimal, or whole minor "
        "units: in the params file 'params.json'",
    ),
    ({"look": LOOK}, [], RUN, "the params file 'params.json' holds no object from step names to params"),
    (
        {"look": LOOK},
        {"look": 1},
        RUN,
        "in the params file 'params.json', 'look' is no object of params, {...}",
    ),
    (
        {"look": LOOK},
        None,
        (*RUN, "--ledger", "no/l.db"),
        "the ledger 'no/l.db' cannot be made: there is no folder 'no'",
    ),
    (
        {"look": LOOK},
        None,
        (*RUN, "--ledger", "mysql://x"),
        "'mysql://x' is no place for a ledger: give a file, or a postgresql:// URL",
    ),
    (
        {"look": LOOK},
        None,
        (*RUN, "--ledger", "steps.json"),
        "'steps.json' is no ledger: file is not a database",
    ),
    (
        {"look": LOOK},
        None,
        ("run", "steps.json", "--task", "a\nb"),
        "task_id is 'a\\nb': it must be 1 to 200 printable characters",
    ),
]


@pytest.mark.parametrize("case", REFUSALS)
def test_what_cannot_be_run_is_refused_in_a_sentence_before_anything_is_sent(
    stepcheck: Call, table: Write, case: Refusal
) -> None:
    steps, given, arguments, said = case
    table(**steps)
    if given is not None:
        Path("params.json").write_text(json.dumps(given))
        arguments = (*arguments, "--params", "params.json")
    refused = stepcheck(*arguments)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"error: {said}\n")
    assert effects(Path()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"look": {}, "look": {}}', "the name 'look' is there twice, and only one could count"),
        ('{"look": {}', "Expecting ',' delimiter: line 1 column 12 (char 11)"),
    ],
)
def test_params_that_cannot_be_read_are_told_with_their_place(
    stepcheck: Call, table: Write, folder: Path, text: str, said: str
) -> None:
    table(look=LOOK)
    (folder / "params.json").write_text(text)
    refused = stepcheck(*RUN, "--params", "params.json")
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"error: the params file 'params.json' cannot be read: {said}\n",
    )


def test_a_module_that_ends_the_process_when_imported_is_told(stepcheck: Call, folder: Path) -> None:
    (folder / "ends_when_imported.py").write_text("import sys\nsys.exit(0)\n")
    refused = stepcheck("run", "ends_when_imported.py", "--task", "t1")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: 'ends_when_imported.py' cannot be imported: it ends the process when it is\n",
    )


def test_a_database_of_something_else_is_left_as_it_is(stepcheck: Call, table: Write, folder: Path) -> None:
    table(look=LOOK)
    with sqlite3.connect(folder / "shop.db") as shop:
        shop.execute("CREATE TABLE orders (number TEXT)")
    shop.close()
    before = (folder / "shop.db").read_bytes()
    refused = stepcheck(*RUN, "--ledger", "shop.db")
    assert refused.stderr == "error: 'shop.db' is no ledger: it is a database of something else\n"
    assert (folder / "shop.db").read_bytes() == before


def test_a_locked_ledger_is_told_with_its_cure(
    stepcheck: Call, table: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(look=LOOK)
    stepcheck(*RUN)
    defaults = SqliteLedger.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "busy_seconds", 0.05)
    other = sqlite3.connect(folder / ".stepcheck" / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused = stepcheck(*RUN)
    other.close()
    assert refused.exit_code == 2
    assert "database is locked: another process writes to it; end that one, or wait for it" in refused.stderr


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no /dev/shm on this system")
def test_a_ledger_in_memory_is_refused_unless_told_otherwise(stepcheck: Call, table: Write) -> None:
    table(look=LOOK)
    place = Path(f"/dev/shm/stepcheck-{os.getpid()}.db")
    try:
        refused = stepcheck(*RUN, "--ledger", place)
        assert refused.exit_code == 2
        assert refused.stderr.endswith(
            "a power loss forgets every intent; give a ledger on a disk with --ledger, "
            "or --allow-volatile to run all the same\n"
        )
        assert stepcheck(*RUN, "--ledger", place, "--allow-volatile").exit_code == 0
    finally:
        for file in place.parent.glob(f"{place.name}*"):
            file.unlink()


def test_a_task_that_another_process_runs_is_left_to_it(stepcheck: Call, table: Write, folder: Path) -> None:
    table(look=LOOK)
    stepcheck(*RUN)
    ledger: Ledger = SqliteLedger(folder / ".stepcheck" / "ledger.db")
    ledger.transact(lambda tx: tx.take("t1", 9, "elsewhere/1", 4_000_000_000_000), durable=False)
    ledger.close()
    refused = stepcheck(*RUN)
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: another process runs task 't1' (elsewhere/1): wait for its end; "
        "if it is gone, its lease ends at 2096-10-02T07:06:40.000Z\n",
    )


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("postgresql://me:secret@host/db", "postgresql://me:***@host/db"),
        ("postgresql://me@host/db?x=a:b@c", "postgresql://me@host/db?x=a:b@c"),
        ("postgresql://me:p@ss@host/db", "postgresql://me:***@host/db"),
        ("postgresql://me:p/a?s@host/db", "postgresql://me:***@host/db"),
        ("postgresql://host/db?password=secret&x=1", "postgresql://host/db?password=***&x=1"),
        ("postgresql://me:one@host/db?x=1&PASSWORD=two", "postgresql://me:***@host/db?x=1&PASSWORD=***"),
        ("postgresql://host:5432/db", "postgresql://host:5432/db"),
        (".stepcheck/ledger.db", ".stepcheck/ledger.db"),
    ],
)
def test_a_password_is_not_shown(place: str, shown: str) -> None:
    assert without_password(place) == shown


@pytest.mark.parametrize(
    ("place", "told", "shown"),
    [
        ("mysql://me:s3cr3t@host/db", "{}: 's3cr3t' is wrong", "mysql://me:***@host/db: '***' is wrong"),
        ("mysql://me:x@s3cr3t@host/db", 'no host "s3cr3t@host"', 'no host "***@host"'),
        ("mysql://host/db?password=s3cr3t", "not s3cr3t", "not ***"),
        ("mysql://me:s3cr3t%21@host/db", "not 's3cr3t!'", "not '***'"),
        ("mysql://me:db@host/x", "dbname is no place", "dbname is no place"),
    ],
)
def test_an_error_about_a_ledger_does_not_tell_its_password(
    stepcheck: Call, table: Write, monkeypatch: pytest.MonkeyPatch, *, place: str, told: str, shown: str
) -> None:
    def refuses(given: str, *, allow_volatile: bool) -> None:
        raise LedgerError(told.format(given))

    monkeypatch.setattr(places, "open_world", refuses)
    table(look=LOOK)
    refused = stepcheck(*RUN, "--ledger", place)
    assert (refused.exit_code, refused.stderr) == (2, f"error: {shown}\n")


def test_a_terminal_is_shown_what_is_being_done_and_a_pipe_is_not(
    stepcheck: Call, table: Write, folder: Path
) -> None:
    table(pay=PAY)
    command = [sys.executable, "-m", "stepcheck", *RUN]
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "TERM": "xterm",
        "COLUMNS": "80",
    }
    main, side = pty.openpty()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=side, check=True, timeout=60)
    os.close(side)
    shown = os.read(main, 10_000).decode()
    os.close(main)
    assert shown == "\r\x1b[Kstep 1 'pay': calling\r\x1b[K"
    piped = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)
    assert piped.stderr == b""
