"""Facts about the checked files themselves: what could not be read, and what was asked to be ignored."""

import datetime
from dataclasses import dataclass

from stepcheck.facts.span import Span


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file, or a part of one, that could not be read or parsed."""

    span: Span
    """Where reading stopped; the first character where no place is known."""
    reason: str
    """Completes "could not be read: "."""


class Unreadable(Exception):
    """Raised by whoever reads a file and cannot go on; carries the fact to report."""

    def __init__(self, unread: UnreadFile) -> None:
        super().__init__(unread.reason)
        self.unread = unread


@dataclass(frozen=True, slots=True)
class Ignore:
    """One ignore comment, after the run that tells what it covered."""

    span: Span
    """Of the comment."""
    names: tuple[str, ...]
    unknown: tuple[tuple[str, str], ...]
    """Names that no rule has, each with the nearest rule's name or nothing."""
    unused: tuple[str, ...]
    """Names of rules that found nothing where the comment covers."""
    whole_file: bool
    reason: str
    until: datetime.date | None
    malformed: str
    """Why the comment cannot be read as one, or nothing. A malformed comment covers nothing."""
    expired: bool
