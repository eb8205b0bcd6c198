"""Taking a comment out of a text."""

from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.text import line_bounds, newline_at, offsets
from stepcheck.rule import RemoveComment


def without_comment(text: str, change: RemoveComment) -> Edit:
    """The edit that takes a comment away, and its line where nothing else stands there.

    Of a longer comment that the span is the end of, the start stays. Raises CannotFix where there is none.
    """
    start, end = offsets(text, change.span)
    first, last = line_bounds(text, start)
    if text[start : start + 1] != "#" or end > last or text[end:last].strip():
        raise CannotFix("no comment stands there any more")
    kept = text[first:start].rstrip(" \t\f")
    if kept:
        return Edit(first + len(kept), last, "")
    if last < len(text):
        return Edit(first, last + len(newline_at(text, last)), "")
    return Edit(first, last, "")
