"""Which rules run, and on which files they say nothing."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stepcheck.config import ALL, Settings
from stepcheck.rule import AnyRule


def choose(settings: Settings, every: Iterable[AnyRule]) -> tuple[AnyRule, ...]:
    """The rules that the settings ask for: selected, not ignored, of a stage that is enforced."""
    return tuple(
        rule
        for rule in every
        if (ALL in settings.select or rule.name in settings.select)
        and rule.name not in settings.ignore
        and ALL not in settings.ignore
        and rule.stage <= settings.stage
    )


@dataclass(frozen=True, slots=True)
class Silence:
    """Which rules say nothing of a file."""

    settings: Settings
    cwd: Path

    def of(self, path: str) -> frozenset[str]:
        """Names of the rules that `per-file-ignores` silences for a file, "all" among them for every rule."""
        if not self.settings.per_file_ignores:
            return frozenset()
        from stepcheck.discovery import ignore_spec  # noqa: PLC0415 (leads to a slow import)

        inside = rooted(path, self.settings.root, self.cwd)
        return frozenset(
            name
            for pattern, names in self.settings.per_file_ignores
            if ignore_spec((pattern,)).match_file(inside)
            for name in names
        )


def rooted(path: str, root: Path, cwd: Path) -> str:
    """A path of a finding as it looks from the root: the same whatever directory the run was started in."""
    if root == cwd:
        return path
    return os.path.relpath(os.path.normpath(cwd / path), root).replace(os.sep, "/")
