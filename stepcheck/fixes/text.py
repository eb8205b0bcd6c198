"""The text of a file, with what is needed to write it back byte for byte."""

import codecs
import io
import re
import tokenize
from dataclasses import dataclass

from stepcheck.facts import Span
from stepcheck.fixes.edit import CannotFix

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's characters, line ends as they stand, without the byte order mark."""

    text: str
    encoding: str
    mark: bytes = b""
    """The byte order mark, or nothing."""

    def encoded(self, text: str) -> bytes:
        """The bytes of a text in this file's encoding. Raises CannotFix where that lacks a character."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise CannotFix(f"the file's encoding, {self.encoding}, lacks a character of the fix") from error


def decoded(data: bytes, *, python: bool) -> SourceText:
    """Read a file's bytes: Python by its mark or coding comment, other files by their mark, else as UTF-8.

    Raises CannotFix for bytes that are not text in that encoding, or that would come back changed.
    """
    mark, encoding = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", "utf-8"))
    try:
        if python and not mark:
            encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        source = SourceText(data[len(mark) :].decode(encoding), encoding, mark)
    except (UnicodeDecodeError, SyntaxError, LookupError) as error:
        raise CannotFix(f"the file is not text in {encoding}") from error
    if source.encoded(source.text) != data:
        raise CannotFix(f"reading the file as {encoding} and writing it back would change it")
    return source


def line_starts(text: str) -> list[int]:
    """The offset of each line's first character; the n-th line is at index n - 1."""
    return [0, *(end.end() for end in _LINE_END.finditer(text))]


def offsets(text: str, span: Span) -> tuple[int, int]:
    """A span's start and end in the text. Raises CannotFix where the text has no such place."""
    starts = line_starts(text)
    if not (1 <= span.line <= span.end_line <= len(starts)):
        raise CannotFix("the file no longer has the line that was found")
    start = starts[span.line - 1] + span.column - 1
    end = starts[span.end_line - 1] + span.end_column - 1
    if not start <= end <= len(text):
        raise CannotFix("the file no longer has the place that was found")
    return start, end


def newline_at(text: str, offset: int) -> str:
    """The line end that the line of that offset has, else that the first line has, else a line feed."""
    found = _LINE_END.search(text, offset) or _LINE_END.search(text)
    return found.group() if found else "\n"


def line_bounds(text: str, offset: int) -> tuple[int, int]:
    """Where the line of that offset starts, and where it ends without its line end."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    found = _LINE_END.search(text, offset)
    return start, found.start() if found else len(text)
