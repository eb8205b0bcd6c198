"""Which files a run looks at: named ones, git's view of a folder where there is one, else our own walk."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from stepcheck.facts import Span, UnreadFile
from stepcheck.settings import Settings, UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    Spec: TypeAlias = GitIgnoreSpec

SUFFIXES = frozenset({".py", ".pyi", ".yaml", ".yml", ".toml", ".json"})
EXCLUDED = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".hypothesis",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".pyenv",
        ".ruff_cache",
        ".stepcheck_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)
"""Names of folders that hold no code of the project."""


@dataclass(frozen=True, slots=True, order=True)
class File:
    """One file to look at."""

    path: str
    """As findings show it: relative to the working directory, with forward slashes, always printable."""
    location: str
    """What to open."""
    suffix: str
    """What it is read as: one of SUFFIXES."""


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to look at, sorted by path, and folders whose files could not be listed."""

    files: tuple[File, ...]
    unread: tuple[UnreadFile, ...] = ()


def discover(paths: Sequence[str], settings: Settings, cwd: Path) -> Found:
    """The files that these paths stand for, each once.

    A file named by itself is looked at whatever excludes it (unless `force_exclude`). Links to folders are
    not followed; links to files are, unless the file itself is looked at too. Raises UsageError for a path
    that does not exist, is no regular file, or is of no kind that is read.
    """
    excluded = _Excluded(settings)
    walk = _Walk(cwd, excluded)
    found: dict[str, File] = {}
    for path in paths:
        location = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118 (bytes that are no UTF-8 survive)
        mode = _mode(path, location)
        if stat.S_ISDIR(mode):
            for file in walk.folder(location):
                found.setdefault(file.path, file)
        elif not stat.S_ISREG(mode):
            raise UsageError(f"{printable(path)}: is no regular file")
        elif not (settings.force_exclude and excluded(location)):
            file = File(relative(location, cwd), location, _suffix(path, location))
            found[file.path] = file
    return Found(tuple(_once(sorted(found.values()), walk.links)), tuple(sorted(walk.unread, key=_place)))


def relative(location: str, cwd: Path) -> str:
    """A path as findings show it; `../` where it is outside of the working directory."""
    try:
        path = os.path.relpath(location, cwd)
    except ValueError:  # another drive
        path = location
    return printable(path.replace(os.sep, "/"))


def printable(path: str) -> str:
    """The path with bytes that are no UTF-8 as escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _place(unread: UnreadFile) -> Span:
    return unread.span


def _mode(path: str, location: str) -> int:
    try:
        return os.stat(location).st_mode  # noqa: PTH116
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            raise UsageError(f"{printable(path)}: there is no such file or folder") from None
        raise UsageError(f"{printable(path)}: could not be read: {error.strerror}") from None
    except ValueError:  # a NUL in the path
        raise UsageError(f"{printable(path)!r}: is no path") from None


def _suffix(path: str, location: str) -> str:
    suffix = os.path.splitext(location)[1].lower()  # noqa: PTH122
    if suffix in SUFFIXES:
        return suffix
    if _runs_python(location):
        return ".py"
    raise UsageError(
        f"{printable(path)}: is neither Python, YAML, TOML nor JSON by its suffix, nor by a Python shebang"
    )


def _runs_python(location: str) -> bool:
    try:
        with open(location, "rb") as script:  # noqa: PTH123
            first = script.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first


def _once(files: Iterable[File], links: set[str]) -> Iterator[File]:
    """Leave out links to files that are there themselves, or that an earlier link leads to."""
    listed = list(files)
    seen = {file.location for file in listed if file.location not in links} if links else set()
    for file in listed:
        if file.location in links:
            real = os.path.realpath(file.location)
            if real in seen:
                continue
            seen.add(real)
        yield file


class _Excluded:
    """Whether the settings exclude a path."""

    def __init__(self, settings: Settings) -> None:
        self._root = settings.root
        self._names = EXCLUDED if settings.exclude is None else frozenset()
        patterns = (*(settings.exclude or ()), *settings.extend_exclude)
        self._spec = ignore_spec(patterns) if patterns else None

    def __call__(self, location: str, below: str | None = None) -> bool:
        """`below` is the folder that was asked for: what it is called itself excludes nothing in it."""
        if self._spec is None and not self._names:
            return False
        inside = os.path.relpath(location, below or self._root)
        if not self._names.isdisjoint(inside.split(os.sep)[:-1]):  # noqa: PTH206 (ten times faster)
            return True
        return self._spec is not None and self._spec.match_file(os.path.relpath(location, self._root))

    def folder(self, name: str) -> bool:
        """Whether nothing in any folder of that name is looked at."""
        return name in self._names


def ignore_spec(patterns: Iterable[str]) -> "Spec":
    """Patterns as in .gitignore."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 (slow to import, seldom needed)

    return GitIgnoreSpec.from_lines(patterns)


class _Walk:
    """Lists folders."""

    def __init__(self, cwd: Path, excluded: _Excluded) -> None:
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
        said = spec.check_file(os.path.relpath(location, folder)).include
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
