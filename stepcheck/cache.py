"""What was told from code, kept from run to run: by content, the tool's own state, and the settings that matter.

One file holds it all. It is written beside its place and moved there, so that runs at the same time do not harm each
other: the last one's is kept. What is damaged or not ours is passed over; nothing in it is ever run.
"""

import contextlib
import hashlib
import importlib
import marshal
import os
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_FORM = 2
_FOLDER = ".stepcheck_cache"
_SEAL = 16
"""Bytes before the content that are its hash: only what was written whole is taken for ours."""
_ROOM = "stepcheck."
"""Only classes of ours are made again."""
_LATER = 2_000_000_000
"""Nanoseconds a file must be older than the cache to be trusted by its time and size alone."""


class Record(NamedTuple):
    """What is kept of a file: its size, time and content's hash, and what was told from it."""

    size: int
    time: int
    digest: bytes
    told: Any


class Cache:
    """The records of one folder of files. Read once, written once."""

    def __init__(self, folder: Path, names: str, name: str = "facts") -> None:
        """`names` are the settings that matter to what is told, `name` says what that is about."""
        self._folder = folder
        self._name = name
        self._key = (_FORM, sys.version, _made_by(), names)
        self._old: Mapping[str, tuple[Any, ...]] = {}
        self._new: dict[str, tuple[Any, ...]] = {}
        self._written = 0
        self._changed = False
        with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
            self._written = self._file.stat().st_mtime_ns
            sealed = memoryview(self._file.read_bytes())
            held = marshal.loads(sealed[_SEAL:]) if self.digest(sealed[_SEAL:]) == sealed[:_SEAL] else None
            if (
                isinstance(held, tuple)
                and len(held) == 2
                and held[0] == self._key
                and isinstance(held[1], dict)
            ):
                self._old = held[1]

    @property
    def _file(self) -> Path:
        return self._folder / self._name

    def unchanged(self, path: str, size: int, time: int) -> Any:
        """What was told of a file, where neither size nor time have changed since; raises KeyError."""
        record = self._old[path]
        known_size, known_time, _, told = record
        if known_size != size or known_time != time or not self.settled(time):
            raise KeyError(path)
        self._new[path] = record
        return None if told is None else from_plain(told)

    def settled(self, time: int) -> bool:
        """Whether what was changed at a time is surely not changed since by anything that its time does not show."""
        return time + _LATER <= self._written

    def same(self, path: str, size: int, time: int, digest: bytes) -> Any:
        """What was told of a file with this content; raises KeyError."""
        record = Record(*self._old[path])
        if record.digest != digest:
            raise KeyError(path)
        self._new[path] = (size, time, digest, record.told)
        self._changed = True
        return from_plain(record.told)

    def keep(self, path: str, size: int, time: int, digest: bytes, told: Any) -> None:
        """Keep what was told of a file, where it is made of plain data and classes of ours."""
        with contextlib.suppress(ValueError):
            self._new[path] = (size, time, digest, to_plain(told))
            self._changed = True

    def digest(self, data: bytes | memoryview) -> bytes:
        """The hash of a file's content."""
        return hashlib.blake2b(data, digest_size=_SEAL).digest()

    def write(self) -> None:
        """Write what is new; where that cannot be, the next run starts from nothing."""
        if not self._changed:
            return
        with contextlib.suppress(OSError):
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True)
                (self._folder / ".gitignore").write_text("# made by stepcheck\n*\n", "utf-8")
            beside = self._folder / f"{self._name}.{os.getpid()}"
            held = marshal.dumps((self._key, {**self._old, **self._new}))
            beside.write_bytes(self.digest(held) + held)
            beside.replace(self._file)


def folder(root: Path, asked: Path | None) -> Path:
    """Where the cache of a project is: as asked, as STEPCHECK_CACHE_DIR says, or in the project itself."""
    return asked or Path(os.environ.get("STEPCHECK_CACHE_DIR") or root / _FOLDER)


@lru_cache
def _made_by() -> str:
    """The tool's own modules by their names, sizes and times: a changed rule or table makes the cache void."""
    seen = hashlib.blake2b(digest_size=16)
    for top, folders, names in os.walk(os.path.dirname(__file__)):  # noqa: PTH120 (hundreds of files)
        folders.sort()
        for name in sorted(names):
            if not name.endswith((".pyc", ".md")):
                found = os.stat(os.path.join(top, name))  # noqa: PTH116, PTH118
                seen.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return seen.hexdigest()


def to_plain(value: Any) -> Any:
    """A value as tuples, texts and numbers; raises ValueError for one that is made of something else."""
    kind = type(value)
    if value is None or kind in (str, int, float, bool, bytes):
        return value
    if kind in (tuple, list, frozenset):
        parts = [to_plain(part) for part in value]
        return (kind.__name__, *(sorted(parts, key=repr) if kind is frozenset else parts))
    if not kind.__module__.startswith(_ROOM):
        raise ValueError(kind)
    if isinstance(value, Enum):
        return ("enum", kind.__module__, kind.__qualname__, value.name)
    if is_dataclass(value):
        names = [field.name for field in fields(value) if field.init]
        return (
            "made",
            kind.__module__,
            kind.__qualname__,
            *[to_plain(getattr(value, name)) for name in names],
        )
    if isinstance(value, tuple):
        return ("made", kind.__module__, kind.__qualname__, *[to_plain(part) for part in value])
    raise ValueError(kind)


def from_plain(plain: Any) -> Any:
    """The value that `to_plain` was given; raises KeyError for anything it did not make."""
    try:
        return _made(plain)
    except (TypeError, ValueError, IndexError, AttributeError, ImportError, RecursionError) as error:
        raise KeyError("no record of ours") from error


def _made(plain: Any) -> Any:
    if type(plain) is not tuple:
        return plain
    tag = plain[0]
    if tag == "enum":
        return _class(plain[1], plain[2])[plain[3]]
    if tag == "made":
        return _class(plain[1], plain[2])(*[_made(part) for part in plain[3:]])
    return {"tuple": tuple, "list": list, "frozenset": frozenset}[tag](_made(part) for part in plain[1:])


@lru_cache(1_000)
def _class(module: str, name: str) -> Any:
    if not module.startswith(_ROOM) or "." in name:
        raise ValueError(module)
    found = getattr(importlib.import_module(module), name)
    if not (isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum | tuple))):
        raise ValueError(name)
    return found
