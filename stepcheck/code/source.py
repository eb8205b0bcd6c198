"""The text of a Python file: decoded as Python would, split into its lines, with places in characters."""

import ast
import codecs
import io
import re
import sys
import tokenize
import warnings
from dataclasses import dataclass
from typing import NoReturn

from stepcheck.code.newer import newer_syntax
from stepcheck.code.older import older
from stepcheck.facts import Span, Unreadable, UnreadFile

_KEYWORD = re.compile(r"(?:async\s+)?(?:def|class)\s+")
_DOTTED = re.compile(r"(?:\.[\s\\]*+[^\W\d]\w*+[\s\\]*+)++")
_MOST_PARTS = 1_000
"""Of a dotted name: the parser's time grows with their square."""
_WORD = re.compile(r"\w+")
_TOO_DEEP = "it is nested too deeply"
_RUNNING = f"Python {sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text, line by line."""

    path: str
    text: str
    lines: tuple[str, ...]
    """Without their ends."""

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg | ast.excepthandler) -> Span:
        """Where a node stands."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            self.path,
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end),
        )

    def name_of(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """Where the name of a definition stands."""
        column = self._column(node.lineno, node.col_offset)
        found = _KEYWORD.match(self._line(node.lineno), column - 1)
        return self.word(node.lineno, found.end() + 1 if found else column)

    def word(self, line: int, column: int) -> Span:
        """The word that starts at a place."""
        found = _WORD.match(self._line(line), column - 1)
        return Span(self.path, line, column, line, found.end() + 1 if found else column)

    def keyword(self, node: ast.keyword) -> Span:
        """Where the name of a keyword argument stands."""
        return self.word(node.lineno, self._column(node.lineno, node.col_offset))

    def _line(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        text = self._line(line)
        if text.isascii():
            return offset + 1
        return len(text.encode(errors="replace")[:offset].decode(errors="ignore")) + 1


def read(path: str, data: bytes) -> tuple[Source, ast.Module]:
    """The text and the syntax tree of a file; of syntax that the running Python does not know, said in older words.

    Raises Unreadable, with the place where reading stopped, for what is no text in its declared encoding, for
    NUL bytes, for what is no Python, and for too deep nesting. Encodings: PEP 263.
    """
    text = _decode(path, data)
    source = Source(path, text, tuple(text.split("\n")))
    if "\0" in text:
        before = text[: text.index("\0")].split("\n")
        stop(path, "it holds a NUL character", len(before), len(before[-1]) + 1)
    if text.count(".") > _MOST_PARTS and any(
        found[0].count(".") > _MOST_PARTS for found in _DOTTED.finditer(text)
    ):
        stop(path, _TOO_DEEP)
    try:
        return source, _parse(text)
    except SyntaxError as error:
        tree = _newer(text)
        if tree is not None:
            return source, tree
        line = min(max(error.lineno or 1, 1), len(source.lines))
        column = min(max(error.offset or 1, 1), len(source.lines[line - 1]) + 1)
        stop(path, _why(source, error, line), line, column)
    except ValueError as error:
        stop(path, f"it is not valid {_RUNNING}: {error}")
    except (RecursionError, MemoryError):
        stop(path, _TOO_DEEP)


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _newer(text: str) -> ast.Module | None:
    """The tree of what only a newer Python takes; None where that is not the reason, or cannot be said otherwise."""
    said = older(text)
    if said is None or said == text:
        return None
    try:
        return _parse(said)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def stop(path: str, reason: str, line: int = 1, column: int = 1) -> NoReturn:
    """Raise Unreadable for one place."""
    raise Unreadable(UnreadFile(Span(path, line, column, line, column), reason))


def _decode(path: str, data: bytes) -> str:
    encoding = "utf-8"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            if codecs.lookup(encoding).name == "undefined":
                stop(path, "its encoding is 'undefined'")
            text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        column = len(before[-1].decode(encoding, errors="replace").removeprefix("\ufeff")) + 1
        stop(path, f"it is not {encoding.removesuffix('-sig')} text: {error.reason}", len(before), column)
    except SyntaxError as error:
        line, column = _bad_byte(data)
        reason = str(error.msg).partition("\n")[0]
        stop(
            path,
            "it is not utf-8 text, and declares no other encoding" if line else reason,
            line or 1,
            column,
        )
    except (LookupError, ValueError) as error:
        stop(path, f"its encoding {encoding!r} cannot be used: {error}")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _bad_byte(data: bytes) -> tuple[int, int]:
    """Line and column of the first byte that is no UTF-8; line 0 where there is none."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        return len(before), len(before[-1].decode(errors="replace").removeprefix("\ufeff")) + 1
    return 0, 1


def _why(source: Source, error: SyntaxError, line: int) -> str:
    if newer_syntax(source.text, line):
        return f"it may use syntax newer than {_RUNNING}, which runs stepcheck: try a newer Python"
    return f"it is not valid {_RUNNING}: {str(error.msg).partition(chr(10))[0]}"
