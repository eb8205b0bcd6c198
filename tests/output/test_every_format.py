import json
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepcheck import output, rules
from stepcheck.facts import Span
from stepcheck.ladder import TableRung
from stepcheck.report import Coverage, Finding, Report, Suppressed, Unread
from stepcheck.rule import Evidence, Related, Severity
from tests.web.wellformed import problems

TEXT = st.text(st.characters(), max_size=12)
NUMBER = st.integers(1, 6)
SPAN = st.builds(
    lambda path, line, column, more, end: Span(
        path, line, column, line + more, max(column, end) if not more else end
    ),
    st.sampled_from(["a.py", "写 \udc80.py", "b\x1b\n.yaml"]),
    NUMBER,
    NUMBER,
    st.integers(0, 3),
    NUMBER,
)
FINDING = st.builds(
    Finding,
    rule=st.sampled_from(["missing-timeout", "unknown-effect"]),
    severity=st.sampled_from(Severity),
    stage=st.integers(1, 5),
    span=SPAN,
    message=TEXT,
    evidence=st.sampled_from(Evidence),
    step=TEXT,
    related=st.lists(st.builds(Related, SPAN, TEXT), max_size=2).map(tuple),
    fingerprint=st.sampled_from(["", "f"]),
)
REPORT = st.builds(
    Report,
    findings=st.lists(FINDING, max_size=3).map(tuple),
    suppressed=st.lists(st.builds(Suppressed, FINDING, TEXT, SPAN), max_size=1).map(tuple),
    baselined=st.lists(FINDING, max_size=1).map(tuple),
    stale=st.lists(TEXT, max_size=1).map(tuple),
    unread=st.lists(st.builds(Unread, TEXT, TEXT), max_size=1).map(tuple),
    coverage=st.just(Coverage(files=3)),
    files=st.just(("a.py",)),
    sources=st.dictionaries(st.sampled_from(["a.py", "写 \udc80.py"]), TEXT | st.just("a\n\tb\n写c\n")),
)
OPTIONS = st.builds(
    output.Options,
    width=st.sampled_from([0, 20, 40, 100]),
    color=st.booleans(),
    show_files=st.booleans(),
)


def test_the_formats_are_the_public_modules_and_each_defines_one() -> None:
    files = Path(output.__file__).parent.glob("[!_]*.py")
    assert output.names() == sorted(file.stem for file in files)
    assert [name for name in output.names() if not isinstance(output.load(name), output.Format)] == []


@pytest.mark.parametrize("name", output.names())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(report=REPORT, options=OPTIONS)
def test_any_report_is_rendered_encodable_with_one_line_end_at_its_end(
    name: str, report: Report, options: output.Options
) -> None:
    text = output.render(name, report, options)
    assert text == output.render(name, report, options)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    data = text.encode("utf-8")
    if output.load(name).machine:
        if data.startswith(b"<!doctype html>"):
            assert problems(text) == []
        elif data.startswith(b"<?xml"):
            ElementTree.fromstring(data)
        else:
            json.loads(data)
    else:
        shown = re.sub(r"\x1b\[[0-9;]*m", "", text) if options.color else text
        assert [c for c in shown if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")] == []


@pytest.mark.parametrize("name", output.names())
def test_a_format_says_which_options_change_what_it_shows(name: str) -> None:
    found = Finding(
        "missing-timeout", Severity.WARNING, 4, Span("a.py", 1, 1, 1, 2), "'a' hangs", Evidence.DECLARED
    )
    report = Report(findings=(found,), coverage=Coverage(files=1), files=("seen.py",))
    plain, counted, filed = (
        output.render(name, report, options)
        for options in (output.Options(), output.Options(statistics=True), output.Options(show_files=True))
    )
    assert (counted != plain) == output.load(name).statistics
    assert (filed != plain) == output.load(name).shows_files


@pytest.mark.parametrize("name", output.names())
def test_a_format_says_whether_it_is_a_review_and_shows_how_far_the_steps_have_come(name: str) -> None:
    report = Report(coverage=Coverage(files=1))
    rungs = (TableRung("STEPS", Span("a.py", 1, 1, 1, 2), ()),)
    shown = output.render(name, report, output.Options(rungs=rungs))
    assert (shown != output.render(name, report, output.Options())) == output.load(name).review


@pytest.mark.parametrize("name", output.names())
def test_a_format_says_whether_it_lists_the_rules_that_ran(name: str) -> None:
    report = Report(coverage=Coverage(files=1))
    listed = output.render(name, report, output.Options(rules=rules.load()[:1]))
    assert (listed != output.render(name, report, output.Options())) == output.load(name).lists_rules
