"""The JSON we promise: version 1, the same bytes for the same input."""

from typing import Any

from stepcheck.facts import Span
from stepcheck.output import Format, Options
from stepcheck.output._help import Help, helps
from stepcheck.output._plain import dump
from stepcheck.output._summary import statistics
from stepcheck.report import Coverage, Finding, Report
from stepcheck.rule import Fix


def render(report: Report, options: Options) -> str:
    """One object: the findings (or `statistics`, by rule), what was not read, how much was looked at."""
    value: dict[str, Any] = {"version": 1}
    if options.statistics:
        value["statistics"] = [
            {"rule": count.rule, "severity": count.severity, "stage": count.stage, "findings": count.findings}
            for count in statistics(report)
        ]
    else:
        known = helps(report.findings)
        value["findings"] = [_finding(found, known[found.rule]) for found in report.findings]
    value["unread"] = [{"path": unread.path, "reason": unread.reason} for unread in report.unread]
    value["suppressed"] = len(report.suppressed)
    if report.compared:
        value["baseline"] = {"known": len(report.baselined), "stale": list(report.stale)}
    value["coverage"] = _coverage(report.coverage)
    if options.show_files:
        value["files"] = list(report.files)
    return dump(value)


def _finding(found: Finding, known: Help) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "severity": found.severity,
        "stage": found.stage,
        **_place(found.span),
        "end_line": found.span.end_line,
        "end_column": found.span.end_column,
        "message": found.message,
        "evidence": found.evidence,
        "step": found.step or None,
        "related": [{**_place(related.span), "message": related.message} for related in found.related],
        "harm": known.harm or None,
        "help": {"explain": known.explain, "demo": known.demo or None},
        "fix": _fix(found.fix),
        "fingerprint": found.fingerprint,
    }


def _place(span: Span) -> dict[str, Any]:
    return {"path": span.path, "line": span.line, "column": span.column}


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    return {"title": fix.title, "safe": fix.safe} if fix else None


def _coverage(coverage: Coverage) -> dict[str, int]:
    return {
        "files": coverage.files,
        "tables": coverage.tables,
        "steps": coverage.steps,
        "functions": coverage.functions,
        "calls_followed": coverage.calls_followed,
        "calls_opaque": coverage.calls_opaque,
        "settings_opaque": coverage.settings_opaque,
    }


FORMAT = Format(render, machine=True, statistics=True, shows_files=True)
