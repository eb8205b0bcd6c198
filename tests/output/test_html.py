"""The report as one page: what stands in it, and that it needs nothing else."""

import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner

from stepcheck import engine, rules
from stepcheck.cli import main
from stepcheck.cli._review import reviewed
from stepcheck.facts import Span
from stepcheck.output import Options, render
from stepcheck.report import Coverage, Finding, Report, Suppressed
from stepcheck.rule import Fix, Related, RenameKey, Severity
from stepcheck.settings import Settings
from tests.web.wellformed import problems

Make = Callable[..., Finding]
FIXTURES = Path(__file__).parents[2] / "fixtures"
TABLE = """\
steps:
  look:
    effect: read
    call: shop.look
  pay:
    effect: non_idem_write
    call: shop.pay
    qurey: shop.find
    compensate: shop.refund
    compensate_deadline: PT90M
    max_attempts: 3
  tell:
    effect: non_idem_write
    call: shop.tell
    on_uncertain: human
  order:
    effect: idem_write
    call: shop.order_it
    identity: [cart, request_id]
    dedupe: true
"""


def page(folder: Path, *options: str) -> str:
    result = CliRunner().invoke(
        main,
        ["check", "--isolated", "--no-cache", "--output-format", "html", *options, str(folder)],
        catch_exceptions=False,
    )
    assert result.exit_code in (0, 1), result.output
    return result.output


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "steps.yaml").write_text(TABLE, "utf-8")
    return tmp_path


def plain(html: str) -> str:
    """The words of a part of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", html.replace("<wbr>", "")).split())


def row(html: str, step: str) -> str:
    """A step's row of the step table."""
    rows = re.findall(r'<tr role="row"><th scope="row".*?</tr>', html, re.DOTALL)
    (found,) = [one for one in rows if plain(one).startswith(step)]
    return found


@pytest.mark.parametrize("project", sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir()))
def test_the_report_of_a_fixture_is_well_formed_and_needs_nothing_else(project: str) -> None:
    assert problems(page(FIXTURES / project)) == []


@pytest.mark.parametrize("project", ["payments", "rentals", "reconciliation/faulty", "warehouse"])
def test_each_finding_stands_there_once(project: str) -> None:
    expected = json.loads((FIXTURES / project / "expected.json").read_text("utf-8"))
    html = page(FIXTURES / project)
    messages = [plain(one) for one in re.findall(r'<p class="message">(.*?)</p>', html)]
    assert sorted(messages) == sorted(escape(one["message"]) for one in expected)


def test_the_same_run_gives_the_same_bytes(table: Path) -> None:
    assert page(table) == page(table)


def test_a_row_of_the_step_table_says_what_is_declared_and_how_far_the_step_has_come(table: Path) -> None:
    html = page(table)
    assert plain(row(html, "look")) == "look read not needed not needed none not needed 5 of 5"
    assert plain(row(html, "pay")) == (
        "pay 1 error non_idem_write all params qurey shop.refund 1 hour 30 minutes 0 of 5 invalid-field"
    )
    assert plain(row(html, "tell")) == "tell non_idem_write all params a person none not needed 5 of 5"
    assert (
        plain(row(html, "order"))
        == "order 1 warning idem_write cart, request_id none none not needed 2 of 5 volatile-key"
    )


@pytest.mark.parametrize(
    ("step", "marks"),
    [
        ("look", ["read", "no", "no", "no", "no"]),
        ("pay", ["non_idem_write", "no", "missing", "yes", "yes"]),
        ("tell", ["non_idem_write", "no", "person", "no", "no"]),
        ("order", ["idem_write", "found", "no", "no", "no"]),
    ],
)
def test_each_setting_of_a_step_is_drawn_as_a_mark_of_its_own(
    table: Path, step: str, marks: list[str]
) -> None:
    assert re.findall(r'<use href="#s-(\w+)"/>', row(page(table), step)) == marks


@pytest.mark.parametrize(
    ("step", "stairs"),
    [
        ("look", ["on", "on", "on", "on", "on"]),
        ("pay", ["off next", "off", "off", "off", "off"]),
        ("order", ["on", "on", "off next", "off", "off"]),
    ],
)
def test_the_stage_is_drawn_as_stairs_of_which_the_next_one_is_marked(
    table: Path, step: str, stairs: list[str]
) -> None:
    assert re.findall(r'<rect class="([\w ]+)"', row(page(table), step)) == stairs


def test_stages_that_nobody_asked_for_are_drawn_as_such(table: Path) -> None:
    shown = row(page(table, "--stage", "3"), "look")
    assert re.findall(r'<rect class="([\w ]+)"', shown) == ["on", "on", "on", "unasked", "unasked"]
    assert plain(shown).endswith("3 of 5, 3 asked")


def test_what_severity_hides_holds_a_step_back_all_the_same(table: Path) -> None:
    html = page(table, "--severity", "error")
    assert plain(row(html, "order")).endswith("2 of 5 volatile-key")
    assert "order 1 warning" not in plain(html)


def test_findings_stand_under_their_step_and_those_about_code_under_their_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FIXTURES)
    html = page(Path("rentals"))
    headings = [plain(one) for one in re.findall(r"<h3>(<code>.*?)</h3>", html)]
    assert headings[2:4] == [
        "insure insurance, rentals/insurance.yaml:3",
        "note_mileage insurance, rentals/insurance.yaml:11",
    ]
    (tmp_path / "jobs.py").write_text(
        "import stripe\n\nclass Pay:\n    def quiet(self):\n        return 1\n\n"
        "    def pay(self, tries):\n        while True:\n            try:\n"
        "                return stripe.Charge.create(amount=1)\n            except TimeoutError:\n"
        "                continue\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    (heading,) = re.findall(r"<h3>(<code>.*?)</h3>", page(Path()))
    assert plain(heading) == "Pay.pay jobs.py:10"


def test_a_finding_shows_its_place_its_harm_and_the_command_that_runs_it(finding: Make) -> None:
    found = finding(
        "steps.yaml",
        2,
        9,
        2,
        13,
        message="'send' <may> hang",
        related=(Related(Span("steps.yaml", 1, 1, 1, 4), "declared here"),),
        fix=Fix("add a timeout", RenameKey(Span("a.py", 1, 1, 1, 2), "query"), safe=False),
    )
    report = Report((found,), sources={"steps.yaml": "send:\n  call: send\n"}, files=("steps.yaml",))
    html = render("html", report, Options())
    article = html[html.index("<article") : html.index("</article>")]
    assert article.splitlines() == [
        '<article class="finding warning">',
        '<h4><span class="severity">warning</span> <a href="#rule-missing-timeout">missing-timeout</a></h4>'
        '<p class="message">&#x27;send&#x27; &lt;may&gt; hang</p>',
        '<p class="at">steps.yaml:2:9</p>',
        '<pre class="code" style="--gutter: 1"><code>'
        '<span class="l here" data-n="1"><mark class="place">sen</mark>d:',
        '</span><span class="note place">declared here',
        '</span><span class="l here" data-n="2">  call: <mark class="warning">send</mark>',
        "</span></code></pre>",
        "<dl>",
        "<dt>harm</dt><dd><b>stuck</b>: nobody works on it any more, and nobody is told</dd>",
        f"<dt>why</dt><dd>{rules.load_one('missing-timeout').sentence}</dd>",
        "<dt>evidence</dt><dd>declared</dd>",
        "<dt>fix</dt><dd>add a timeout: <code>stepcheck check --fix --unsafe-fixes</code></dd>",
        "<dt>see it</dt><dd><code>stepcheck explain missing-timeout --demo</code></dd>",
        "</dl>",
    ]


def test_each_rule_that_speaks_tells_its_story_once_and_folded(table: Path) -> None:
    (table / "more.yaml").write_text(TABLE, "utf-8")
    html = page(table)
    folded = re.findall(r'<details class="harm"><summary><b>([\w-]+)</b>', html)
    assert folded == ["invalid-field", "volatile-key"]
    told = html[html.index('<div id="rule-volatile-key">') :]
    assert "<h3>The example of its page, run</h3>" in told
    assert told.count('<svg class="sequence"') == 2
    refused = html[html.index('<div id="rule-invalid-field">') : html.index("</details>")]
    assert "An executor is given the table in" in plain(refused)


def test_the_harms_are_counted_with_what_they_are(table: Path) -> None:
    html = page(table)
    (harms,) = re.findall(r'<table class="harms">.*?</table>', html, re.DOTALL)
    assert "duplicate 1 One thing was wanted, and it happens more than once" in plain(harms)


def test_whatever_a_source_holds_is_text_and_long_lines_are_cut_around_the_place(finding: Make) -> None:
    evil = "</code><script>alert(1)</script>\u202e\x1b[31m"
    line = "x" * 5000 + "HERE" + "y" * 5000
    report = Report(
        (
            finding(
                evil, 1, 1, 1, 9, message=evil, step=evil, related=(Related(Span(evil, 1, 3, 1, 5), evil),)
            ),
            finding("long.py", 1, 5001, 1, 5005),
        ),
        suppressed=(Suppressed(finding("a.py", 1, 1, 1, 2), evil, Span("a.py", 1, 1, 1, 2)),),
        sources={evil: evil, "long.py": line},
        coverage=Coverage(files=2),
        files=(evil, "long.py"),
    )
    html = render("html", report, Options())
    assert problems(html) == []
    assert "\u202e" not in html
    assert '<mark class="warning">HERE</mark>' in html
    assert "x" * 100 not in html


def test_a_tab_and_wide_letters_keep_the_mark_at_its_place(finding: Make) -> None:
    report = Report((finding("a.py", 1, 4, 1, 6),), sources={"a.py": "\t写 ab\n"})
    assert '>写 <mark class="warning">ab</mark>\n' in render("html", report, Options())


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ((), "no file"),
        (("a/b.py",), "a/b.py"),
        (("a/b/c.py", "a/b/d/e.py"), "a/b"),
        (("a/b/c.py", "b/b/c.py"), "this folder"),
        (("a/x/c.py", "a/y/c.py"), "a"),
        (("../a/b.py", "../a/c.py"), "../a"),
        (("/srv/a/b.py", "/srv/c.py"), "/srv"),
    ],
)
def test_the_title_says_where_everything_was_looked_at(files: tuple[str, ...], where: str) -> None:
    html = render("html", Report(files=files), Options())
    assert f"<title>{where}: 0 findings</title>" in html
    assert f'<p class="lead soft">{where}</p>' in html


def test_code_stands_at_the_left_whatever_it_is_nested_in(finding: Make) -> None:
    source = "def f():\n    for x in y:\n        with z:\n            send(x)\n        done()\n"
    html = render("html", Report((finding("a.py", 4, 13, 4, 17),), sources={"a.py": source}), Options())
    assert (
        '<span class="l" data-n="3">with z:\n</span>'
        '<span class="l here" data-n="4">    <mark class="warning">send</mark>(x)\n</span>'
        '<span class="l" data-n="5">done()\n</span>'
    ) in html


def test_a_thousand_findings_draw_each_story_once(finding: Make) -> None:
    source = "\n".join(f"send_{number}()" for number in range(1000))
    found = tuple(finding("a.py", number, 1, number, 5) for number in range(1, 1001))
    report = Report(found, sources={"a.py": source}, files=("a.py",))
    options = reviewed(Options(), report, report)
    html = render("html", report, options)
    assert html.count("<article") == 1000
    assert html.count('<svg class="sequence"') == 2
    assert len(html) < 2_000_000


@pytest.mark.parametrize(("files", "folded"), [(40, 0), (41, 1)])
def test_a_long_list_of_places_is_folded(finding: Make, files: int, folded: int) -> None:
    report = Report(tuple(finding(f"{number:02}.py", 1, 1, 1, 2) for number in range(files)))
    html = render("html", report, Options())
    assert html.count("<details><summary>41 places</summary>") == folded
    assert problems(html) == []


def test_a_run_that_finds_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", "utf-8")
    html = page(tmp_path)
    assert problems(html) == []
    assert "<p>Nothing is found.</p>" in html
    assert '<li class="fine"><b>0</b> errors</li>' in html


def test_what_comments_ignore_is_listed_with_its_reason(tmp_path: Path) -> None:
    text = TABLE.replace(
        "[cart, request_id]", "[cart, request_id]  # stepcheck: ignore[volatile-key] -- it is the shop's own"
    )
    (tmp_path / "steps.yaml").write_text(text, "utf-8")
    html = page(tmp_path)
    listed = html[html.index("<h2>What is ignored</h2>") :]
    assert "volatile-key" in listed
    assert "it is the shop&#x27;s own" in listed


def test_the_tables_that_were_looked_at_are_in_the_report(table: Path) -> None:
    report = engine.check(Settings(root=table), ["."], cwd=table)
    assert [(one.name, len(one.steps)) for one in report.tables] == [("steps", 4)]
    assert {found.severity for found in report.findings} <= set(Severity)


def test_a_file_with_half_a_character_is_shown_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text(
        '# -*- coding: unicode_escape -*-\nSTEPS = {"pay\\ud800": {"call": pay, "effect": "wirte"}}\n',
        "ascii",
    )
    args = ["check", "--isolated", "--no-cache", "--output-format", "html", str(tmp_path)]
    result = CliRunner().invoke(main, args, catch_exceptions=False)
    assert result.exit_code == 2
    assert '<article class="finding error">' in result.output
    assert problems(result.output) == []
