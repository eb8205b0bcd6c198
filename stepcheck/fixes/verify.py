"""Whether two versions of a file say the same apart from the changes asked for.

Both are compared as streams: flat lists of items in which a key stands right before its value, so that a
renamed key is one item that differs, and an added entry is one run of items that came in.
"""

from collections.abc import Sequence
from typing import TypeAlias

from stepcheck.rule import AddEntry, Change, RenameKey, ReplaceValue

Item: TypeAlias = tuple[str, str]
"""What kind of thing, and its text."""
Stream: TypeAlias = Sequence[Item]

_LONGEST = 24
"""Items that one added entry may be."""


def says_the_same(old: Stream, new: Stream, changes: Sequence[Change]) -> bool:
    """Whether `new` is `old` with these changes (in the order of their places) and nothing else."""
    at = to = 0
    for change in changes:
        if isinstance(change, RenameKey | ReplaceValue):
            at, to = _first_difference(old, new, at, to)
            if at == len(old) or to == len(new) or change.new not in new[to][1]:
                return False
            at, to = at + 1, to + 1
        elif isinstance(change, AddEntry):
            at, to = _first_difference(old, new, at, to)
            size = _added(old[at : at + 3], new[to : to + _LONGEST + 3], change)
            if not size:
                return False
            to += size
    return list(old[at:]) == list(new[to:])


def _first_difference(old: Stream, new: Stream, at: int, to: int) -> tuple[int, int]:
    while at < len(old) and to < len(new) and old[at] == new[to]:
        at, to = at + 1, to + 1
    return at, to


def _added(following: Stream, new: Stream, change: AddEntry) -> int:
    """How many items came in before what followed; 0 where they are not the entry."""
    for size in range(2, min(_LONGEST, len(new)) + 1):
        key, *rest = [text for _, text in new[:size]]
        entry_came = change.key in key and any(change.value in text for text in rest)
        if entry_came and list(new[size : size + 3]) == list(following):
            return size
    return 0
