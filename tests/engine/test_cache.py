import os
from pathlib import Path
from typing import Any

import pytest

from stepcheck import codefacts, engine, looking
from stepcheck.cache import Cache, from_plain, to_plain
from stepcheck.facts import Effect, Span
from stepcheck.report import Report
from stepcheck.settings import Settings

LOOP = """import time


def order(client):
    while True:
        try:
            return client.post("/orders")
        except Exception:
            time.sleep(1)
"""


def check(folder: Path, **given: Any) -> Report:
    return engine.run(Settings(root=folder, cache=True, **given), ["."], cwd=folder)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"a{number}.py").write_text(LOOP, "utf-8")
        os.utime(tmp_path / f"a{number}.py", (1_000_000, 1_000_000))
    return tmp_path


def test_a_second_run_says_the_same_without_reading_any_code(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = check(tree)
    assert len(first.findings) >= 4
    assert (tree / ".stepcheck_cache" / ".gitignore").read_text("utf-8") == "# made by stepcheck\n*\n"

    def read(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(codefacts, "code_facts", read)
    monkeypatch.setattr(looking, "code_facts", read)
    assert check(tree) == first


def test_a_file_that_changes_is_read_again_whatever_its_time_says(tree: Path) -> None:
    check(tree)
    (tree / "a0.py").write_text(LOOP.replace("post", "gets"), "utf-8")
    os.utime(tree / "a0.py", (2_000_000, 2_000_000))
    assert "a0.py" not in {one.span.path for one in check(tree).findings if one.rule == "retry-without-query"}


@pytest.mark.parametrize("bad", [b"", b"\x00", b"not ours", b"\xf3" * 40])
def test_a_damaged_cache_is_passed_over(tree: Path, bad: bytes) -> None:
    first = check(tree)
    (tree / ".stepcheck_cache" / "facts").write_bytes(bad)
    assert check(tree) == first


def test_a_cache_in_which_one_byte_has_changed_is_passed_over(tree: Path) -> None:
    first = check(tree)
    place = tree / ".stepcheck_cache" / "facts"
    kept = place.read_bytes()
    for at in [*range(0, len(kept), 40), len(kept) - 1]:
        place.write_bytes(kept[:at] + bytes([kept[at] ^ 1]) + kept[at + 1 :])
        assert check(tree) == first, at


def test_what_other_settings_told_is_not_taken(tree: Path) -> None:
    Cache(tree, "one").write()
    held = Cache(tree, "one")
    held.keep("a.py", 1, 1, b"x", None)
    held.write()
    assert Cache(tree, "one").same("a.py", 1, 1, b"x") is None
    with pytest.raises(KeyError):
        Cache(tree, "two").same("a.py", 1, 1, b"x")


def test_the_own_cache_is_no_folder_to_look_into(tree: Path) -> None:
    check(tree)
    (tree / ".stepcheck_cache" / ".gitignore").unlink()
    (tree / ".stepcheck_cache" / "odd.py").write_text(LOOP, "utf-8")
    assert ".stepcheck_cache/odd.py" not in check(tree).files


def test_nothing_is_kept_where_that_is_not_wanted(tree: Path) -> None:
    engine.run(Settings(root=tree), ["."], cwd=tree)
    assert not (tree / ".stepcheck_cache").exists()


def test_values_survive_and_nothing_else_is_made() -> None:
    value = (Span("a.py", 1, 2, 3, 4), Effect.READ, ("x", None, True), frozenset({"b", "a"}))
    assert from_plain(to_plain(value)) == value
    with pytest.raises(ValueError, match="object"):
        to_plain(object())
    for strange in (
        ("made", "os", "system", "true"),
        ("enum", "stepcheck.facts", "nothing", "x"),
        ("odd",),
        (),
    ):
        with pytest.raises(KeyError):
            from_plain(strange)
