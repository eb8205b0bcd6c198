"""Places in texts, found by what stands there; findings that carry a fix."""

from stepcheck.facts import Span
from stepcheck.report import Finding
from stepcheck.rule import AddEntry, Change, Evidence, Fix, RemoveComment, RenameKey, Severity


def span(path: str, text: str, token: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(token, start + 1)
    lines = text[:start].replace("\r\n", "\n").split("\n")
    return Span(path, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1 + len(token))


def finding(change: Change, *, safe: bool = True) -> Finding:
    where = change.after if isinstance(change, AddEntry) else change.span
    return Finding(
        "invalid-field",
        Severity.ERROR,
        1,
        where,
        "message",
        Evidence.DECLARED,
        fix=Fix("mend it", change, safe),
    )


def rename(path: str, text: str, token: str, new: str = "query", nth: int = 0) -> Finding:
    return finding(RenameKey(span(path, text, token, nth), new))


def add(path: str, text: str, token: str, nth: int = 0) -> Finding:
    return finding(AddEntry(span(path, text, token, nth), "compensate_deadline", "PT10M"))


def remove(path: str, text: str, token: str, nth: int = 0) -> Finding:
    return finding(RemoveComment(span(path, text, token, nth)))
