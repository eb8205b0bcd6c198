"""Files made to break a linter end soon, with a report."""

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

from stepcheck import engine
from stepcheck.settings import Settings

UNREAD = {"1,500 brackets", "100,000 open brackets", "no end of a text", "a sum of 5,000 parts", "no UTF-8"}
QUICK = [
    *sorted(UNREAD),
    "a chain of 2,000 calls",
    "60 retry loops in one function",
    "1,000 retry loops in one function",
    "200 handlers",
    "90 decorators on each of 50 functions",
    "a match of 3,000 cases",
    "a text with 3,000 fields",
    "90 lambdas in lambdas",
]
"""What took longest before it was mended, and what is quick; the benchmark runs all."""


@pytest.fixture(scope="module")
def hostile() -> ModuleType:
    place = Path(__file__).parents[2] / "benchmarks" / "_hostile.py"
    spec = importlib.util.spec_from_file_location("_hostile", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_file_ends_soon_with_a_report(name: str, hostile: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_bytes(hostile.hostile_file(name))
    began = time.process_time()
    report = engine.run(Settings(root=tmp_path), ("hostile.py",), cwd=tmp_path)
    spent = time.process_time() - began
    assert [one.path for one in report.unread] == (["hostile.py"] if name in UNREAD else [])
    written_again = [one.span.line for one in report.findings if one.rule == "retry-without-query"]
    assert written_again[:1] == ([] if name in UNREAD else [6])
    assert spent < 4  # two seconds at most on an idle machine, and as much again on a busy one
