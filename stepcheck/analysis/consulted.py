"""What was asked of the files of a project: on this, and on a file's own bytes, rests what was told of that file."""

import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Consulted:
    """The files and folders that were asked about, as paths from where the run was started."""

    read: set[str] = field(default_factory=set)
    """Files whose content was asked for."""
    files: dict[str, bool] = field(default_factory=dict)
    """Whether there was a file, by its path."""
    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The modules and packages right in a folder."""


def modules_in(folder: Path) -> tuple[str, ...]:
    """The names of the modules and packages right in a folder, sorted; a package is a folder with Python files."""
    found = set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name, suffix = os.path.splitext(entry.name)  # noqa: PTH122
                if suffix == ".py":
                    found.add(name)
                elif entry.is_dir() and _holds_code(entry.path):
                    found.add(entry.name)
    except (OSError, ValueError):
        return ()
    return tuple(sorted(found - {"__init__"}))


def _holds_code(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".py") for entry in entries)
    except OSError:
        return False
