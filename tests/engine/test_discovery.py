import errno
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stepcheck import listing
from stepcheck.config import Settings, UsageError
from stepcheck.discovery import discover
from stepcheck.excluded import EXCLUDED


def write(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")


def found(folder: Path, *paths: str, **settings: object) -> list[str]:
    given = replace(Settings(root=folder), **settings)  # type: ignore[arg-type]
    return [file.path for file in discover(paths or (".",), given, folder).files]


def refused(folder: Path, *paths: str, **settings: object) -> str:
    with pytest.raises(UsageError) as told:
        found(folder, *paths, **settings)
    return str(told.value)


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    write(folder, *names)
    return folder


def test_files_of_the_kinds_we_read_are_found_in_order_and_no_others(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a.pyi", "c.yaml", "d/e.yml", "d/a.toml", "z.json", "README.md", "x.pyc", "Y.PY")
    assert found(tmp_path) == ["Y.PY", "a.pyi", "b.py", "c.yaml", "d/a.toml", "d/e.yml", "z.json"]


def test_folders_that_hold_no_code_of_the_project_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", *(f"{name}/x.py" for name in EXCLUDED), "src/node_modules/x.json")
    assert found(tmp_path) == ["a.py"]


def test_a_folder_that_is_named_is_looked_into_whatever_it_is_called(tmp_path: Path) -> None:
    write(tmp_path, "build/a.py", "build/dist/b.py")
    assert found(tmp_path, "build") == ["build/a.py"]


def test_a_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "x.py/inner.py")
    assert found(tmp_path) == ["x.py/inner.py"]
    assert found(tmp_path, "x.py") == ["x.py/inner.py"]


def test_exclude_stands_in_place_of_the_default_and_extend_exclude_adds(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "build/b.py", "gen/c.py", "gen/keep.py", "d.json")
    assert found(tmp_path, exclude=("gen/*", "!gen/keep.py")) == [
        "a.py",
        "build/b.py",
        "d.json",
        "gen/keep.py",
    ]
    assert found(tmp_path, extend_exclude=("*.json",)) == ["a.py", "gen/c.py", "gen/keep.py"]


def test_patterns_are_relative_to_the_root_not_to_the_working_directory(tmp_path: Path) -> None:
    write(tmp_path, "a/x.py", "a/a/x.py")
    settings = Settings(root=tmp_path, extend_exclude=("/a/x.py",))
    assert [file.path for file in discover((".",), settings, tmp_path / "a").files] == ["a/x.py"]


def test_a_named_file_is_looked_at_although_it_is_excluded(tmp_path: Path) -> None:
    write(tmp_path, "gen/c.py", "build/b.py")
    assert found(tmp_path, "gen/c.py", "build/b.py", extend_exclude=("gen/",)) == ["build/b.py", "gen/c.py"]
    assert found(tmp_path, "gen/c.py", "build/b.py", extend_exclude=("gen/",), force_exclude=True) == []


def test_nested_gitignore_files_count_without_git(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py", "in/a.py", "in/b.py", "in/deep/b.py", "in/deep/c.py")
    (tmp_path / ".gitignore").write_text("/a.py\nb.py\n")
    (tmp_path / "in" / ".gitignore").write_text("!b.py\ndeep/c.py\n")
    assert found(tmp_path) == ["in/a.py", "in/b.py", "in/deep/b.py"]


def test_a_gitignore_that_takes_all_and_gives_some_back_is_followed_into_folders(tmp_path: Path) -> None:
    write(tmp_path, "a/x.py", "a/x.yaml", "y.yaml")
    (tmp_path / ".gitignore").write_text("*\n!*/\n!*.yaml\n")
    assert found(tmp_path) == ["a/x.yaml", "y.yaml"]


def test_our_own_walk_finds_what_git_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        "a.py",
        "b.json",
        "in/a.py",
        "in/b.json",
        "in/deep/a.py",
        "in/deep/c.json",
        "out/x.py",
        "out/y.py",
    )
    repository(tmp_path, *names)
    (tmp_path / ".gitignore").write_text("*.json\n!/in/**/c.json\nout/*\n!out/y.py\n")
    (tmp_path / "in" / ".gitignore").write_text("/a.py\n")
    asked = found(tmp_path)
    monkeypatch.setattr(listing, "_git_files", lambda folder: None)
    assert found(tmp_path) == asked == ["a.py", "in/deep/a.py", "in/deep/c.json", "out/y.py"]


def test_git_tells_tracked_files_and_those_not_yet_tracked(tmp_path: Path) -> None:
    repository(tmp_path, "tracked.py", "gone.py", "new.py", "ignored.py")
    (tmp_path / ".gitignore").write_text("ignored.py\ntracked.py\n")
    git(tmp_path, "add", "-f", "tracked.py", "gone.py")
    (tmp_path / "gone.py").unlink()
    assert found(tmp_path) == ["new.py", "tracked.py"]


def test_a_subfolder_of_a_repository_is_looked_at_alone(tmp_path: Path) -> None:
    repository(tmp_path, "a.py", "in/b.py", "in/c/d.py")
    assert found(tmp_path, "in") == ["in/b.py", "in/c/d.py"]


def test_an_ignored_folder_that_is_named_is_looked_into(tmp_path: Path) -> None:
    repository(tmp_path, "scratch/a.py")
    (tmp_path / ".gitignore").write_text("scratch/\n")
    assert found(tmp_path) == []
    assert found(tmp_path, "scratch") == ["scratch/a.py"]


def test_a_repository_inside_of_another_is_looked_into(tmp_path: Path) -> None:
    repository(tmp_path, "a.py")
    repository(tmp_path / "inner.lib", "b.py", "c.py")
    (tmp_path / "inner.lib" / ".gitignore").write_text("c.py\n")
    assert found(tmp_path) == ["a.py", "inner.lib/b.py"]


def test_a_hook_may_have_set_git_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", "x.py")
    here = repository(tmp_path / "here", "a.py", "b.py", "c.py")
    (here / ".gitignore").write_text("b.py\nc.py\n")
    git(here, "add", "-f", "b.py")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert found(here) == ["a.py", "b.py"]


def test_without_git_on_the_machine_we_walk_ourselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_text("b.py\n")
    monkeypatch.setenv("PATH", "")
    assert found(tmp_path) == ["a.py"]


def test_a_program_that_the_repository_configures_is_not_run(tmp_path: Path) -> None:
    repository(tmp_path, "a.py")
    program = tmp_path / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(program))
    assert found(tmp_path) == ["a.py"]
    assert not (tmp_path / "ran").exists()


def test_each_file_is_there_once_however_often_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, "a/x.py")
    assert found(tmp_path, "a", ".", "a/x.py", "./a/../a/x.py", str(tmp_path / "a" / "x.py")) == ["a/x.py"]


def test_a_file_outside_of_the_working_directory_is_told_by_dots(tmp_path: Path) -> None:
    write(tmp_path, "here/a.py", "there/b.py")
    settings = Settings(root=tmp_path)
    files = discover((str(tmp_path / "there"),), settings, tmp_path / "here").files
    assert [file.path for file in files] == ["../there/b.py"]


def test_links_to_folders_are_not_followed_and_loops_end(tmp_path: Path) -> None:
    write(tmp_path, "a/x.py")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "b.py").symlink_to(tmp_path / "b.py")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    assert found(tmp_path) == ["a/x.py"]
    repository(tmp_path)
    assert found(tmp_path) == ["a/x.py"]


def test_a_link_to_a_file_is_followed_unless_the_file_is_there_itself(tmp_path: Path) -> None:
    write(tmp_path, "in/a.py", "in/b.py", "out/c.py")
    (tmp_path / "in" / "0.py").symlink_to(tmp_path / "in" / "a.py")
    (tmp_path / "in" / "c.py").symlink_to(tmp_path / "out" / "c.py")
    (tmp_path / "in" / "d.py").symlink_to(tmp_path / "out" / "c.py")
    assert found(tmp_path, "in") == ["in/a.py", "in/b.py", "in/c.py"]
    repository(tmp_path)
    assert found(tmp_path, "in") == ["in/a.py", "in/b.py", "in/c.py"]


def test_pipes_and_sockets_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with socket.socket(socket.AF_UNIX) as held:
        monkeypatch.chdir(tmp_path)  # the name of a socket must be short
        held.bind("s.json")
    assert found(tmp_path) == []


def test_what_is_named_and_is_no_readable_file_is_told_and_the_others_are_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "good.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    paths = ("pipe.py", "gone.py", "loop.py", os.devnull, "good.py")
    seen = discover(paths, Settings(root=tmp_path), tmp_path)
    assert [file.path for file in seen.files] == ["good.py"]
    told = {Path(one.span.path).name: one.reason for one in seen.unread}
    assert told == {
        "null": "it is no regular file",
        "pipe.py": "it is no regular file",
        "gone.py": "the link leads nowhere",
        "loop.py": f"the link cannot be followed: {os.strerror(errno.ELOOP)}",
    }


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    assert refused(tmp_path, "a.py", "b.py") == "b.py: there is no such file or folder"
    assert refused(tmp_path, "a.py/b.py") == "a.py/b.py: there is no such file or folder"
    assert refused(tmp_path, "a\0b") == "'a\\x00b': is no path"


def test_a_named_file_of_another_kind_is_refused_unless_it_runs_python(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/usr/bin/env python3\n")
    (tmp_path / "other").write_text("#!/bin/sh\n")
    assert found(tmp_path, "script") == ["script"]
    assert (
        refused(tmp_path, "other")
        == "other: is neither Python, YAML, TOML nor JSON by its suffix, nor by a Python shebang"
    )


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py", "shut/b.py")
    scandir = os.scandir

    def guarded(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    there = discover((".",), Settings(root=tmp_path), tmp_path)
    assert [file.path for file in there.files] == ["a.py"]
    assert [(unread.span.path, unread.reason) for unread in there.unread] == [
        ("shut", "the folder could not be listed: Permission denied")
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("tracked", [False, True])
def test_a_name_that_is_no_utf8_is_shown_with_escapes(tmp_path: Path, tracked: bool) -> None:
    if tracked:
        repository(tmp_path)
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text("")
    assert found(tmp_path) == ["caf\\xe9.py"]


def test_a_single_file_needs_no_git(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    program = (
        "import sys; from pathlib import Path; from stepcheck.config import Settings;"
        f"from stepcheck.discovery import discover; here = Path({str(tmp_path)!r});"
        "print(len(discover(['a.py'], Settings(root=here), here).files),"
        "'subprocess' in sys.modules, 'pathspec' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False", "False"]
