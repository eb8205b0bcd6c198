"""A rule's page as a terminal shows it: prose wrapped, examples labelled, tables as they are."""

import re
from collections.abc import Iterator

from stepcheck.output._cells import escape, wrap
from stepcheck.output._style import Look, Style
from stepcheck.page import Page, parted

_FENCE = re.compile(r"^(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
_ITEM = re.compile(r"^(?P<indent> *)(?P<bullet>[-*+]|\d+[.)]) +(?P<text>.*)$")
_CODE = re.compile(r"`[^`]+`")
_INLINE = re.compile(
    r"(?P<code>`[^`]+`)"
    r"|\[(?P<link>[^\]]*)\]\((?P<target>[^)\s]*)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?<![\w*])\*(?P<emphasis>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])"
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
    """A heading in colour; without colour a section's heading is in capitals."""
    text = escape(line.lstrip("#").strip())
    section = line.startswith("##")
    return text.upper() if section and not style.color else style.paint(text, Look.STRONG)


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
    code, mark = parted(text) if "bad" in info.split() else (text, "")
    return f"{code}  {style.paint(mark, Look.ERROR)}" if mark else code


def _prose(block: list[str], room: int, style: Style) -> Iterator[str]:
    """A paragraph or a list item, its lines joined and wrapped anew."""
    if not block:
        return
    item = _ITEM.match(block[0])
    first = f"{item['indent']}{item['bullet']} " if item else ""
    head = item["text"] if item else block[0].strip()
    text = " ".join([head, *(line.strip() for line in block[1:])])
    for line in wrap(escape(_INLINE.sub(_unmarked, text)), room, first=first, rest=" " * len(first)):
        yield _painted(line, style)


def _unmarked(found: re.Match[str]) -> str:
    """What is shown for code, for a link (its address only where it leaves the handbook), for emphasis."""
    if found["code"]:
        return found["code"]
    if found["target"] is not None:
        return f"{found['link']} ({found['target']})" if "://" in found["target"] else found["link"]
    return found["strong"] or found["emphasis"]


def _painted(line: str, style: Style) -> str:
    return _CODE.sub(lambda found: style.paint(found.group(), Look.CODE), line)
