"""One page that needs nothing else, for a review: the steps as a picture, findings by step, and the harm shown."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape as quoted
from itertools import takewhile
from pathlib import PurePosixPath

from stepcheck import __version__
from stepcheck.demo.as_html import TIP, heading, raised, story
from stepcheck.output import Format, Options
from stepcheck.output import _report_steps as steps
from stepcheck.output._cells import escape
from stepcheck.output._frames import split_lines
from stepcheck.output._help import Help, helps
from stepcheck.output._report_findings import Group, by_place, by_step, counted, groups
from stepcheck.output._report_style import REPORT
from stepcheck.output._summary import count, remarks
from stepcheck.report import Report
from stepcheck.rule import Severity
from stepcheck.web.frame import document, styled
from stepcheck.web.style import STYLE

TITLE = "May these steps be tried again?"
_MANY = 40
"""Places beyond which their list is folded."""


def render(report: Report, options: Options) -> str:
    """The page; the same report and options give the same bytes."""
    known = helps(report.findings)
    title = f"{_where(report)}: {count(len(report.findings), 'finding')}"
    return document(escape(title), styled(STYLE, REPORT), _body(report, options, known))


def _body(report: Report, options: Options, known: Mapping[str, Help]) -> Iterator[str]:
    asked = max((rule.stage for rule in options.rules), default=0)
    stepped = by_step(report, options.rungs)
    placed = by_place(report, stepped)
    lines = {path: split_lines(text) for path, text in report.sources.items()}
    yield f'<a class="skip" href="#findings">to the findings</a>{TIP}{steps.symbols()}<main>'
    yield f"<header><h1>{TITLE}</h1>"
    yield f'<p class="lead soft">{quoted(escape(_where(report)))}</p></header>'
    yield from _tiles(report, options, asked)
    yield from _looked(report, options, asked)
    yield from _harms(report, known)
    yield from _contents(stepped, placed, options, known)
    if options.rungs:
        yield '<section id="steps"><h2>The steps</h2>'
        anchored = {group.anchor: group for group in stepped}
        for number, rung in enumerate(options.rungs, start=1):
            yield from steps.table(rung, report, anchored, number, asked)
        yield "<h3>What the marks mean</h3>"
        yield from steps.legend()
        yield "</section>"
    yield '<section id="findings"><h2>What is found</h2>'
    if not report.findings:
        yield "<p>Nothing is found.</p>"
    yield from groups([*stepped, *placed], lines, known)
    yield "</section>"
    yield from _stories(options, known)
    yield from _ignored(report)
    yield f"<footer>stepcheck {__version__}. The code was read, never run.</footer></main>"


def _where(report: Report) -> str:
    """The file or folder that everything looked at is in."""
    if not report.files:
        return "no file"
    if len(report.files) == 1:
        return report.files[0]
    levels = zip(*(PurePosixPath(path).parent.parts for path in report.files), strict=False)
    shared = [level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels)]
    return PurePosixPath(*shared).as_posix() if shared else "this folder"


def _tiles(report: Report, options: Options, asked: int) -> Iterator[str]:
    errors = sum(found.severity is Severity.ERROR for found in report.findings)
    warnings = len(report.findings) - errors
    yield '<ul class="tiles">'
    for number, kind in ((errors, "error"), (warnings, "warning")):
        yield f'<li class="{kind if number else "fine"}"><b>{number}</b> {kind}{"" if number == 1 else "s"}</li>'
    total = sum(len(rung.steps) for rung in options.rungs)
    if total and asked:
        top = steps.stages(options.rungs, asked)[asked]
        yield f'<li class="{"fine" if top == total else ""}"><b>{top} of {total}</b> steps at stage {asked}</li>'
    if report.unread:
        yield f'<li class="error"><b>{len(report.unread)}</b> not read</li>'
    yield "</ul>"


def _looked(report: Report, options: Options, asked: int) -> Iterator[str]:
    """What was checked, and what was not."""
    looked = report.coverage
    functions = f", {count(looked.functions, 'function')}" if looked.functions else ""
    rows = [
        (
            "looked at",
            f"{count(looked.files, 'file')}, {count(looked.tables, 'table')}, "
            f"{count(looked.steps, 'step')}{functions}",
        ),
        (
            "asked",
            f"{count(len(options.rules), 'rule')} of stages 1 to {asked}",
        ),
        (
            "opaque",
            f"{count(looked.settings_opaque, 'setting')} and {count(looked.calls_opaque, 'call')}: "
            "only a run could tell, and nothing is found about them",
        ),
    ]
    if report.suppressed:
        rows.append(("ignored", f"{count(len(report.suppressed), 'finding')} by comments, listed at the end"))
    if report.baselined:
        rows.append(("in the baseline", count(len(report.baselined), "finding")))
    yield '<dl class="looked">'
    yield "".join(f"<dt>{name}</dt><dd>{quoted(words)}</dd>" for name, words in rows)
    yield "</dl>"
    told = list(remarks(report))
    if told:
        yield "<ul>" + "".join(f"<li>{quoted(line)}</li>" for line in told) + "</ul>"


def _harms(report: Report, known: Mapping[str, Help]) -> Iterator[str]:
    """How many findings lead to each harm."""
    counts = Counter(known[found.rule].harm or "none" for found in report.findings)
    if not counts:
        return
    most = max(counts.values())
    yield '<section><h2>What it leads to</h2><table class="harms"><thead><tr><th scope="col">harm</th>'
    yield '<th scope="col"><span class="unseen">findings</span></th><th scope="col" aria-hidden="true"></th>'
    yield '<th scope="col" class="means">what it is</th></tr></thead><tbody>'
    sentences = {one.harm or "none": one.sentence for one in known.values()}
    for harm, number in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        bar = f'<svg aria-hidden="true"><rect width="{100 * number / most:.4g}%" height="100%" rx="2"/></svg>'
        yield f'<tr><th scope="row">{quoted(harm)}</th><td class="number">{number}</td>'
        yield f'<td class="bar" aria-hidden="true">{bar}</td>'
        yield f'<td class="means">{quoted(raised(sentences[harm]))}</td></tr>'
    yield "</tbody></table></section>"


def _contents(
    stepped: Sequence[Group], placed: Sequence[Group], options: Options, known: Mapping[str, Help]
) -> Iterator[str]:
    if not (stepped or placed or options.rungs):
        return
    yield '<nav class="toc" aria-labelledby="contents"><h2 id="contents">On this page</h2>'
    folded = len(stepped) + len(placed) > _MANY
    yield f"<details><summary>{len(stepped) + len(placed)} places</summary><ul>" if folded else "<ul>"
    if options.rungs:
        yield '<li><a href="#steps">The steps</a></li>'
    for group in [*stepped, *placed]:
        name = f"<code>{quoted(escape(group.name))}</code>"
        yield f'<li><a href="#{group.anchor}">{name}</a> <span class="soft">{counted(group.findings)}</span></li>'
    if known:
        yield '<li><a href="#harm">What the harm looks like</a></li>'
    yield f"</ul>{'</details>' if folded else ''}</nav>"


def _stories(options: Options, known: Mapping[str, Help]) -> Iterator[str]:
    if not known:
        return
    yield '<section id="harm"><h2>What the harm looks like</h2>'
    yield "<p>Run, and not made up: the shortest way to each harm, and beside it the same without the mistake.</p>"
    for rule, help_ in known.items():
        name = quoted(rule)
        # A link to what is inside unfolds it, without any script.
        yield f'<details class="harm"><summary><b>{name}</b>: {quoted(help_.rule)}</summary>'
        yield f'<div id="rule-{name}">'
        shown = options.stories.get(rule)
        if shown:
            yield f"<h3>{quoted(heading(shown, help_.rule))}</h3>"
            yield from story(shown, 4)
        else:
            yield f"<p>{quoted(help_.untold or 'No run shows it.')}</p>"
        yield f"<p>More: <code>{quoted(help_.demo or help_.explain)}</code></p></div></details>"
    yield "</section>"


def _ignored(report: Report) -> Iterator[str]:
    if not report.suppressed:
        return
    yield "<section><h2>What is ignored</h2><ul>"
    for entry in report.suppressed:
        span = entry.finding.span
        place = quoted(escape(f"{span.path}:{span.line}"))
        reason = quoted(escape(entry.reason or "no reason is given"))
        yield f"<li><b>{quoted(entry.finding.rule)}</b> at <code>{place}</code>: {reason}</li>"
    yield "</ul></section>"


FORMAT = Format(render, machine=True, lists_rules=True, review=True)
