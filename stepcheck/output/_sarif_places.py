"""Places as SARIF writes them: URIs under a base, regions, and fixes as replacements of regions."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from stepcheck.facts import Span
from stepcheck.report import Finding
from stepcheck.rule import AddEntry

BASE = "%SRCROOT%"

Json = dict[str, Any]


def location_of(span: Span) -> Json:
    """A SARIF location (3.28): columns count code points, the end is exclusive, as in a span."""
    region = _region(span.line, span.column, span.end_line, span.end_column)
    return {"physicalLocation": {"artifactLocation": _artifact(span.path), "region": region}}


def fixes_of(findings: Sequence[Finding], sources: dict[str, str]) -> list[list[Json]]:
    """For each finding its SARIF fixes (3.55): one, or none where it has none or no edit makes it."""
    if not any(found.fix for found in findings):
        return [[] for _ in findings]
    from stepcheck.fixes import replacements  # noqa: PLC0415 - it may start a child that loads libcst
    from stepcheck.fixes.text import line_starts  # noqa: PLC0415

    starts = {path: line_starts(text) for path, text in sources.items()}
    shown: list[list[Json]] = []
    for found, edits in zip(findings, replacements(findings, sources), strict=True):
        if found.fix is None or not edits:
            shown.append([])
            continue
        change = found.fix.change
        path = (change.after if isinstance(change, AddEntry) else change.span).path
        replaced = [
            {
                "deletedRegion": _region(*_at(starts[path], edit.start), *_at(starts[path], edit.end)),
                "insertedContent": {"text": edit.text},
            }
            for edit in edits
        ]
        changed = {"artifactLocation": _artifact(path), "replacements": replaced}
        shown.append([{"description": {"text": found.fix.title}, "artifactChanges": [changed]}])
    return shown


def _region(line: int, column: int, end_line: int, end_column: int) -> Json:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _artifact(path: str) -> Json:
    """A SARIF artifact location (3.4): relative to the base where it is below it, an absolute path as a file URI."""
    if path.startswith("/"):
        return {"uri": f"file://{_quoted(path)}"}
    if path.startswith("../"):
        return {"uri": _quoted(path)}
    return {"uri": _quoted(path.removeprefix("./")), "uriBaseId": BASE}


def _at(starts: list[int], offset: int) -> tuple[int, int]:
    """The line and column of an offset in a text whose lines start there."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _quoted(path: str) -> str:
    """Percent-encoded (RFC 3986); what Python holds as surrogates becomes the bytes that it stands for."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "replace"), safe="/")
