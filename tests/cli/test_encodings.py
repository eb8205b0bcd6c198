"""What is for a machine is UTF-8, whatever the terminal takes; what is for people is what the terminal takes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stepcheck
from stepcheck import output

TABLE = 'STEPS = {"cafe": {"effect": "non_idem_write", "call": order}}\n'.replace("cafe", "café")


@pytest.mark.parametrize("name", output.names())
def test_only_a_machine_gets_utf_8_where_the_terminal_takes_ascii(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(TABLE, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(stepcheck.__file__).parents[1]), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "stepcheck", "check", "--output-format", name]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert ("café".encode() in done.stdout) == output.load(name).machine
    assert (b"caf\\xe9" in done.stdout) != output.load(name).machine


def test_the_json_of_another_command_is_utf_8_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(TABLE, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(stepcheck.__file__).parents[1]), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "stepcheck", "ladder", "--output-format", "json"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True)
    assert "café".encode() in done.stdout
