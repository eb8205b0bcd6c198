"""Trees of Python files made for measuring: the same for the same Python, seed and number."""

import random
import sysconfig
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path

from _dense import dense_file

PER_FOLDER = 50
_LARGEST = 30_000
"""Bytes: what is larger is rare in applications, and the library would be known by it."""
_NO_LIBRARY = frozenset({"test", "tests", "site-packages", "idlelib", "lib2to3"})
SHARE = 4
"""Of so many files of the mixed tree, one is dense."""


def dense(folder: Path, files: int, seed: int = 4) -> int:
    """A tree in which no file can be skipped. Returns its bytes."""
    return _write(folder, (_dense(seed, number) for number in range(files)))


def mixed(folder: Path, files: int, seed: int = 4) -> int:
    """A tree of the standard library's smaller modules over and over, with dense files between. Returns its bytes."""
    library = islice(cycle(_library(seed)), files)
    return _write(
        folder, (_dense(seed, number) if number % SHARE == 0 else one for number, one in enumerate(library))
    )


def _dense(seed: int, number: int) -> bytes:
    return dense_file(random.Random(f"{seed} {number}")).encode()


def _library(seed: int) -> list[bytes]:
    top = Path(sysconfig.get_path("stdlib"))
    paths = sorted(path for path in top.rglob("*.py") if not _NO_LIBRARY & set(path.relative_to(top).parts))
    sources = [source for source in map(Path.read_bytes, paths) if source and len(source) < _LARGEST]
    random.Random(seed).shuffle(sources)
    return sources


def _write(folder: Path, sources: Iterable[bytes]) -> int:
    size = 0
    for number, source in enumerate(sources):
        holder = folder / f"package{number // PER_FOLDER:03}"
        holder.mkdir(parents=True, exist_ok=True)
        size += (holder / f"module{number}.py").write_bytes(source)
    return size
