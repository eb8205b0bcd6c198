"""Selections that leave nothing to run, and the settings that are shown."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stepcheck.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("x = 1\n")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            "--stage 1 --select volatile-key,unbounded-retry",
            "--stage ends at 1, and what --select names begins at stage 3",
        ),
        ("--select volatile-key --ignore volatile-key", "--ignore takes out all that --select names"),
        ("--ignore all", "--ignore takes out every rule"),
    ],
)
def test_a_selection_that_leaves_no_rule_is_refused(arguments: str, told: str) -> None:
    done = check(*arguments.split())
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: no rule is left to run: {told}\n")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("select = []", "select names none"),
        ('select = ["volatile-key"]\nstage = 2', "stage ends at 2, and what select names begins at stage 3"),
        ('ignore = ["all"]', "ignore takes out every rule"),
    ],
)
def test_a_configuration_that_leaves_no_rule_is_refused(written: str, told: str, folder: Path) -> None:
    (folder / "stepcheck.toml").write_text(f"{written}\n")
    done = check()
    assert (done.exit_code, done.stderr) == (2, f"error: no rule is left to run: {told}\n")
    assert check("--select", "duplicate-step").exit_code == 0


@pytest.mark.parametrize("empty", ["", ",", " , "])
def test_an_empty_selection_is_refused(empty: str) -> None:
    done = check("--select", empty)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1] == "Error: Invalid value for '--select': it names no rule"
    assert check("--ignore", empty).exit_code == 0


def test_the_settings_show_the_severity_of_each_rule_that_runs(folder: Path) -> None:
    (folder / "stepcheck.toml").write_text(
        'select = ["missing-timeout", "volatile-key"]\nseverity = {missing-timeout = "error"}\n'
    )
    shown = json.loads(check("--show-settings").stdout)
    assert shown["severity"] == {"missing-timeout": "error", "volatile-key": "error"}
    (folder / "stepcheck.toml").unlink()
    assert json.loads(check("--show-settings").stdout)["severity"]["missing-timeout"] == "warning"


def test_a_command_misspelt_is_told_the_nearest() -> None:
    done = CliRunner().invoke(main, ["chek"])
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (
        2,
        "Error: no command 'chek'; did you mean 'check'",
    )
    assert CliRunner().invoke(main, ["xyz"]).stderr.splitlines()[-1] == "Error: no command 'xyz'"
    assert CliRunner().invoke(main, ["--nope"]).stderr.splitlines()[-1].startswith("Error: No such option")
