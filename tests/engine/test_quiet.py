import os
from collections.abc import Callable
from pathlib import Path

import pytest

from stepcheck import codefacts, engine, looking, reading
from stepcheck.analysis.consulted import Consulted, modules_in
from stepcheck.listing import File
from stepcheck.quiet import Quiet
from stepcheck.report import Report
from stepcheck.settings import Settings

TABLE = 'STEPS = {"pay": {"call": pay, "effect": "non_idem_write", "query": find, "retry": KIND}}\n'


def write(folder: Path, name: str, text: str, time: int = 1_000_000) -> File:
    place = folder / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, "utf-8")
    os.utime(place, (time, time))
    return File(name, str(place), place.suffix)


def check(folder: Path) -> Report:
    return engine.run(Settings(root=folder, cache=True), ["."], cwd=folder)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read."""
    found: list[str] = []
    real = reading.read

    def noted(path: str, location: str, limit: int) -> bytes:
        found.append(path)
        return real(path, location, limit)

    monkeypatch.setattr(looking.reading, "read", noted)
    monkeypatch.setattr(codefacts.reading, "read", noted)
    return found


def test_what_holds_no_step_is_not_read_a_second_time(tmp_path: Path, read: list[str]) -> None:
    write(tmp_path, "a.py", "def f():\n    return g(call=h)\n")
    write(tmp_path, "b.yaml", "x: 1\n")
    write(tmp_path, "c.py", TABLE)
    first = check(tmp_path)
    assert {"a.py", "b.yaml", "c.py"} == set(read)
    read.clear()
    assert check(tmp_path) == first
    assert set(read) == {"c.py"}


def test_a_table_that_comes_into_a_quiet_file_is_found(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "x = 1\n")
    write(tmp_path, "b.py", "x = 1\n")
    assert check(tmp_path).findings == ()
    write(tmp_path, "a.py", 'STEPS = {"a": {"call": f, "effect": "wirte"}}\n', 1_000_001)
    assert {one.rule for one in check(tmp_path).findings} >= {"unknown-effect"}


def test_a_file_with_an_ignore_comment_is_read_each_time(tmp_path: Path, read: list[str]) -> None:
    write(tmp_path, "a.py", "x = 1  # stepcheck: ignore[unknown-effect] -- because\n")
    write(tmp_path, "b.py", "x = 1\n")
    first = check(tmp_path)
    assert [one.rule for one in first.findings] == ["unused-ignore"]
    read.clear()
    assert check(tmp_path) == first
    assert set(read) == {"a.py"}


def test_a_step_that_stands_alone_is_read_each_time(tmp_path: Path, read: list[str]) -> None:
    write(tmp_path, "alone.py", 'PAY = {"call": pay, "effect": "wirte"}\n')
    write(tmp_path, "b.py", "import alone\n\nwork = [alone.PAY]\n")
    first = check(tmp_path)
    read.clear()
    assert check(tmp_path) == first
    assert "alone.py" in read


def test_what_is_no_python_is_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py", "def f(:\n    while True:\n        requests.post(idempotency_key=1)\n")
    write(tmp_path, "b.py", "x = 1\n")
    first = check(tmp_path)
    assert [one.path for one in first.unread] == ["a.py"]

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(codefacts, "code_facts", never)
    monkeypatch.setattr(looking, "code_facts", never)
    assert check(tmp_path) == first


def appear(folder: Path) -> None:
    write(folder, "c.py", "")


def change(folder: Path) -> None:
    write(folder, "b.py", "xy = 1\n")


def touch(folder: Path) -> None:
    os.utime(folder / "b.py", (2_000_000, 2_000_000))


def vanish(folder: Path) -> None:
    (folder / "b.py").unlink()


def add(folder: Path) -> None:
    write(folder, "p/more.py", "")


def nothing(_: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("happens", "holds"),
    [(nothing, True), (appear, False), (change, False), (touch, False), (vanish, False), (add, False)],
)
def test_a_file_is_quiet_as_long_as_what_it_rests_on_stays(
    tmp_path: Path, happens: Callable[[Path], None], holds: bool
) -> None:
    a = write(tmp_path, "a.py", "x = 1\n")
    write(tmp_path, "b.py", "x = 1\n")
    write(tmp_path, "p/one.py", "")
    settings = Settings(root=tmp_path)
    consulted = Consulted({"b.py", "no.py"}, {"b.py": True, "c.py": False}, {"p": modules_in(tmp_path / "p")})
    assert consulted.folders == {"p": ("one",)}
    before = Quiet(settings, tmp_path)
    assert not before.holds(a)
    before.keep(a, 6, consulted)
    before.write()
    happens(tmp_path)
    assert Quiet(settings, tmp_path).holds(a) is holds


def test_other_settings_and_another_place_know_nothing(tmp_path: Path) -> None:
    a = write(tmp_path, "a.py", "x = 1\n")
    before = Quiet(Settings(root=tmp_path), tmp_path)
    before.keep(a, 6)
    before.write()
    assert Quiet(Settings(root=tmp_path), tmp_path).holds(a)
    assert not Quiet(Settings(root=tmp_path, source_roots=("lib",)), tmp_path).holds(a)
    (tmp_path / "p").mkdir()
    assert not Quiet(Settings(root=tmp_path), tmp_path / "p").holds(a)


def test_a_file_that_grew_while_it_was_read_is_not_kept(tmp_path: Path) -> None:
    a = write(tmp_path, "a.py", "x = 1\n")
    before = Quiet(Settings(root=tmp_path), tmp_path)
    before.keep(a, 5)
    before.write()
    assert not Quiet(Settings(root=tmp_path), tmp_path).holds(a)
