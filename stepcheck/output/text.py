"""For people: each finding with the source it is about, the places it comes from, and what to do next."""

from collections.abc import Iterator

from stepcheck.output import Format, Options
from stepcheck.output._cells import escape, wrap
from stepcheck.output._frames import Canvas, Place, draw, split_lines
from stepcheck.output._help import Help, helps
from stepcheck.output._style import Look, Style, look_of
from stepcheck.output._summary import count, remarks, statistics, summary
from stepcheck.report import Finding, Report
from stepcheck.rule import Severity


def render(report: Report, options: Options) -> str:
    """The findings as frames (or counted by rule), then what concerns the whole run, the summary last."""
    style = Style(options.color)
    blocks: list[list[str]] = []
    if options.statistics:
        blocks.append(list(_statistics(report, style)))
    else:
        canvas = Canvas(style, options.width)
        lines = {path: split_lines(text) for path, text in report.sources.items()}
        known = helps(report.findings)
        blocks += [list(_finding(found, known[found.rule], lines, canvas)) for found in report.findings]
    blocks.append([line for remark in remarks(report) for line in wrap(remark, options.width, rest="  ")])
    if options.show_files:
        looked = [f"{count(len(report.files), 'file')} looked at:"] if report.files else []
        blocks.append([*looked, *(f"  {escape(path)}" for path in report.files)])
    blocks.append([_summary(report, style)])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _finding(found: Finding, known: Help, lines: dict[str, list[str]], canvas: Canvas) -> Iterator[str]:
    look = look_of(found.severity)
    head = f"{found.severity}[{found.rule}]"
    first, *rest = wrap(escape(found.message), canvas.columns, first=f"{head}: ", rest="  ")
    yield canvas.style.paint(head, look) + canvas.style.paint(first.removeprefix(head), Look.STRONG)
    yield from (canvas.style.paint(line, Look.STRONG) for line in rest)
    places = [Place(found.span, "", look, "^")]
    places += [Place(related.span, related.message, Look.NOTE) for related in found.related]
    yield from draw(places, _notes(found, known), lines, canvas)


def _notes(found: Finding, known: Help) -> Iterator[tuple[str, str]]:
    yield "evidence", found.evidence
    if known.demo:
        yield "harm", f"{known.harm} ({known.demo})"
    elif known.sentence and known.harm != "none":
        yield "harm", f"{known.harm}: {known.sentence}"
    yield "help", known.explain
    if found.fix:
        options = "--fix" if found.fix.safe else "--fix --unsafe-fixes"
        yield "fix", f"{found.fix.title} (stepcheck check {options})"


def _statistics(report: Report, style: Style) -> Iterator[str]:
    counts = statistics(report)
    digits = len(str(max((counted.findings for counted in counts), default=0)))
    for counted in counts:
        severity = style.paint(f"{counted.severity:<7}", look_of(counted.severity))
        yield f"{counted.findings:>{digits}}  {severity}  {counted.rule}"


def _summary(report: Report, style: Style) -> str:
    errors = any(found.severity is Severity.ERROR for found in report.findings)
    look = Look.ERROR if errors else Look.WARNING if report.findings or report.unread else Look.GOOD
    found, rest = summary(report).split(";", 1)
    return f"{style.paint(found, look)};{rest}"


FORMAT = Format(render, statistics=True, shows_files=True)
