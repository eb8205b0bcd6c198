"""The Python files of a project, read on demand, each known by what it does with its names."""

import os
from pathlib import Path, PurePosixPath

from stepcheck.code.lower import lower
from stepcheck.code.module import Binding, Class, Function, Import, Module
from stepcheck.facts import Unreadable

Item = Binding | Import | Function | Class


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
        self._items: dict[str, dict[tuple[int, str], list[Item]]] = {}
        self._files: dict[str, bool] = {}
        self._folders: dict[str, tuple[str, ...]] = {}

    def read(self, path: str, data: bytes) -> Module:
        """Take these bytes for the file at `path` and lower them. Raises Unreadable."""
        self._items.pop(path, None)
        self._modules[path] = None
        module = lower(path, data)
        self._modules[path] = module
        self._files[path] = True
        return module

    def module(self, path: str) -> Module | None:
        """The file at `path` (relative to the root); None where there is none or it cannot be read."""
        if path not in self._modules:
            try:
                self.read(path, (self.root / path).read_bytes())
            except (OSError, Unreadable, ValueError):
                self._modules[path] = None
        return self._modules[path]

    def items(self, module: Module, scope: int, name: str) -> list[Item]:
        """Everything that a scope does with a name, in the order of the file."""
        index = self._items.get(module.path)
        if index is None:
            index = {}
            every: list[Item] = [*module.bindings, *module.imports, *module.functions, *module.classes]
            for item in sorted(every, key=lambda item: item.span):
                bound = item.alias if isinstance(item, Import) else item.name
                index.setdefault((item.scope, bound), []).append(item)
            self._items[module.path] = index
        return index.get((scope, name), [])

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
        return self._files[path]

    def has_code(self, folder: str) -> bool:
        """Whether there is a folder at `folder` that holds Python files, itself or one level down."""
        return bool(self.modules_in(folder))

    def modules_in(self, folder: str) -> list[str]:
        """The names of the modules and packages right in a folder, sorted."""
        if folder not in self._folders:
            found = set()
            try:
                for entry in (self.root / folder).iterdir():
                    if entry.suffix == ".py":
                        found.add(entry.stem)
                    elif entry.is_dir() and next(entry.glob("*.py"), None) is not None:
                        found.add(entry.name)
            except (OSError, ValueError):
                found.clear()
            self._folders[folder] = tuple(sorted(found - {"__init__"}))
        return list(self._folders[folder])
