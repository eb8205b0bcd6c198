"""Which files a run looks at."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stepcheck.excluded import Excluded
from stepcheck.facts import Span, UnreadFile
from stepcheck.listing import SUFFIXES, File, Walk, printable, relative
from stepcheck.settings import Settings, UsageError


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
    excluded = Excluded(settings)
    walk = Walk(cwd, excluded)
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


def piped(path: str, settings: Settings, cwd: Path) -> Found:
    """The standard input as the file that it is called. Raises UsageError for a kind that is not read."""
    location = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118
    suffix = os.path.splitext(path)[1].lower() or ".py"  # noqa: PTH122
    if suffix not in SUFFIXES:
        raise UsageError(f"{printable(path)}: is neither Python, YAML, TOML nor JSON by its suffix")
    if settings.force_exclude and Excluded(settings)(location):
        return Found(())
    return Found((File(relative(location, cwd), location, suffix),))


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
