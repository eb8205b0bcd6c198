"""Fixes that wait for other fixes."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from stepcheck.cli import main

TABLE = """steps:
  pay:
    effect: non_idem_write
    call: shop.pay
    query: shop.find_payment
    compensat: shop.pay_back
"""


def test_a_fault_that_shows_once_another_is_mended_is_mended_in_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["check", "--fix", "--unsafe-fixes"])
    assert done.stderr == "a.yaml: 1 fixed\na.yaml: 1 fixed\n"
    assert done.exit_code == 0
    fixed = (tmp_path / "a.yaml").read_text().splitlines()
    assert fixed[5] == "    compensate: shop.pay_back"
    assert fixed[6].startswith("    compensate_deadline: ")
