"""The Python files of a project, read on demand, each known by what it does with its names."""

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from stepcheck.analysis.consulted import Consulted, modules_in
from stepcheck.code.lower import lower
from stepcheck.code.module import Binding, Class, Function, How, Import, Module
from stepcheck.facts import Name, Span, Unreadable, Value

Item = Binding | Import | Function | Class


@dataclass(frozen=True, slots=True)
class Uses:
    """Everything that a scope does with a name, in the order of the file."""

    items: tuple[Item, ...] = ()
    deciding: tuple[int, ...] = ()
    """The positions of items that give the name something or take all away, not only change what it holds."""
    values: tuple[Binding, ...] = ()
    """The bindings among the items."""

    def until(self, at: Span) -> int:
        """How many of the items stand before a place, or at it."""
        return bisect_right(self.items, at, key=lambda item: item.span)

    def backwards(self, end: int) -> Iterator[Item]:
        """The deciding ones of the first `end` items, the last first."""
        for index in range(bisect_left(self.deciding, end) - 1, -1, -1):
            yield self.items[self.deciding[index]]

    def bindings(self, end: int) -> tuple[Binding, ...]:
        """The bindings among the first `end` items."""
        others = len(self.items) - len(self.values)
        if others:
            return tuple([item for item in self.items[:end] if isinstance(item, Binding)])
        return self.values[:end]


_NO_USES = Uses()


def _decides(item: Item) -> bool:
    if not isinstance(item, Binding) or item.how in (How.ASSIGNED, How.HELD, How.DECLARED):
        return True
    return item.how is How.DELETED and item.key is None


class Modules:
    """Files below a root, and what was read of them so far. Only a cache changes in it.

    Paths are relative to `root`, where the run was started. `base` is the project's own folder as seen from
    there: what a module is called, and where it is looked for, does not depend on where the run was started.
    """

    def __init__(self, root: Path, source_roots: tuple[str, ...] = (".", "src"), base: str = ".") -> None:
        """`source_roots` are relative to `base`, and `base` to `root`."""
        self.root = root
        self.base = base
        self.source_roots = source_roots
        self._modules: dict[str, Module | None] = {}
        self._items: dict[str, dict[tuple[int, str], Uses]] = {}
        self._values: dict[Name, Value] = {}
        """What names were found to hold, until another file is read."""
        self.misspelt: dict[str, dict[str, str]] = {}
        """By file, the unbound names that were asked for, and what each was probably meant to be."""
        self._files: dict[str, bool] = {}
        self._folders: dict[str, tuple[str, ...]] = {}
        self.consulted = Consulted()
        """What was asked for since it was last put anew."""

    def read(self, path: str, data: bytes) -> Module:
        """Take these bytes for the file at `path` and lower them. Raises Unreadable."""
        self._items.pop(path, None)
        self._values.clear()
        self.misspelt.pop(path, None)
        self._modules[path] = None
        module = lower(path, data)
        self._modules[path] = module
        self._files[path] = True
        return module

    def module(self, path: str) -> Module | None:
        """The file at `path` (relative to the root); None where there is none or it cannot be read."""
        self.consulted.read.add(path)
        if path not in self._modules:
            try:
                self.read(path, (self.root / path).read_bytes())
            except (OSError, Unreadable, ValueError):
                self._modules[path] = None
        return self._modules[path]

    def items(self, module: Module, scope: int, name: str) -> tuple[Item, ...]:
        """Everything that a scope does with a name, in the order of the file."""
        return self.uses(module, scope, name).items

    def uses(self, module: Module, scope: int, name: str) -> Uses:
        """The same, with what decides in it."""
        index = self._items.get(module.path)
        if index is None:
            index = _indexed(module)
            self._items[module.path] = index
        return index.get((scope, name), _NO_USES)

    def shown(self, path: str) -> str:
        """A path as it looks from the project's own folder: what messages call it."""
        return path if self.base == "." else self._moved(path, ".", self.base)

    def inside(self, path: str) -> str:
        """A path below the project's own folder, as it looks from the root."""
        return path if self.base == "." else self._moved(path, self.base, ".")

    def above(self, path: str) -> list[str]:
        """The folders above a file, the nearest first, up to the project's own."""
        shown = PurePosixPath(self.shown(path))
        if shown.parts[:1] == ("..",) or shown.is_absolute():
            return [str(folder) for folder in PurePosixPath(path).parents]
        return [self.inside(str(folder)) for folder in shown.parents]

    def _moved(self, path: str, start: str, end: str) -> str:
        moved = os.path.relpath(os.path.normpath(self.root / start / path), self.root / end)
        return moved.replace(os.sep, "/")

    def has_file(self, path: str) -> bool:
        """Whether there is a file at `path`."""
        if path not in self._files:
            self._files[path] = (self.root / path).is_file()
        self.consulted.files[path] = self._files[path]
        return self._files[path]

    def has_code(self, folder: str) -> bool:
        """Whether there is a folder at `folder` that holds Python files, itself or one level down."""
        return bool(self.modules_in(folder))

    def modules_in(self, folder: str) -> list[str]:
        """The names of the modules and packages right in a folder, sorted."""
        if folder not in self._folders:
            self._folders[folder] = modules_in(self.root / folder)
        self.consulted.folders[folder] = self._folders[folder]
        return list(self._folders[folder])


def _indexed(module: Module) -> dict[tuple[int, str], Uses]:
    """What every scope of a file does with each of its names."""
    found: dict[tuple[int, str], list[Item]] = {}
    every: list[Item] = [*module.bindings, *module.imports, *module.functions, *module.classes]
    for item in sorted(every, key=lambda item: item.span):
        bound = item.alias if isinstance(item, Import) else item.name
        found.setdefault((item.scope, bound), []).append(item)
    return {
        key: Uses(
            tuple(items),
            tuple(at for at, item in enumerate(items) if _decides(item)),
            tuple(item for item in items if isinstance(item, Binding)),
        )
        for key, items in found.items()
    }
