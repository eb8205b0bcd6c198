"""Workflow commands, which GitHub shows as annotations: the most severe first, since it shows ten."""

from collections.abc import Iterator

from stepcheck.output import Format, Options
from stepcheck.output._cells import escape
from stepcheck.output._summary import summary, untold
from stepcheck.report import Finding, Report, Unread
from stepcheck.rule import Severity

_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_MESSAGE, ":": "%3A", ",": "%2C"}


def render(report: Report, options: Options) -> str:  # noqa: ARG001 - every format has this form
    """A command for each unread file, each finding and each stale baseline entry; the summary line last."""
    worst_first = sorted(report.findings, key=lambda found: found.severity is not Severity.ERROR)
    commands = [
        *(_unread(unread) for unread in untold(report)),
        *(_finding(found) for found in worst_first),
        *(_command("notice", {"title": "stepcheck (stale baseline entry)"}, entry) for entry in report.stale),
        summary(report),
    ]
    return "\n".join(commands) + "\n"


def _finding(found: Finding) -> str:
    place = {"file": found.span.path, "line": found.span.line}
    if found.span.line == found.span.end_line:
        place |= {
            "col": found.span.column,
            "endLine": found.span.end_line,
            "endColumn": found.span.end_column,
        }
    else:
        place |= {"endLine": found.span.end_line}  # the runner refuses columns over several lines
    lines = [found.message, *_related(found)]
    return _command(found.severity, {**place, "title": f"stepcheck ({found.rule})"}, "\n".join(lines))


def _related(found: Finding) -> Iterator[str]:
    for related in found.related:
        yield f"{related.span.path}:{related.span.line}:{related.span.column}: {related.message}"


def _unread(unread: Unread) -> str:
    return _command(
        "error",
        {"file": unread.path, "title": "stepcheck (unread-file)"},
        f"could not be read: {unread.reason}",
    )


def _command(name: str, properties: dict[str, object], message: str) -> str:
    written = ",".join(f"{key}={_escape(str(value), _PROPERTY)}" for key, value in properties.items())
    return f"::{name} {written}::{_escape(message, _MESSAGE)}"


def _escape(text: str, table: dict[str, str]) -> str:
    """The text with the runner's own escapes; other control characters and surrogates as in a terminal."""
    return "".join(table.get(character) or escape(character) for character in text)


FORMAT = Format(render)
