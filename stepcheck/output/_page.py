"""A rule's page as a terminal shows it: prose wrapped, examples labelled, tables as they are."""

import re
from collections.abc import Iterator

from stepcheck.output._cells import escape, wrap
from stepcheck.output._style import Look, Style
from stepcheck.page import Page

_FENCE = re.compile(r"^(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
_ITEM = re.compile(r"^(?P<indent> *)(?P<bullet>[-*+]|\d+[.)]) +(?P<text>.*)$")
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]*)\)")
_CODE = re.compile(r"`[^`]+`")
_INLINE = re.compile(
    r"`[^`]+`|\*\*(?P<strong>[^*]+)\*\*|(?<![\w*])\*(?P<emphasis>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])"
)
_WIDEST = 100
"""Columns beyond which prose is hard to read, however wide the terminal."""
_INDENT = "    "


def plain(page: Page) -> str:
    """The page without colour, for 80 columns."""
    return "\n".join(lines(page, 80, Style(color=False))) + "\n"


def lines(page: Page, columns: int, style: Style) -> Iterator[str]:
    """The page's lines for that many columns; 0 means that nobody knows the width, and 80 is taken."""
    room = min(columns or 80, _WIDEST)
    block: list[str] = []
    fence, info = "", ""
    for line in page.text.splitlines():
        opened = _FENCE.match(line)
        if fence:
            if opened and opened["ticks"].startswith(fence) and not opened["info"].strip():
                fence = ""
            else:
                yield f"{_INDENT}{_code(line, info, style)}".rstrip()
        elif opened:
            yield from _prose(block, room, style)
            block = []
            fence, info = opened["ticks"], opened["info"]
            yield from _label(info, style)
        elif not line.strip() or line.startswith(("#", "|")) or _ITEM.match(line):
            yield from _prose(block, room, style)
            block = []
            if line.startswith("#"):
                yield _heading(line, style)
            elif line.startswith("|"):
                yield escape(line)
            elif line.strip():
                block = [line]
            else:
                yield ""
        else:
            block.append(line)
    yield from _prose(block, room, style)


def _heading(line: str, style: Style) -> str:
    text = escape(line.lstrip("#").strip())
    return style.paint(text if style.color else text.upper() if line.startswith("## ") else text, Look.STRONG)


def _label(info: str, style: Style) -> Iterator[str]:
    """What a code block is: bad or good, and the name of its file where it has one."""
    words = info.split()
    file = "".join(f" {escape(word.removeprefix('file='))}" for word in words if word.startswith("file="))
    if "bad" in words:
        yield f"  {style.paint(f'bad{file}:', Look.ERROR)}"
    elif "good" in words:
        yield f"  {style.paint(f'good{file}:', Look.GOOD)}"


def _code(line: str, info: str, style: Style) -> str:
    text = escape(line.expandtabs(4))
    code, mark, note = text.partition("# finding:") if "bad" in info.split() else (text, "", "")
    return code + style.paint(mark + note, Look.ERROR)


def _prose(block: list[str], room: int, style: Style) -> Iterator[str]:
    """A paragraph or a list item, its lines joined and wrapped anew."""
    if not block:
        return
    item = _ITEM.match(block[0])
    first = f"{item['indent']}{item['bullet']} " if item else ""
    head = item["text"] if item else block[0].strip()
    text = " ".join([head, *(line.strip() for line in block[1:])])
    shown = escape(_unmarked(_LINK.sub(_link, text)))
    for line in wrap(shown, room, first=first, rest=" " * len(first)):
        yield _painted(line, style)


def _link(link: re.Match[str]) -> str:
    return f"{link['text']} ({link['target']})" if "://" in link["target"] else link["text"]


def _unmarked(text: str) -> str:
    """The text without the marks of emphasis; code keeps its backticks, and what is in them stays."""
    return _INLINE.sub(lambda found: found["strong"] or found["emphasis"] or found.group(), text)


def _painted(line: str, style: Style) -> str:
    return _CODE.sub(lambda found: style.paint(found.group(), Look.CODE), line)
