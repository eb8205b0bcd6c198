"""A baseline from the command line: what is told, and from which folder its paths are meant."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stepcheck.cli import main

ONE = 'def create(key): ...\n\n\nSTEPS = {"create": {"effect": "non_idem_write", "call": create, "timeout": 5}}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("ci", "src", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "src" / "a.py").write_text(ONE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def test_what_was_written_is_told_with_how_to_use_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = check("--write-baseline", "known.json")
    told = 'wrote known.json: 1 finding; use --baseline known.json, or baseline = "known.json" in the configuration'
    assert (done.exit_code, done.stderr) == (0, f"{told}\n")
    (folder / "stepcheck.toml").write_text("")
    monkeypatch.chdir(folder / "src")
    done = check("--write-baseline", "../ci/known.json")
    assert done.stderr == (
        "wrote ../ci/known.json: 1 finding; use --baseline ../ci/known.json, "
        'or baseline = "ci/known.json" in the configuration\n'
    )


@pytest.mark.parametrize("file", ["known.json", "ci/known.json"])
def test_without_configuration_a_baseline_holds_from_every_folder(
    file: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check("--write-baseline", file).exit_code == 0
    for place in ("src", "elsewhere"):
        monkeypatch.chdir(folder / place)
        done = check("--baseline", f"../{file}", "../src")
        assert (done.exit_code, done.stderr) == (0, "")
        assert "1 in the baseline" in done.stdout
    written = (folder / file).read_text()
    monkeypatch.chdir(folder / "src")
    assert check("--write-baseline", f"../{file}").exit_code == 0
    assert (folder / file).read_text() == written


def test_imports_are_followed_alike_where_a_baseline_lies_elsewhere(folder: Path) -> None:
    (folder / "src" / "calls.py").write_text("def create(key): ...\n")
    (folder / "src" / "a.py").unlink()
    (folder / "elsewhere" / "a.py").write_text(
        'import calls\nSTEPS = {"a": {"effect": "read", "call": calls.creat}}\n'
    )
    before = json.loads(check("--output-format", "json").stdout)["findings"]
    (folder / "ci" / "known.json").write_text('{"version": 1, "findings": []}\n')
    after = json.loads(check("--output-format", "json", "--baseline", "ci/known.json").stdout)["findings"]
    assert [one["rule"] for one in before] == [one["rule"] for one in after] == ["unresolved-callable"]


def test_json_tells_of_the_baseline_where_there_is_one(folder: Path) -> None:
    assert "baseline" not in json.loads(check("--output-format", "json").stdout)
    check("--write-baseline", "known.json")
    shown = json.loads(check("--output-format", "json", "--baseline", "known.json").stdout)
    assert (shown["findings"], shown["baseline"]) == ([], {"known": 1, "stale": []})
    (folder / "src" / "a.py").write_text("STEPS = {}\n")
    shown = json.loads(check("--output-format", "json", "--baseline", "known.json").stdout)
    assert shown["baseline"]["known"] == 0
    assert [line.split(": ")[:2] for line in shown["baseline"]["stale"]] == [
        ["src/a.py", "unqueryable-write"]
    ]


def test_a_fix_left_undone_is_told_with_its_place_and_rule(folder: Path) -> None:
    (folder / "src" / "a.py").write_text(
        'STEPS = {\n    "a": {"effect": "non_idem_write", "call": f, "query": q, "compensate": u},\n}\n'
    )
    done = check("--diff")
    assert done.stderr == (
        "src/a.py:2: compensation-without-deadline: not fixed: "
        "the fix may change what the program does: --unsafe-fixes applies it\n"
    )
    assert check("--fix").stderr == done.stderr
