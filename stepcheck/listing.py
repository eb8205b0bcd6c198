"""The files of a folder: git's view of it where there is one, else our walk, which minds .gitignore files."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stepcheck.excluded import Excluded, ignore_spec, within
from stepcheck.facts import Span, UnreadFile

if TYPE_CHECKING:
    from stepcheck.excluded import Spec

PYTHON = frozenset({".py", ".pyi"})
SUFFIXES = frozenset({".py", ".pyi", ".yaml", ".yml", ".toml", ".json"})


@dataclass(frozen=True, slots=True, order=True)
class File:
    """One file to look at."""

    path: str
    """As findings show it: relative to the working directory, with forward slashes, always printable."""
    location: str
    """What to open."""
    suffix: str
    """What it is read as: one of SUFFIXES."""


def relative(location: str, cwd: Path) -> str:
    """A path as findings show it; `../` where it is outside of the working directory."""
    try:
        path = within(location, str(cwd))
    except ValueError:  # another drive
        path = location
    return printable(path.replace(os.sep, "/"))


def printable(path: str) -> str:
    """The path with bytes that are no UTF-8 as escapes."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class Walk:
    """Lists folders."""

    def __init__(self, cwd: Path, excluded: Excluded) -> None:
        self._cwd = cwd
        self._excluded = excluded
        self.links: set[str] = set()
        """Files that are links."""
        self.unread: list[UnreadFile] = []

    def folder(self, top: str) -> Iterator[File]:
        """Every file in the folder that is of a kind we read and not excluded."""
        inside = _git_files(top) if _in_work_tree(top) else None
        # Git lists nothing of a folder that is itself ignored; whoever names it wants it looked at.
        for location in self._from_git(top, inside) if inside else self._own(top):
            suffix = os.path.splitext(location)[1].lower()  # noqa: PTH122
            if not self._excluded(location, top):
                yield File(relative(location, self._cwd), location, suffix)

    def _from_git(self, top: str, inside: list[str]) -> Iterator[str]:
        for name in inside:
            location = os.path.join(top, name)  # noqa: PTH118
            try:
                mode = os.lstat(location.rstrip("/")).st_mode
            except OSError:  # deleted, and still in the index
                continue
            if stat.S_ISDIR(mode):  # another repository, or a submodule: its files are not listed here
                yield from self._nested(location.rstrip("/"), top)
            elif os.path.splitext(name)[1].lower() in SUFFIXES and self._is_file(location, mode):  # noqa: PTH122
                yield location

    def _nested(self, location: str, top: str) -> Iterator[str]:
        if not self._excluded(os.path.join(location, "x"), top):  # noqa: PTH118
            inside = _git_files(location)
            yield from self._from_git(location, inside) if inside is not None else self._own(location)

    def _is_file(self, location: str, mode: int) -> bool:
        if stat.S_ISREG(mode):
            return True
        if stat.S_ISLNK(mode) and os.path.isfile(location):  # noqa: PTH113
            self.links.add(location)
            return True
        return False

    def _own(self, top: str) -> Iterator[str]:
        """A walk that minds .gitignore files, without git."""
        waiting: list[tuple[str, tuple[tuple[str, Spec], ...]]] = [(top, ())]
        while waiting:
            folder, specs = waiting.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                place = Span(relative(folder, self._cwd), 1, 1, 1, 1)
                self.unread.append(UnreadFile(place, f"the folder could not be listed: {error.strerror}"))
                continue
            specs += _own_ignores(folder, entries)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    # Only by name: a spec may bring back files of a folder that it seems to match as a whole.
                    if not self._excluded.folder(entry.name):
                        waiting.append((entry.path, specs))
                elif os.path.splitext(entry.name)[1].lower() in SUFFIXES:  # noqa: PTH122
                    mode = entry.stat(follow_symlinks=False).st_mode
                    if self._is_file(entry.path, mode) and not _ignored(entry.path, specs):
                        yield entry.path


def _own_ignores(folder: str, entries: list[os.DirEntry[str]]) -> "tuple[tuple[str, Spec], ...]":
    for entry in entries:
        if entry.name == ".gitignore" and entry.is_file():
            try:
                with open(entry.path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
                    return ((folder, ignore_spec(file.read().splitlines())),)
            except (OSError, ValueError):
                return ()
    return ()


def _ignored(location: str, specs: "tuple[tuple[str, Spec], ...]") -> bool:
    """Whether the innermost .gitignore that says anything about the file ignores it."""
    for folder, spec in reversed(specs):
        said = spec.check_file(within(location, folder)).include
        if said is not None:
            return said
    return False


def _in_work_tree(folder: str) -> bool:
    place = Path(folder)
    return any((above / ".git").exists() for above in (place, *place.parents))


def _git_files(folder: str) -> list[str] | None:
    """What git tracks or would track below the folder, relative to it; None where git cannot say."""
    import subprocess  # noqa: PLC0415 (slow to import; not needed for single files)

    # A hook's GIT_DIR would point git at another repository; a repository's own fsmonitor would be run.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
    except OSError:
        return None
    if done.returncode or done.stderr:
        return None
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
