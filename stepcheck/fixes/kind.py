"""What the fixes need to know of one kind of file."""

from collections.abc import Callable
from dataclasses import dataclass

from stepcheck.fixes.edit import Edit
from stepcheck.fixes.verify import Stream
from stepcheck.rule import Change


@dataclass(frozen=True, slots=True)
class Kind:
    """How files of one kind are edited and compared."""

    edit: Callable[[str, Change], Edit]
    """The edit of the text that makes the change. Raises CannotFix."""
    stream: Callable[[str], Stream]
    """What the text says, layout and comments left out. Raises CannotFix where it does not parse."""
