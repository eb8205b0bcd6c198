"""Settings of a run, with their defaults, and the error for what cannot be asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

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
    code: bool = True
    """Whether the rules about plain Python read the bodies of functions, too."""
    calls: Mapping[str, Mapping[str, object]] = field(default_factory=lambda: MappingProxyType({}))
    """What the user says of calls, by their names: `effect`, and perhaps `key`, `claims`, `rows`."""
    cache: bool = False
    """Whether what is told from code is kept for the next run."""
    cache_dir: Path | None = None
    """Where; None for a folder in the root."""
    jobs: int | None = None
    """Processes that read code; None for as many as there are processors, where the tree is large."""
    max_file_size: int = MAX_FILE_SIZE
    """Bytes; a larger file is not read, and reported as unread."""
    baseline: Path | None = None
    source_roots: tuple[str, ...] = SOURCE_ROOTS
    tables: TableOptions = field(default_factory=TableOptions)
    output_format: str = "text"


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
