"""Places as SARIF writes them: percent-encoded URIs under a base, and regions."""

from typing import Any
from urllib.parse import quote

from stepcheck.facts import Span

BASE = "%SRCROOT%"


def location_of(span: Span) -> dict[str, Any]:
    """A SARIF location (3.28): columns count code points, the end is exclusive, as in a span."""
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": artifact_of(span.path), "region": region}}


def artifact_of(path: str) -> dict[str, Any]:
    """A SARIF artifact location (3.4): relative to the base, an absolute path as a file URI."""
    if path.startswith("/"):
        return {"uri": f"file://{_quoted(path)}"}
    return {"uri": _quoted(path.removeprefix("./")), "uriBaseId": BASE}


def _quoted(path: str) -> str:
    """Percent-encoded (RFC 3986); what Python holds as surrogates becomes the bytes that it stands for."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "replace"), safe="/")
