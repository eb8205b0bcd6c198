"""Tables written as JSON into a folder of their own, run there by the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stepcheck.cli import main

LOOK = {"effect": "read", "call": "tests.running.calls.look"}
PAY = {"effect": "non_idem_write", "call": "tests.running.calls.pay", "query": "tests.running.calls.paid"}
MAIL = {"effect": "non_idem_write", "call": "tests.running.calls.mail", "on_uncertain": "human"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, and where the world's file is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUNNING_WORLD", str(tmp_path / "world"))
    return tmp_path


@pytest.fixture
def stepcheck(folder: Path) -> Callable[..., Result]:
    return lambda *arguments: CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture
def table(folder: Path) -> Callable[..., None]:
    """Write `steps.json`."""

    def write(**steps: Any) -> None:
        (folder / "steps.json").write_text(json.dumps({"steps": steps}))

    return write


@pytest.fixture
def params(folder: Path) -> Callable[..., None]:
    """Write `params.json`."""

    def write(**steps: Any) -> None:
        (folder / "params.json").write_text(json.dumps(steps))

    return write
