import subprocess
import sys
from pathlib import Path

import pytest

PLANTED = (
    "ast",
    "click",
    "dataclasses",
    "enum",
    "json",
    "re",
    "tomllib",
    "typing",
    "yaml",
    "stepcheck_fixes",
)
TABLE = "steps:\n  a: {effect: wirte, call: a.b}\n"


def test_modules_of_the_checked_folder_are_not_imported_by_running_as_a_module(tmp_path: Path) -> None:
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(f"open('ran-{name}', 'w').close()\n", "utf-8")
    (tmp_path / "table.yaml").write_text(TABLE, "utf-8")
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "stepcheck",
            "check",
            "--isolated",
            "--output-format",
            "concise",
            "table.yaml",
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (1, "")
    assert "table.yaml:2:15: error[unknown-effect]" in run.stdout
    assert sorted(tmp_path.glob("ran-*")) == []


@pytest.mark.parametrize("encoding", ["rot13", "hex", "zip", "undefined", "no-such-encoding"])
def test_an_encoding_that_is_none_for_text_leaves_the_other_files_checked(
    tmp_path: Path, encoding: str
) -> None:
    from stepcheck import engine
    from stepcheck.settings import Settings

    table = 'STEPS = {"a": {"effect": "wirte", "call": f}}\n'
    (tmp_path / "a.py").write_text(f"# coding: {encoding}\n{table}", "utf-8")
    (tmp_path / "b.py").write_text(table, "utf-8")
    report = engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path)
    assert [(finding.span.path, finding.rule) for finding in report.findings] == [
        ("a.py", "unread-file"),
        ("b.py", "unknown-effect"),
    ]
    assert [unread.path for unread in report.unread] == ["a.py"]
