"""Writing another text in place of a value, in any of the syntaxes."""

import re

from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.text import offsets
from stepcheck.rule import ReplaceValue

_QUOTED = re.compile(r""""[^"'\\\r\n]*"|'[^"'\\\r\n]*'""")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 :._-]*")


def replaced(text: str, change: ReplaceValue, quote: str = '"') -> Edit:
    """The edit that makes the change: in the quotes that the value has, else in `quote`.

    Raises CannotFix where the value is not a string on one line, a number or (in YAML) plain text: a name stands
    for a value that others may have, too.
    """
    start, end = offsets(text, change.span)
    if _QUOTED.fullmatch(text, start, end):
        return Edit(start + 1, end - 1, change.new)
    if quote and not text[start:end].isdigit():
        raise CannotFix("the value is not written there as a string")
    if not _PLAIN.fullmatch(text, start, end):
        raise CannotFix("the value is not written there as plain text")
    return Edit(start, end, f"{quote}{change.new}{quote}")
