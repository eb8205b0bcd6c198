"""One line a finding, `path:line:col: severity[rule] message`, as editors and `grep` read them."""

from stepcheck.output import Format, Options
from stepcheck.output._cells import escape
from stepcheck.output._style import Look, Style, look_of
from stepcheck.output._summary import remarks, statistics, summary
from stepcheck.report import Finding, Report


def render(report: Report, options: Options) -> str:
    """A line for each finding (or rule, counted), then what concerns the whole run, the summary line last."""
    style = Style(options.color)
    if options.statistics:
        lines = [f"{found.rule}: {found.severity}: {found.findings}" for found in statistics(report)]
    else:
        lines = [_line(found, style) for found in report.findings]
    files = [f"{escape(path)}: looked at" for path in report.files] if options.show_files else []
    return "\n".join([*lines, *remarks(report), *files, summary(report)]) + "\n"


def _line(found: Finding, style: Style) -> str:
    at = style.paint(f"{escape(found.span.path)}:{found.span.line}:{found.span.column}:", Look.STRONG)
    kind = style.paint(f"{found.severity}[{found.rule}]", look_of(found.severity))
    return f"{at} {kind} {escape(found.message)}"


FORMAT = Format(render, statistics=True, shows_files=True)
