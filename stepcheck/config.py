"""Settings of a run: their defaults, where a configuration file is found, and what it says."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from stepcheck.frontends import TableOptions
from stepcheck.rule import Severity

ALL = "all"
"""In a selection: every rule."""
STAGES = 5
MAX_FILE_SIZE = 10 * 1024 * 1024
SOURCE_ROOTS = (".", "src")


class UsageError(Exception):
    """What was asked for cannot be done; the message says where, what and how to mend it. One line each."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run depends on besides the files it checks."""

    root: Path
    """The configuration file's folder, or the working directory: patterns and paths are relative to it."""
    file: Path | None = None
    """The configuration file, where there is one."""
    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Patterns as in .gitignore, each with the rules that say nothing of the files it matches."""
    stage: int = STAGES
    """Rules of later stages do not run."""
    severity: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    """Severities by rule, where they are not the rule's own."""
    least: Severity = Severity.WARNING
    """Findings below it are not reported."""
    exclude: tuple[str, ...] | None = None
    """Patterns in place of the folders excluded by default; None leaves those."""
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    """Exclude files that are named one by one, too."""
    max_file_size: int = MAX_FILE_SIZE
    """Bytes; a larger file is not read, and reported as unread."""
    baseline: Path | None = None
    source_roots: tuple[str, ...] = SOURCE_ROOTS
    tables: TableOptions = field(default_factory=TableOptions)
    output_format: str = "text"


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


def check_rules(names: Sequence[str], known: Sequence[str], where: str) -> None:
    """Raise UsageError unless every name is a rule's, or "all". `where` says who named it."""
    for name in names:
        if name != ALL and name not in known:
            raise UsageError(f"{where}: no rule is named {name!r}{hint(name, known)}")


def hint(word: str, known: Sequence[str]) -> str:
    """What to append to a message about a word that is not among the known ones."""
    import difflib  # noqa: PLC0415 (only on the way to an error)

    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


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
        return document
    tool = document.get("tool", {})
    section = tool.get("stepcheck") if isinstance(tool, dict) else None
    if section is not None and not isinstance(section, dict):
        raise UsageError(f"{shown(file, cwd)}: [tool.stepcheck] must be a table, not {section!r}")
    return section
