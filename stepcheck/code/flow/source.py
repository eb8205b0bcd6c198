"""The text that is lowered, for places, and how much of it may be."""

import ast
from dataclasses import dataclass

from stepcheck.facts import Span


class SpentError(Exception):
    """The budget is used up; the text completes "was not analysed: it "."""


@dataclass(slots=True)
class Budget:
    """How much may be made: operations, edges and values."""

    function: int
    """For each function."""
    left: int
    """For what is left of the file."""

    def take(self, amount: int) -> None:
        """Use some of it up; raises SpentError when nothing is left."""
        self.left -= amount
        if self.left < 0:
            raise SpentError("stands in a file that is too large")


class Source:
    """The text of a file, for places: columns of the tree count bytes, those of a span characters."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self._lines = None if data.isascii() else data.splitlines()

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.keyword | ast.arg) -> Span:
        """The place of a node."""
        line, end = node.lineno, node.end_lineno or node.lineno
        first, last = node.col_offset, node.end_col_offset or node.col_offset
        if self._lines is not None:
            first, last = self._characters(line, first), self._characters(end, last)
        return Span(self.path, line, first + 1, end, last + 1)

    def between(self, first: ast.stmt, last: ast.expr) -> Span:
        """From the beginning of one node to the end of another: a header."""
        start, end = self.span(first), self.span(last)
        return Span(self.path, start.line, start.column, end.end_line, end.end_column)

    def _characters(self, line: int, offset: int) -> int:
        if self._lines is None or not 0 < line <= len(self._lines):
            return offset
        return len(self._lines[line - 1][:offset].decode("utf-8", "replace"))
