"""What the code of each file says, by several processes for large trees, and from the cache where nothing changed."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from stepcheck import anchors, processes, reading
from stepcheck.facts import Unreadable, UnreadFile
from stepcheck.listing import PYTHON, File, relative
from stepcheck.settings import Settings
from stepcheck.sources import Sources

if TYPE_CHECKING:
    from stepcheck.cache import Cache

_TEST = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test|conftest)\.py|(?:(?!\.\.?/)[^/]+/)*tests/.*")
"""A file of tests: what is repeated there is repeated for nobody, and often on purpose. Of a file outside of the root
only its own name tells: the folders above it are not the project's."""
_TESTS_WITH = re.compile(rb"^(?:import|from)[ \t]+pytest\b", re.MULTILINE)


class CodeFacts(NamedTuple):
    """What the code of one file says."""

    facts: tuple[object, ...]
    functions: int
    """How many were looked into."""


Code: TypeAlias = CodeFacts | UnreadFile | None
"""What the code of a file says, or why it cannot be read; None where nothing in it concerns the rules."""


class _Told(NamedTuple):
    """What was told of a file, and what it is known again by."""

    size: int
    time: int
    digest: bytes
    code: "Code"


def code_facts(settings: Settings, sources: Sources, file: File, data: bytes) -> CodeFacts | None:
    """What the code of a file says; None where nothing in it concerns the rules. Raises Unreadable."""
    if not settings.code or not concerned(settings, file) or _TESTS_WITH.search(data):
        return None
    narrowed = anchors.narrowed(data, sources.named)
    if narrowed is None:
        return None
    made = sources.behaviour(file, data, narrowed)
    return CodeFacts(tuple(made.facts), sum(not function.spent for function in made.functions))


def concerned(settings: Settings, file: File) -> bool:
    """Whether rules about code look at a file of that name, in that folder."""
    return file.suffix in PYTHON and _TEST.fullmatch(relative(file.location, settings.root)) is None


class CodeReader:
    """Reads many files."""

    def __init__(self, settings: Settings, sources: Sources) -> None:
        self._settings = settings
        self._sources = sources

    def read(self, files: Sequence[File]) -> Mapping[str, Code]:
        """What each file says; files are missing where something went wrong, and are to be read alone."""
        count = processes.jobs(self._settings.jobs, len(files))
        kept = self._cache() if self._settings.cache and len(files) > 1 else None
        if count == 1 and kept is None:
            return {}
        told: dict[str, Code] = {}
        left: list[File] = []
        for file in files:
            if not concerned(self._settings, file):
                continue
            try:
                if kept is None:
                    raise KeyError(file.path)
                found = os.stat(file.location)  # noqa: PTH116 (thousands of files)
                told[file.path] = kept.unchanged(file.path, found.st_size, found.st_mtime_ns)
            except (KeyError, OSError, TypeError, ValueError):
                left.append(file)
        if not left:
            return told
        for file, made in processes.spread(lambda file: self._one(file, kept), left, min(count, len(left))):
            if made is None:
                continue
            told[file.path] = made.code
            if kept is not None:
                kept.keep(file.path, *made)
        if kept is not None:
            kept.write()
        return told

    def _one(self, file: File, kept: "Cache | None") -> _Told | None:
        """Read one file; None where that fails."""
        try:
            found = os.stat(file.location)  # noqa: PTH116
            data = reading.read(file.path, file.location, self._settings.max_file_size)
            digest = b"" if kept is None else kept.digest(data)
            try:
                code: Any = kept.same(file.path, found.st_size, found.st_mtime_ns, digest) if kept else None
            except (KeyError, TypeError):
                code = None
            else:
                if kept:
                    return _Told(found.st_size, found.st_mtime_ns, digest, code)
            code = self._code(file, data)
        except (Unreadable, OSError, RecursionError, MemoryError):
            return None
        except Exception:
            return None
        return _Told(found.st_size, found.st_mtime_ns, digest, code)

    def _code(self, file: File, data: bytes) -> Code:
        try:
            return code_facts(self._settings, self._sources, file, data)
        except Unreadable as error:
            return error.unread

    def _cache(self) -> "Cache":
        from stepcheck import cache  # noqa: PLC0415 (one file alone is read anew)

        own = repr(sorted((name, sorted(entry.items())) for name, entry in self._settings.calls.items()))
        return cache.Cache(cache.folder(self._settings.root, self._settings.cache_dir), own)
