"""The configuration file of a run: where it is found, and the settings it gives."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stepcheck.settings import Settings, UsageError

__all__ = ["Settings", "UsageError", "find", "load", "shown"]


def find(paths: Sequence[str], cwd: Path) -> Path | None:
    """The configuration file for a run over these paths, or None.

    It is the nearest one, going up from the deepest folder that holds all the paths. In one folder
    stepcheck.toml goes before pyproject.toml; one without a [tool.stepcheck] section is passed over.
    """
    folders = [_folder(Path(os.path.normpath(cwd / path))) for path in paths] or [cwd]
    try:
        start = Path(os.path.commonpath(folders))
    except ValueError:  # paths on different drives
        start = cwd
    for folder in (start, *start.parents):
        own, shared = folder / "stepcheck.toml", folder / "pyproject.toml"
        if own.is_file():
            return own
        if shared.is_file() and _section(shared, cwd) is not None:
            return shared
    return None


def load(file: Path, cwd: Path, root: Path | None = None) -> Settings:
    """The settings that a configuration file gives. Raises UsageError, one line a mistake."""
    section = _section(file, cwd)
    settings = Settings(root=root or file.parent, file=file)
    if not section:
        return settings
    from stepcheck._config_model import read  # noqa: PLC0415 (pydantic)

    return read(section, settings, shown(file, cwd))


def shown(path: Path, cwd: Path) -> str:
    """A path as messages show it: relative to the working directory where it is inside."""
    return (path.relative_to(cwd) if path.is_relative_to(cwd) else path).as_posix()


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _section(file: Path, cwd: Path) -> dict[str, Any] | None:
    """What the file says to us: None where it is a pyproject.toml that does not mention us."""
    whole = file.name != "pyproject.toml"
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown(file, cwd)}: could not be read: {error.strerror or error}") from None
    if not whole and b"stepcheck" not in data:
        return None
    import tomllib  # noqa: PLC0415 (only where there is a configuration)

    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{shown(file, cwd)}: is not valid TOML: {error}") from None
    if whole:
        if "tool" in document:
            raise UsageError(
                f"{shown(file, cwd)}: the line [tool.stepcheck] is for pyproject.toml: here the keys stand at the "
                "top, and [tool.stepcheck.tables] is [tables]"
            )
        return document
    tool = document.get("tool", {})
    section = tool.get("stepcheck") if isinstance(tool, dict) else None
    if section is not None and not isinstance(section, dict):
        raise UsageError(f"{shown(file, cwd)}: [tool.stepcheck] must be a table, not {section!r}")
    return section
