import os
from pathlib import Path

import pytest

from stepcheck import engine, processes
from stepcheck.settings import Settings

LOOP = """import time


def order(client):
    while True:
        try:
            return client.post("/orders")
        except Exception:
            time.sleep(1)
"""

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@forks
def test_several_processes_say_what_one_says(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"a{number}.py").write_text(LOOP if number % 2 else "def broken(:\n    post()\n", "utf-8")
    one, three = (engine.run(Settings(root=tmp_path, jobs=jobs), ["."], cwd=tmp_path) for jobs in (1, 3))
    assert one == three
    assert len(one.findings) >= 7


@forks
def test_what_a_process_that_ends_had_to_do_is_left(capfd: pytest.CaptureFixture[str]) -> None:
    parent = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != parent:
            os._exit(1)
        return number

    assert processes.spread(work, [0, 1, 2, 3], 2) == [(0, 0), (2, 2)]
    assert capfd.readouterr().err == ""


@forks
def test_there_is_one_process_for_few_files_and_what_is_asked_for_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("STEPCHECK_JOBS", raising=False)
    assert processes.jobs(None, processes.FEWEST - 1) == 1
    assert processes.jobs(3, 100) == 3
    assert processes.jobs(3, 2) == 2
    monkeypatch.setenv("STEPCHECK_JOBS", "5")
    assert processes.jobs(None, 10) == 5
