"""A file that could not be read or parsed, so nothing is known of the steps in it."""

from collections.abc import Iterator

from stepcheck.facts import UnreadFile
from stepcheck.rule import Problem, rule


@rule(UnreadFile, stage=1)
def unread_file(unread: UnreadFile) -> Iterator[Problem]:
    """Report what could not be read, where reading stopped."""
    way_out = "; where that is meant, leave it out with extend-exclude in the configuration"
    cure = "" if unread.span.path == "-" else way_out
    message = f"the steps in this file go unchecked, it could not be read: {unread.reason}{cure}"
    yield Problem(unread.span, message)
