"""Files that are replaced in one go."""

import os
import stat
from pathlib import Path

import pytest

from stepcheck.writing import replace


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("given", [0o600, 0o640, 0o755])
def test_a_file_that_is_replaced_keeps_its_mode(given: int, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    file.chmod(given)
    replace(file, b"new\n")
    assert (file.read_text(), mode(file)) == ("new\n", given)


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_mode_that_the_umask_leaves(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        replace(tmp_path / "a.txt", b"new\n")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert mode(tmp_path / "a.txt") == 0o666 & ~mask


def test_what_could_not_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(OSError, match=r"a\.txt"):
        replace(tmp_path / "a.txt", b"new\n")
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
