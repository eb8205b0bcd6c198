"""The files of a run, each read once for all that may concern us in it, or not at all."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from stepcheck import prefilter, reading
from stepcheck.codefacts import Code, CodeFacts, CodeReader, code_facts, concerned
from stepcheck.facts import StepTable, Unreadable, UnreadFile
from stepcheck.foreign import foreign
from stepcheck.listing import PYTHON, File
from stepcheck.settings import Settings
from stepcheck.sources import Sources

if TYPE_CHECKING:
    from stepcheck.quiet import Quiet

MARK = "stepcheck:"
"""In every file with an ignore comment."""


@dataclass(frozen=True, slots=True)
class Stdin:
    """A file that comes from the standard input."""

    path: str
    """What findings call it; its suffix says how to read it, Python where it has none."""
    data: bytes


@dataclass(slots=True)
class Looked:
    """What was read from one file that may concern us."""

    file: File
    data: bytes = b""
    tables: list[StepTable] = field(default_factory=list)
    facts: list[object] = field(default_factory=list)
    functions: int = 0
    unread: list[UnreadFile] = field(default_factory=list)

    @property
    def marked(self) -> bool:
        """Whether there may be an ignore comment in what was read."""
        return MARK in reading.text(self.data, self.file.suffix)


def _named(unread: UnreadFile, stdin: Stdin | None) -> UnreadFile:
    """The same with what to do where a file that came without a name was taken for Python."""
    if stdin is None or os.path.splitext(stdin.path)[1]:  # noqa: PTH122
        return unread
    return replace(unread, reason=f"{unread.reason}; if it is no Python, name it by --stdin-filename")


class Looking:
    """Looks into the files of one run."""

    def __init__(
        self, settings: Settings, cwd: Path, sources: Sources, fail: Callable[[str, Exception], None]
    ) -> None:
        """`fail` is told what goes wrong with a file by a mistake of ours."""
        self._settings = settings
        self._cwd = cwd
        self._sources = sources
        self._fail = fail
        self._code: Mapping[str, Code] = {}
        self._quiet: Quiet | None = None

    def look(self, files: Sequence[File], stdin: Stdin | None) -> Iterator[Looked]:
        """Read what may concern us, and leave the rest."""
        if stdin is None:
            self._recall(files)
        aliases = tuple(self._settings.tables.aliases)
        left: list[tuple[File, Looked | None]] = []
        for file in files:
            if self._quiet and self._told(file) and self._quiet.holds(file):
                left.append((file, self._by_code(file)))
                continue
            one, tabled = self._look(file, stdin, lambda data, kind: prefilter.concerns(data, kind, aliases))
            if tabled:
                if one:
                    yield one
            else:
                left.append((file, one))
        loose = self._sources.loose
        for file, one in left:
            # A table of steps that other files define shows nothing of its own but their names.
            again = file.suffix in PYTHON and loose is not None
            found = self._look(file, stdin, loose.mentioned, one)[0] if again and loose else one
            if found:
                yield found
        if self._quiet:
            self._quiet.write()

    def _recall(self, files: Sequence[File]) -> None:
        """Take what earlier runs told of the files, and read the code of those that are left."""
        if self._settings.code:
            self._code = CodeReader(self._settings, self._sources).read(files)
        if self._settings.cache and len(files) > 1:
            from stepcheck.quiet import Quiet  # noqa: PLC0415 (one file alone is read anew)

            self._quiet = Quiet(self._settings, self._cwd)

    def _told(self, file: File) -> bool:
        """Whether it is known what the code of a file says, where anybody wants to know it."""
        if file.path in self._code:
            return not isinstance(self._code[file.path], UnreadFile)
        return not (self._settings.code and concerned(self._settings, file))

    def _by_code(self, file: File) -> Looked | None:
        """What is in a file of which the code alone says something."""
        made = self._code.get(file.path)
        return (
            Looked(file, facts=[*made.facts], functions=made.functions)
            if isinstance(made, CodeFacts)
            else None
        )

    def _look(
        self,
        file: File,
        stdin: Stdin | None,
        concerns: Callable[[bytes, str], bool],
        before: Looked | None = None,
    ) -> tuple[Looked | None, bool]:
        """What is in a file, or None where nothing in it concerns us; and whether tables were looked for.

        What was found before, when the code of the file was looked at, is kept.
        """
        looked = before or Looked(file)
        tabled = False
        try:
            data = looked.data or (
                stdin.data if stdin else reading.read(file.path, file.location, self._settings.max_file_size)
            )
            tabled = concerns(data, file.suffix)
            made = self._code_of(file, data) if before is None else None
            if not tabled and self._quiet and before is None:
                self._quiet.keep(file, len(data))
            if not tabled and made is None:
                return before, False
            looked.data = data
            if made is not None:
                looked.facts.extend(made.facts)
                looked.functions = made.functions
            if tabled:
                looked.tables.extend(self._sources.tables(file, data))
                self._hush(looked)
        except Unreadable as error:
            if foreign(looked.data, file.suffix):
                return None, True
            looked.unread.append(_named(error.unread, stdin))
        except (RecursionError, MemoryError):
            looked.unread.append(reading.unreadable(file.path, "it is nested too deeply").unread)
        except Exception as error:  # one file's trouble must not hide the others' findings
            self._fail(file.path, error)
        return looked, tabled

    def _hush(self, looked: Looked) -> None:
        """Know a file as quiet in which no step and no ignore comment was found."""
        consulted = self._sources.consulted()
        if self._quiet and consulted is not None and not looked.tables and not looked.marked:
            self._quiet.keep(looked.file, len(looked.data), consulted)

    def _code_of(self, file: File, data: bytes) -> CodeFacts | None:
        """What the code of a file says; None where nothing in it concerns the rules about code."""
        if file.path in self._code:
            code = self._code[file.path]
            if isinstance(code, UnreadFile):
                raise Unreadable(code)
            return code
        return code_facts(self._settings, self._sources, file, data)
