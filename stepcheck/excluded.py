"""What is not looked at: folders that hold no code of the project, and what the settings exclude."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from stepcheck.settings import Settings

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    Spec: TypeAlias = GitIgnoreSpec

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


class Excluded:
    """Whether the settings exclude a path."""

    def __init__(self, settings: Settings) -> None:
        self._root = str(settings.root)
        self._names = EXCLUDED if settings.exclude is None else frozenset()
        patterns = (*(settings.exclude or ()), *settings.extend_exclude)
        self._spec = ignore_spec(patterns) if patterns else None

    def __call__(self, location: str, below: str | None = None) -> bool:
        """`below` is the folder that was asked for: what it is called itself excludes nothing in it."""
        if self._spec is None and not self._names:
            return False
        inside = within(location, below or self._root)
        if not self._names.isdisjoint(inside.split(os.sep)[:-1]):  # noqa: PTH206 (ten times faster)
            return True
        return self._spec is not None and self._spec.match_file(within(location, self._root))

    def folder(self, name: str) -> bool:
        """Whether nothing in any folder of that name is looked at."""
        return name in self._names


def within(location: str, folder: str) -> str:
    """A normal path as it looks from a folder; ValueError where they are on different drives."""
    if location.startswith(folder) and location[len(folder) : len(folder) + 1] == os.sep:
        return location[len(folder) + 1 :]  # what nearly every file is, a hundred times faster
    return os.path.relpath(location, folder)


def ignore_spec(patterns: Iterable[str]) -> "Spec":
    """Patterns as in .gitignore."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 (slow to import, seldom needed)

    return GitIgnoreSpec.from_lines(patterns)
