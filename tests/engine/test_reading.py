"""Bytes of files, and of what only looks like one."""

import os
from pathlib import Path

import pytest

from stepcheck import reading
from stepcheck.facts import Unreadable


def reason(path: Path, limit: int = 1_000_000) -> str:
    with pytest.raises(Unreadable) as caught:
        reading.read("a.py", str(path), limit)
    assert caught.value.unread.span.path == "a.py"
    return caught.value.unread.reason


@pytest.mark.parametrize("size", [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000])
def test_a_file_of_any_size_is_read_whole(size: int, tmp_path: Path) -> None:
    data = bytes(index % 251 for index in range(size))
    (tmp_path / "a.py").write_bytes(data)
    assert reading.read("a.py", str(tmp_path / "a.py"), 1_000_000) == data
    assert reading.read("a.py", str(tmp_path / "a.py"), size) == data


@pytest.mark.parametrize("limit", [10, 70_000])
def test_a_file_beyond_the_limit_is_not_read(limit: int, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * (limit + 1))
    assert reason(tmp_path / "a.py", limit) == (
        f"it has {limit + 1} bytes, and max-file-size is {limit}: raise that, or exclude the file"
    )


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_without_end_is_not_read_as_a_file() -> None:
    assert reason(Path("/dev/zero")) == "it is no regular file any more"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes of that kind here")
def test_a_pipe_in_a_files_place_is_neither_waited_for_nor_taken_for_an_empty_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    assert reason(tmp_path / "a.py") == "it is no regular file any more"
