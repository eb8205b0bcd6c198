"""Small projects written into a folder, and the tables that are read from them."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from stepcheck.analysis.project import Project
from stepcheck.facts import StepTable
from stepcheck.frontends import TableOptions, called_steps, decorated_steps, literal_tables


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Project]:
    """Writes files (`path=text`) and gives the project that they are."""

    def write(files: dict[str, str]) -> Project:
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(dedent(text), encoding="utf-8")
        return Project(tmp_path)

    return write


@pytest.fixture
def tables(project: Callable[..., Project]) -> Callable[..., list[StepTable]]:
    """The tables of a module's text (or of one of several files), all forms together."""

    def read(source: str | dict[str, str], path: str = "steps.py", **options: object) -> list[StepTable]:
        files = {path: source} if isinstance(source, str) else source
        made = project(files)
        module = made.module(path)
        assert module is not None
        forms = (literal_tables, called_steps, decorated_steps)
        found = [
            table for form in forms for table in form.FRONTEND.tables(module, made, TableOptions(**options))
        ]
        return sorted(found, key=lambda table: table.span)

    return read
