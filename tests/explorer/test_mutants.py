"""A checker that cannot fail proves nothing: each guard of the executor is taken away, and the explorer sees it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]


def explored(package: Path, scenario: str, faults: int) -> Any:
    script = ROOT / "tests" / "explorer" / "explored.py"
    run = subprocess.run(
        [sys.executable, script, scenario, str(faults)],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_explorer_sees_that_a_guard_is_gone(mutant: Mutant, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "stepcheck", tmp_path / "stepcheck", ignore=ignored)
    for module, old, new in mutant.edits:
        file = tmp_path / "stepcheck" / "executor" / module
        text = file.read_text("utf-8")
        assert text.count(old) == 1, f"{module} no longer has this guard once: {old}"
        file.write_text(text.replace(old, new), "utf-8")
    assert mutant.harm in explored(tmp_path, mutant.scenario, mutant.faults)["harms"]


@pytest.mark.parametrize("scenario", sorted({(one.scenario, one.faults) for one in MUTANTS}))
def test_with_every_guard_in_place_the_same_schedules_show_nothing(scenario: tuple[str, int]) -> None:
    found = explored(ROOT, *scenario)
    assert found["harms"] == {}
    assert found["schedules"] >= 1
