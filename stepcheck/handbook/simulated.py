"""A step table of the handbook, put through every schedule of faults: its matrix, and the ways each step can go."""

import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from stepcheck import engine
from stepcheck.explorer.matrix.as_html import TIPS, grid
from stepcheck.explorer.matrix.as_text import SHOWS
from stepcheck.explorer.matrix.cells import TableMatrix, matrix
from stepcheck.explorer.matrix.diagram import diagram
from stepcheck.explorer.matrix.modelled import doubts
from stepcheck.output._report_code import whole
from stepcheck.settings import Settings

FAULTS = 1
"""Faults of a schedule: enough for what a page of prose says."""


def simulated(text: str, *, drawn: bool = False) -> Iterator[str]:
    """The table as it is written, then what each fault leads to; where asked for, the states of each step."""
    found = run(text)
    yield whole([], text.removesuffix("\n").split("\n"))
    yield from grid(found)
    yield f'<p class="soft">{escape(SHOWS[0].upper() + SHOWS[1:])}.</p>'
    if drawn:
        yield TIPS
        for step in found.steps:
            yield f'<div class="wide">{diagram(step.name, step.paths)}</div>'


def run(text: str) -> TableMatrix:
    """Read the one table in a YAML text, and run it."""
    with tempfile.TemporaryDirectory(prefix="stepcheck-") as name:
        folder = Path(name)
        (folder / "steps.yaml").write_text(text, "utf-8")
        report = engine.check(Settings(root=folder), ["steps.yaml"], cwd=folder)
    (table,) = report.tables
    return matrix(table, FAULTS, doubts(table, report.findings))
