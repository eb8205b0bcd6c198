"""From a file's bytes to its facts; readers and frontends are imported when a file needs them."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from stepcheck.facts import Span, Step, StepTable, Target, Unreadable
from stepcheck.listing import PYTHON, File
from stepcheck.settings import Settings

if TYPE_CHECKING:
    from stepcheck.analysis.consulted import Consulted
    from stepcheck.analysis.loose import Loose
    from stepcheck.analysis.project import Project
    from stepcheck.behaviour.reading import Behaviour
    from stepcheck.catalogue.call_table import Table
    from stepcheck.code.flow import FileFlow
    from stepcheck.frontends import Frontend


@dataclass(frozen=True, slots=True)
class Followed:
    """What the callables that steps name do, followed into their bodies."""

    facts: tuple[object, ...] = ()
    calls: frozenset[Span] = frozenset()
    """The calls in those bodies whose functions were found."""
    opaque: frozenset[Span] = frozenset()
    """The calls in them of which nothing is known."""


class Sources:
    """The files of one run, linked with each other through one project."""

    def __init__(self, settings: Settings, cwd: Path) -> None:
        self._settings = settings
        self._cwd = cwd
        self.loose: Loose | None = None
        """The steps outside of tables that were met so far."""
        self._stands_alone = False
        """Whether there are any in the last file whose tables were asked for."""
        self.named = frozenset(name.rpartition(".")[2].encode() for name in settings.calls)
        """Last names of the calls that the configuration speaks of."""

    def tables(self, file: File, data: bytes) -> Iterator[StepTable]:
        """The step tables of a file. Raises Unreadable where it is not valid in its language."""
        from stepcheck.analysis.consulted import Consulted  # noqa: PLC0415 (most files have nothing of the kind)

        self._project.consulted = Consulted()
        source = self._source(file, data)
        for frontend in self._frontends:
            if isinstance(source, frontend.source):
                yield from frontend.tables(source, self._project, self._settings.tables)

    def consulted(self) -> "Consulted | None":
        """What the answer about the last file's tables rests on besides its bytes; None where it has loose steps."""
        return None if self._stands_alone else self._project.consulted

    def behaviour(
        self, file: File, data: bytes, narrowed: bytes | None = None, *, show: bool = False
    ) -> "Behaviour":
        """What the functions of a file do, with `show` call by call. Raises Unreadable for what is no Python.

        Of what `narrowed` leaves out nothing is told, where that is valid Python.
        """
        from stepcheck.behaviour.reading import behaviour  # noqa: PLC0415 (most files have nothing of the kind)

        if narrowed is not None:
            try:
                return behaviour(self._flows(file.path, narrowed), self._own)
            except Unreadable:
                pass  # what was left out was none of it: a text that holds code
        return behaviour(self._flows(file.path, data), self._own, show=show)

    def bodies(self, tables: Sequence[StepTable], read: Callable[[str], bytes]) -> Followed:
        """What the callables that the steps name do. `read` gives a file's bytes, nothing where it cannot."""
        if not any(_defined(step) for table in tables for step in table.steps):
            return Followed()
        from stepcheck.behaviour.steps.bodies import Bodies  # noqa: PLC0415 (only where bodies are at hand)
        from stepcheck.behaviour.steps.step_bodies import step_bodies  # noqa: PLC0415

        def flows(path: str) -> "FileFlow | None":
            data = read(path)
            try:
                return self._flows(path, data) if data else None
            except (Unreadable, RecursionError, MemoryError):
                return None

        bodies = Bodies(self._project, flows)
        facts = tuple(step_bodies(tables, bodies))
        return Followed(facts, frozenset(bodies.followed), frozenset(bodies.opaque))

    def _flows(self, path: str, data: bytes) -> "FileFlow":
        from stepcheck.code import source  # noqa: PLC0415
        from stepcheck.code.flow import lower_flows  # noqa: PLC0415

        read, tree = source.read(path, data)
        return lower_flows(path, read.text.encode("utf-8", "surrogatepass"), tree)

    def _source(self, file: File, data: bytes) -> object:
        self._stands_alone = False
        if file.suffix in PYTHON:
            module = self._project.read(file.path, data)
            if self.loose is None:
                from stepcheck.analysis.loose import Loose  # noqa: PLC0415 (only where Python concerns us)

                self.loose = Loose(self._settings.tables.aliases)
            self._stands_alone = self.loose.collect(module)
            return module
        from stepcheck.frontends._document import read_document  # noqa: PLC0415

        return read_document(file.path, data)

    @cached_property
    def _frontends(self) -> "tuple[Frontend[object], ...]":
        from stepcheck import frontends  # noqa: PLC0415

        return frontends.load()

    @cached_property
    def _own(self) -> "Table":
        from stepcheck.behaviour.calls.own import own_table  # noqa: PLC0415

        return own_table(self._settings.calls)

    @cached_property
    def _project(self) -> "Project":
        from stepcheck.analysis.project import Project  # noqa: PLC0415

        # Paths in facts are relative to the working directory, those of the project to the settings' root.
        base = os.path.relpath(self._settings.root, self._cwd).replace(os.sep, "/")
        return Project(self._cwd, self._settings.source_roots, base)


def _defined(step: Step) -> bool:
    """Whether a callable that the step names is defined in the project."""
    named = [setting.value for setting in (step.call, step.query, step.compensate)]
    return any(one is not None and one.target in (Target.FUNCTION, Target.UNNAMED) for one in named)
