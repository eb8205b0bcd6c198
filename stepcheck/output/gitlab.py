"""GitLab's Code Quality report: a JSON array with one object a finding."""

from typing import Any

from stepcheck.output import Format, Options
from stepcheck.output._plain import digest, dump, fingerprints
from stepcheck.output._summary import untold
from stepcheck.report import Finding, Report, Unread
from stepcheck.rule import Severity


def render(report: Report, options: Options) -> str:  # noqa: ARG001 - every format has this form
    """An object for each finding and for each unread file that no finding tells of."""
    issues = [_finding(found, fingerprint) for found, fingerprint in fingerprints(report.findings)]
    return dump(issues + [_unread(unread) for unread in untold(report)])


def _finding(found: Finding, fingerprint: str) -> dict[str, Any]:
    severity = "major" if found.severity is Severity.ERROR else "minor"
    place = _place(found.span.path, found.span.line, found.span.end_line)
    return _issue(found.message, found.rule, fingerprint, severity, place)


def _unread(unread: Unread) -> dict[str, Any]:
    fingerprint = digest("unread-file", unread.path, unread.reason)
    description = f"could not be read: {unread.reason}"
    return _issue(description, "unread-file", fingerprint, "major", _place(unread.path, 1, 1))


def _place(path: str, begin: int, end: int) -> dict[str, Any]:
    return {"path": path.removeprefix("./"), "lines": {"begin": begin, "end": end}}


def _issue(
    description: str, rule: str, fingerprint: str, severity: str, place: dict[str, Any]
) -> dict[str, Any]:
    return {
        "description": description,
        "check_name": rule,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": place,
    }


FORMAT = Format(render, machine=True)
