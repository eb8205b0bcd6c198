"""Bytes of a data file as text, and places in that text."""

import codecs
import re
from bisect import bisect_right

from stepcheck.facts import Span, Unreadable, UnreadFile

DEEPEST = 200
"""Levels of values inside values that a data file may hold: readers recurse, and the stack is finite."""

_BREAK = re.compile(r"\r\n|\r|\n")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Text:
    """The text of one file. Indexes count its characters, a byte order mark not included."""

    def __init__(self, path: str, data: bytes) -> None:
        """Decode by the byte order mark, else as UTF-8. Raises Unreadable at the first byte that is not."""
        mark, encoding = next(
            ((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", "utf-8")
        )
        content = data[len(mark) :]
        self.path = path
        self.content = content.decode(encoding, "replace")
        self._starts = [0, *(found.end() for found in _BREAK.finditer(self.content))]
        try:
            self.content = content.decode(encoding)
        except UnicodeDecodeError as error:
            before = len(content[: error.start].decode(encoding))
            reason = f"byte 0x{content[error.start]:02x} is not {encoding.upper()}"
            raise self.unreadable(before, reason) from None

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The stretch from `start` up to, not including, `end`."""
        return Span(self.path, *self.place(start), *self.place(end))

    def index(self, line: int, column: int) -> int:
        """The character at a place counted from 1; the end of the text for a place behind it."""
        if line > len(self._starts):
            return len(self.content)
        return min(self._starts[line - 1] + column - 1, len(self.content))

    def unreadable(self, index: int, reason: str) -> Unreadable:
        """What to raise where reading stops at a character."""
        index = min(index, len(self.content))
        end = index + 1 if index < len(self.content) and self.content[index] not in "\r\n" else index
        return Unreadable(UnreadFile(self.span(index, end), reason))
