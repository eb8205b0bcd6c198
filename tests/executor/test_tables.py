"""From declarations to steps, and from files to tables."""

import json
import sys
import textwrap
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from stepcheck.executor.blobs import MemoryBlobs
from stepcheck.executor.declared import BadTable, exec_step, exec_table, takes_context
from stepcheck.executor.drivers import World, drive
from stepcheck.executor.loader import load_table
from stepcheck.executor.memory import MemoryLedger
from stepcheck.executor.opening import open_world
from stepcheck.executor.runner import Executor
from stepcheck.executor.step import AbsenceProof, Backoff, DedupePromise
from stepcheck.executor.task import run_machine
from stepcheck.executor.tasks import Owner
from stepcheck.stepdef import StepDef


def call(params: Any, ctx: Any) -> Any:
    return {"key": ctx.idempotency_key}


def declared(**fields: Any) -> Any:
    return exec_step("pay", StepDef.from_document({"effect": "non_idem_write", "call": call, **fields}))


def test_defaults_are_decided_once() -> None:
    step = declared()
    assert (step.max_attempts, step.timeout_ms, step.send_within_ms) == (1, 60_000, 30_000)
    assert (step.query, step.dedupe, step.absence, step.identity, step.ask_person) == (
        None,
        None,
        None,
        (),
        False,
    )
    assert declared(effect="read").max_attempts == 3


def test_durations_and_bounds_become_milliseconds() -> None:
    step = declared(
        query=call,
        timeout="PT1.5S",
        on_absent="retry",
        absence={"query_lag": "PT2S", "late_bound": 5, "basis": "manual"},
    )
    assert (step.timeout_ms, step.absence) == (1_500, AbsenceProof(2_000, 5_000))
    assert (step.retry_absent, step.max_attempts, step.settle_ms) == (True, 3, 30_000 + 1_500 + 7_000)


def test_a_dedupe_promise_keeps_its_margin_within_its_window() -> None:
    assert declared(effect="idem_write", dedupe=True).dedupe == DedupePromise()
    assert declared(effect="idem_write", dedupe="payments_seen").dedupe == DedupePromise()
    day = declared(effect="idem_write", dedupe={"window": "P1D", "stored_errors": True})
    assert day.dedupe == DedupePromise(86_400_000, stored_errors=True)
    assert day.repeat_within_ms == 23 * 3_600_000
    kept = declared(effect="idem_write", dedupe={"window": "P1D", "margin": "PT2H"})
    assert kept.repeat_within_ms == 22 * 3_600_000


def test_repeats_stop_early_enough_to_be_sent_late_and_to_last_their_timeout() -> None:
    tenth = declared(effect="idem_write", timeout=20, dedupe={"window": "PT10M"})
    assert tenth.repeat_within_ms == 600_000 - 60_000
    slow = declared(effect="idem_write", timeout=60, dedupe={"window": "PT10M"})
    assert slow.repeat_within_ms == 600_000 - 90_000
    too_short = declared(effect="idem_write", timeout=60, dedupe={"window": "PT1M"})
    assert too_short.repeat_within_ms == 0


def test_an_unlimited_number_of_attempts_has_a_bound_all_the_same() -> None:
    assert declared(effect="read", max_attempts=None).max_attempts == 100
    assert declared(effect="read", max_attempts="unlimited").max_attempts == 100


def test_backoff_is_read_and_jitter_can_be_left_out() -> None:
    assert declared(effect="read", retry={"base": 2, "cap": "PT30S", "jitter": "none"}).backoff == Backoff(
        2_000, 30_000, jitter=False
    )


def test_jitter_is_full_and_the_same_for_the_same_key() -> None:
    drawn = [Backoff(1_000, 60_000).delay_ms(f"key {number}", 3) for number in range(200)]
    assert drawn == [Backoff(1_000, 60_000).delay_ms(f"key {number}", 3) for number in range(200)]
    assert min(drawn) < 400
    assert 3_600 < max(drawn) <= 4_000
    assert max(Backoff(1_000, 5_000).delay_ms(f"key {number}", 90) for number in range(200)) <= 5_000


def test_a_compensation_is_a_step_of_the_table_or_a_callable_made_one() -> None:
    def undo(params: Any, ctx: Any) -> None: ...

    table = exec_table(
        {
            name: StepDef.from_document(entry)
            for name, entry in {
                "pay": {
                    "effect": "non_idem_write",
                    "call": call,
                    "compensate": "refund",
                    "compensate_deadline": timedelta(minutes=10),
                },
                "refund": {"effect": "idem_write", "call": call, "query": call, "dedupe": True},
                "ship": {
                    "effect": "non_idem_write",
                    "call": call,
                    "compensate": undo,
                    "compensate_deadline": "PT1H",
                },
            }.items()
        }
    )
    assert table["pay"].compensation is table["refund"]
    assert table["pay"].compensate_within_ms == 600_000
    bare = table["ship"].compensation
    assert bare is not None
    assert (bare.effect, bare.query, bare.max_attempts) == ("non_idem_write", None, 1)


def test_a_call_that_takes_one_argument_is_given_the_params() -> None:
    assert takes_context(lambda params: ("one", params))({"a": 1}, None) == ("one", {"a": 1})
    assert takes_context(lambda params, ctx: ("two", ctx))({}, 5) == ("two", 5)
    with pytest.raises(BadTable, match="takes neither"):
        takes_context(lambda: None)


def test_a_definition_hash_changes_with_the_declaration() -> None:
    assert declared().definition_hash == declared().definition_hash
    assert len({declared(**how).definition_hash for how in ({}, {"timeout": 5}, {"identity": ["a"]})}) == 3


def test_a_python_file_is_imported_with_the_packages_it_stands_in(tmp_path: Path) -> None:
    package = tmp_path / "shop_of_test" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    (package / "calls.py").write_text("def look(params):\n    return {'rows': params['n']}\n")
    (package / "steps.py").write_text(
        textwrap.dedent("""
            from . import calls
            COLOURS = {"red": {"effect": "burn"}}
            STEPS = {"look": {"effect": "read", "call": calls.look}}
        """)
    )
    table = load_table(str(package / "steps.py"))
    assert list(table) == ["look"]
    world = World(MemoryLedger(), MemoryBlobs())
    outcome = drive(run_machine(table, [("look", {"n": 4})], "t1", Owner("w0")), world)
    assert (outcome.status, outcome.steps[0].receipt) == ("done", '{"rows":4}')
    assert list(load_table(f"{package / 'steps.py'}:STEPS")) == ["look"]
    with pytest.raises(BadTable, match="has no step table 'COLOURS'"):
        load_table(f"{package / 'steps.py'}:COLOURS")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("steps.yaml", "steps:\n  look: {effect: read, call: calls_of_test.look}\n"),
        ("steps.json", '{"steps": {"look": {"effect": "read", "call": "calls_of_test:look"}}}'),
        ("steps.toml", '[steps.look]\neffect = "read"\ncall = "calls_of_test.look"\n'),
        ("list.yaml", "steps:\n- {name: look, effect: read, call: calls_of_test.look}\n"),
        (
            "two.yaml",
            "a: 1\n---\ntables:\n  shop:\n    steps:\n      look: {effect: read, call: calls_of_test.look}\n",
        ),
    ],
)
def test_a_data_file_has_its_callables_imported(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "calls_of_test.py").write_text("def look(params, ctx):\n    return 1\n")
    (tmp_path / name).write_text(text)
    assert load_table(str(tmp_path / name))["look"].effect == "read"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps: [", "cannot be read: expected the node content, but found '<stream end>' (line 1)"),
        (
            "steps:\n  look: {effect: read, call: os.getcwd}\n  send: {call: os.getcwd}\n",
            "step 'send': effect: every step needs one",
        ),
        (
            "steps:\n  look: {effect: read, call: os.getcwd, qurey: os.getcwd}\n",
            "step 'look': qurey: steps have no field of that name",
        ),
        (
            "steps:\n  look: {effect: raed, call: os.getcwd}\n",
            "step 'look': effect: 'raed' is none of 'read', 'idem_write' or 'non_idem_write'",
        ),
        (
            "steps:\n  look: {effect: read, call: os.getcwd, compensate: os.getcwd}\n",
            "step 'look': a read has no compensate: repeating it is always safe",
        ),
        (
            "steps:\n  look: {effect: read, call: os.no_such}\n",
            "'os.no_such' names nothing that can be called",
        ),
        (
            "steps:\n  look: {effect: read, call: no_such_module.x}\n",
            "names no module that can be imported from",
        ),
        ("other: 1\n", "has 0 step tables: none with steps in it"),
    ],
)
def test_a_file_that_cannot_be_run_says_why(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "steps.yaml").write_text(text)
    with pytest.raises(BadTable) as error:
        load_table(str(tmp_path / "steps.yaml"))
    assert message in str(error.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(BadTable, match=r"there is no file 'nowhere\.py'"):
        load_table("nowhere.py:STEPS")


def test_a_folder_is_no_file_to_run(tmp_path: Path) -> None:
    with pytest.raises(BadTable) as error:
        load_table(str(tmp_path))
    assert str(error.value) == f"'{tmp_path}' is a folder: name a file in it"


def test_a_package_that_is_not_there_is_said_to_belong_beside_stepcheck(tmp_path: Path) -> None:
    (tmp_path / "needy_steps.py").write_text("import no_such_package\n")
    with pytest.raises(BadTable) as error:
        load_table(str(tmp_path / "needy_steps.py"))
    assert str(error.value) == (
        f"'{tmp_path / 'needy_steps.py'}' cannot be imported: "
        "ModuleNotFoundError: No module named 'no_such_package'; "
        "what it imports has to be installed in the environment that stepcheck runs in"
    )


def test_a_lost_answer_makes_one_slip_and_one_approval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (
        Path(__file__).parents[2] / "fixtures" / "reconciliation" / "right" / "reconciliation" / "steps.py"
    )
    monkeypatch.setenv("RECONCILIATION_WORLD", str(tmp_path / "world.jsonl"))
    monkeypatch.setenv("RECONCILIATION_LOSES", "slip,approval")
    monkeypatch.setattr("sys.path", [*sys.path])
    table = load_table(str(steps))
    for name in [name for name in sys.modules if name.partition(".")[0] == "reconciliation"]:
        del sys.modules[name]
    period = {"period": "2026-09"}
    matches = {**period, "matches": [{"order": "ORD-7002", "amount": -500}]}
    plan = [
        ("create_adjustment", matches),
        ("submit_for_approval", {**period, "approver": "accounts-lead"}),
        ("post_to_book", {**matches, "account": "4410"}),
    ]
    world = open_world(str(tmp_path / "ledger.db"))
    for _ in range(2):
        assert Executor(table, world).run("task-1", plan).status == "done"
    world.ledger.close()
    effects = [json.loads(line)["kind"] for line in (tmp_path / "world.jsonl").read_text().splitlines()]
    assert effects == ["slip", "approval", "entry"]
