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
    not followed; links to files are, unless the file itself is looked at too. What is there and is no file
    that could be read is among the unread. Raises UsageError for a path that does not exist, or is of no kind
    that is read.
    """
    excluded = Excluded(settings)
    walk = Walk(cwd, excluded)
    found: dict[str, File] = {}
    unread: list[UnreadFile] = []
    for path in paths:
        location = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118 (bytes that are no UTF-8 survive)
        mode, why = _mode(path, location)
        if why:
            unread.append(UnreadFile(Span(relative(location, cwd), 1, 1, 1, 1), why))
        elif stat.S_ISDIR(mode):
            for file in walk.folder(location):
                found.setdefault(file.path, file)
        elif not (settings.force_exclude and excluded(location)):
            file = File(relative(location, cwd), location, _suffix(path, location))
            found[file.path] = file
    return Found(
        tuple(_once(sorted(found.values()), walk.links)), tuple(sorted([*walk.unread, *unread], key=_place))
    )


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


def _mode(path: str, location: str) -> tuple[int, str]:
    """The mode of what a path leads to, and why that cannot be read, if so."""
    try:
        mode = os.stat(location).st_mode  # noqa: PTH116
    except OSError as error:
        if os.path.islink(location):  # noqa: PTH114
            gone = error.errno in (errno.ENOENT, errno.ENOTDIR)
            return 0, "the link leads nowhere" if gone else f"the link cannot be followed: {error.strerror}"
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            raise UsageError(f"{printable(path)}: there is no such file or folder") from None
        return 0, f"it cannot be opened: {error.strerror}"
    except ValueError:  # a NUL in the path
        raise UsageError(f"{printable(path)!r}: is no path") from None
    return mode, "" if stat.S_ISDIR(mode) or stat.S_ISREG(mode) else "it is no regular file"


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
