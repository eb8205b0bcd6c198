"""How far steps have climbed, and what is said to come next."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stepcheck import engine
from stepcheck.cli import main
from stepcheck.ladder import climb, reached
from stepcheck.settings import Settings

TABLE = """\
steps:
  look:
    effect: read
    call: shop.look
  guess:
    call: shop.guess
  bulky:
    effect: read
    call: shop.list_documents
    output: inline
  keyless:
    effect: non_idem_write
    call: shop.send
    query: shop.find
  unproven:
    effect: idem_write
    call: shop.order
    identity: [cart]
  unqueried:
    effect: non_idem_write
    call: shop.pay
    identity: [cart]
  endless:
    effect: non_idem_write
    call: shop.ship
    query: shop.find_shipment
    identity: [cart]
    compensate: shop.recall
  upsert_customer:
    effect: idem_write
    call: shop.upsert_customer
  done:
    effect: non_idem_write
    call: shop.book
    on_uncertain: human
    identity: [cart]
    compensate: shop.unbook
    compensate_deadline: PT1H
"""


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["ladder", *options], catch_exceptions=False)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop.yaml").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    return tmp_path


def test_each_step_stands_below_the_lowest_stage_that_lacks_something(shop: Path) -> None:
    settings = Settings(root=shop)
    report = engine.check(settings, ["."], cwd=shop)
    [rung] = climb(engine.tables(settings, ["."], cwd=shop), report.findings)
    assert [
        (step.name, step.stage, step.next and (step.next.stage, step.next.rule)) for step in rung.steps
    ] == [
        ("look", 5, None),
        ("guess", 0, (1, "undeclared-effect")),
        ("bulky", 1, (2, "inline-output")),
        ("keyless", 5, None),
        ("unproven", 2, (3, "unproven-idempotence")),
        ("unqueried", 3, (4, "unqueryable-write")),
        ("endless", 4, (5, "compensation-without-deadline")),
        ("upsert_customer", 5, None),
        ("done", 5, None),
    ]
    assert rung.stage == 0
    assert reached([rung]) == {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 4}


def test_steps_of_one_name_in_two_tables_keep_their_own_findings(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "steps:\n  pay:\n    effect: read\n    call: a.pay\n"
        "---\nsteps:\n  pay:\n    call: a.pay\n    timeout: 3\n"
    )
    settings = Settings(root=tmp_path)
    report = engine.check(settings, ["."], cwd=tmp_path)
    rungs = climb(engine.tables(settings, ["."], cwd=tmp_path), report.findings)
    assert [rung.steps[0].stage for rung in rungs] == [5, 0]


def test_what_only_a_run_could_tell_is_not_taken_for_reached(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('STEPS = {"pay": {"effect": effect(), "call": pay, "query": None}}\n')
    settings = Settings(root=tmp_path)
    [rung] = climb(engine.tables(settings, ["."], cwd=tmp_path), [])
    assert rung.steps[0].stage == 0
    assert rung.steps[0].next is not None
    assert rung.steps[0].next.what.startswith("declare its effect class where it can be read")


@pytest.mark.parametrize("stage", range(1, 6))
def test_the_verdict_on_a_step_is_that_of_the_check_up_to_a_stage(shop: Path, stage: int) -> None:
    report = engine.check(Settings(root=shop, stage=stage), ["."], cwd=shop)
    shown = json.loads(run(shop, "--output-format", "json").stdout)
    below = {step["name"] for step in shown["tables"][0]["steps"] if step["stage"] < stage}
    assert below == {finding.step for finding in report.findings}


def test_a_stage_in_the_configuration_hides_no_rung(shop: Path) -> None:
    before = run(shop, "--output-format", "json").stdout
    (shop / "stepcheck.toml").write_text("stage = 1\n")
    assert run(shop, "--output-format", "json").stdout == before


def test_what_cannot_be_read_holds_no_step_back_and_is_hinted_at(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'STEPS = {"pay": {"effect": "non_idem_write", "call": pay, "identity": ["order"], "query": ask(),'
        ' "compensate": undo, "compensate_deadline": end()}}\n'
    )
    settings = Settings(root=tmp_path)
    report = engine.check(settings, ["."], cwd=tmp_path)
    [step] = climb(engine.tables(settings, ["."], cwd=tmp_path), report.findings)[0].steps
    assert (report.findings, step.stage, step.next) == ((), 5, None)
    assert [hint.stage for hint in step.hints] == [4, 5]


def test_the_text_has_a_line_for_each_step_and_the_totals(shop: Path) -> None:
    result = run(shop)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].endswith("(shop.yaml:2): stage 0 of 5")
    assert lines[1] == "  5  look             done"
    assert lines[4:6] == [
        "  5  keyless          done",
        "     hint (stage 3): name in identity the params that say what it is about "
        "(without it, all of them make the key), or in dedupe who honours its key",
    ]
    assert lines[-6:] == [
        "stage 0:    1 step  (not on the ladder yet)",
        "stage 1:    1 step  (every step with its effect class)",
        "stage 2:    1 step  (the event log, as far as a table shows it: outputs by reference)",
        "stage 3:    1 step  (keys, writes first)",
        "stage 4:    1 step  (a query for each write, or a person)",
        "stage 5:    4 steps  (compensation with a deadline)",
    ]


def test_a_narrow_terminal_gets_the_next_thing_below_its_step(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = run(shop).stdout.splitlines()
    assert max(len(line) for line in lines if line.startswith(" ")) <= 50


def test_json_is_stable_and_whole(shop: Path) -> None:
    first, second = run(shop, "--output-format", "json"), run(shop, "--output-format", "json", "shop.yaml")
    assert first.stdout == second.stdout
    shown = json.loads(first.stdout)
    assert shown["version"] == 1
    assert shown["reached"] == {"0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "5": 4}
    [table] = shown["tables"]
    assert (table["path"], table["line"], table["stage"]) == ("shop.yaml", 2, 0)
    assert table["steps"][3] == {
        "name": "keyless",
        "path": "shop.yaml",
        "line": 11,
        "effect": "non_idem_write",
        "stage": 5,
        "next": None,
        "hints": [
            {
                "stage": 3,
                "what": "name in identity the params that say what it is about "
                "(without it, all of them make the key), or in dedupe who honours its key",
            }
        ],
    }
    assert table["steps"][4]["next"]["rule"] == "unproven-idempotence"
    assert table["steps"][0]["next"] is None


def test_markdown_is_a_table(shop: Path) -> None:
    lines = run(shop, "--output-format", "markdown").stdout.splitlines()
    assert lines[4] == "| step | effect | stage | next |"
    assert lines[6] == "| `look` | read | 5 | done |"
    assert lines[9].startswith("| `keyless` | non_idem_write | 5 | done; hint (stage 3): name in identity")
    assert lines[7].startswith("| `guess` | unknown | 0 | stage 1: nobody can tell")


def test_without_a_step_table_there_is_no_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    result = run(tmp_path)
    assert (result.exit_code, result.stderr) == (3, "error: no step table in '.'\n")


def test_an_unreadable_file_is_told_and_the_others_are_shown(shop: Path) -> None:
    (shop / "half.yaml").write_text("steps: {a: {effect: read, call: \n")
    result = run(shop)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: half.yaml:2:1: could not be read: ")
    assert "upsert_customer" in result.stdout
    assert run(shop, "gone").exit_code == 2
