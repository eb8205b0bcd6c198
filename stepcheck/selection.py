"""Which rules run, and on which files they say nothing."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stepcheck.rule import Rule
from stepcheck.settings import ALL, Settings


def choose(settings: Settings, every: Iterable[Rule]) -> tuple[Rule, ...]:
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
    """What `per-file-ignores` says."""

    settings: Settings
    cwd: Path

    def covers(self, rule: str, path: str) -> bool:
        """Whether a rule says nothing of a file."""
        if not self.settings.per_file_ignores:
            return False
        from stepcheck.excluded import ignore_spec  # noqa: PLC0415 (leads to a slow import)

        inside = rooted(path, self.settings.root, self.cwd)
        return any(
            (rule in names or ALL in names) and ignore_spec((pattern,)).match_file(inside)
            for pattern, names in self.settings.per_file_ignores
        )


def rooted(path: str, root: Path, cwd: Path) -> str:
    """A path of a finding as it looks from the root: the same whatever directory the run was started in."""
    if root == cwd:
        return path
    return os.path.relpath(os.path.normpath(cwd / path), root).replace(os.sep, "/")
