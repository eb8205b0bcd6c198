"""Files in which an earlier run found neither a step nor an ignore comment, so that they are not read again."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from stepcheck import cache
from stepcheck.analysis.consulted import Consulted, modules_in
from stepcheck.listing import File
from stepcheck.settings import Settings

_Stamp: TypeAlias = tuple[int, int] | None
"""Size and time of a file; None where there is none."""


class Quiet:
    """The quiet files of one folder, as the last run left them.

    What a file says of steps depends on others where it takes names from them: it stays quiet as long as those are
    what they were, and no file stands where one was looked for in vain.
    """

    def __init__(self, settings: Settings, cwd: Path) -> None:
        self._cwd = cwd
        place = os.path.relpath(cwd, settings.root)
        names = repr((place, settings.source_roots, settings.tables, settings.max_file_size))
        self._kept = cache.Cache(cache.folder(settings.root, settings.cache_dir), names, "quiet")
        self._stamps: dict[str, _Stamp] = {}
        self._folders: dict[str, tuple[str, ...]] = {}

    def holds(self, file: File) -> bool:
        """Whether a file is known to be quiet."""
        try:
            found = os.stat(file.location)  # noqa: PTH116 (thousands of files)
            told = self._kept.unchanged(file.path, found.st_size, found.st_mtime_ns)
            return told is None or self._as_before(*told)
        except (KeyError, OSError, TypeError, ValueError):
            return False

    def keep(self, file: File, size: int, consulted: Consulted | None = None) -> None:
        """Know a file of so many bytes as quiet from now on."""
        try:
            found = os.stat(file.location)  # noqa: PTH116
        except OSError:
            return
        if found.st_size == size:
            told = None if consulted is None else self._stamped(consulted)
            self._kept.keep(file.path, size, found.st_mtime_ns, b"", told)

    def write(self) -> None:
        """Write what is new."""
        self._kept.write()

    def _stamped(self, consulted: Consulted) -> tuple[Any, ...]:
        return (
            tuple((path, self._stamp(path)) for path in sorted(consulted.read)),
            tuple((path, there) for path, there in sorted(consulted.files.items())),
            tuple((folder, names) for folder, names in sorted(consulted.folders.items())),
        )

    def _as_before(
        self,
        read: Iterable[tuple[str, _Stamp]],
        files: Iterable[tuple[str, bool]],
        folders: Iterable[tuple[str, tuple[str, ...]]],
    ) -> bool:
        return (
            all(
                self._stamp(path) == stamp and (not stamp or self._kept.settled(stamp[1]))
                for path, stamp in read
            )
            and all((self._stamp(path) is not None) == there for path, there in files)
            and all(self._names(folder) == names for folder, names in folders)
        )

    def _stamp(self, path: str) -> _Stamp:
        if path not in self._stamps:
            location = self._cwd / path
            found = os.stat(location) if location.is_file() else None  # noqa: PTH116
            self._stamps[path] = None if found is None else (found.st_size, found.st_mtime_ns)
        return self._stamps[path]

    def _names(self, folder: str) -> tuple[str, ...]:
        if folder not in self._folders:
            self._folders[folder] = modules_in(self._cwd / folder)
        return self._folders[folder]
