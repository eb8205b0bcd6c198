"""Text as a terminal shows it: in cells, with everything escaped that a terminal would obey."""

import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

TAB = 4
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_JOINERS = "\u200c\u200d"
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_UNICODE_JAMO_VOWELS = range(0x1160, 0x1200)


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character of a source line as it is shown."""

    text: str
    start: int
    """The cell it starts at, counted from 0."""
    width: int


def escape(text: str) -> str:
    """The text on one line and safe to print.

    Control and format characters (terminal escapes, line ends, changes of writing direction) and lone
    surrogates become backslash escapes; joiners stay, since scripts and emoji need them.
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def width(text: str) -> int:
    """How many cells an escaped text takes. Wide and full-width characters take two (Unicode TR 11)."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def glyphs(line: str) -> Iterator[Glyph]:
    """A source line's characters in turn, one glyph each; a tab fills up to the next multiple of four."""
    at = 0
    for character in line:
        shown = " " * (TAB - at % TAB) if character == "\t" else _shown(character)
        glyph = Glyph(shown, at, width(shown))
        at += glyph.width
        yield glyph


def wrap(text: str, columns: int, *, first: str = "", rest: str = "") -> list[str]:
    """An escaped text in lines of at most that many columns, broken at spaces; 0 columns means no limit.

    `first` stands before the first line and `rest` before the others. A word wider than a line is broken.
    """
    if not columns or width(first) + width(text) <= columns:
        return [first + text]
    room = max(columns - width(rest), 8)
    lines: list[str] = []
    line, used = first, width(first)
    empty = True
    for word in text.split(" "):
        if not empty and used + 1 + width(word) > columns:
            lines.append(line)
            line, used, empty = rest, width(rest), True
        elif not empty:
            line, used = line + " ", used + 1
        pieces = _pieces(word, room) if width(word) > room else [word]
        for piece in pieces[:-1]:
            lines.append(line + piece)
            line = rest
            used = width(rest)
        line, used, empty = line + pieces[-1], used + width(pieces[-1]), False
    return [*lines, line]


def _pieces(word: str, room: int) -> list[str]:
    if word.isascii():
        return textwrap.wrap(word, room, break_on_hyphens=False)
    pieces, piece, used = [], "", 0
    for character in word:
        cells = _cells(character)
        if used + cells > room:
            pieces.append(piece)
            piece, used = "", 0
        piece, used = piece + character, used + cells
    return [*pieces, piece]


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _ESCAPED or character in _JOINERS:
        return character
    code = ord(character)
    return _NAMED.get(character) or (
        f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    )


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    if (
        unicodedata.category(character) in ("Mn", "Me")
        or character in _JOINERS
        or ord(character) in _UNICODE_JAMO_VOWELS
    ):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
