"""The formats with one line a finding: concise and github."""

from collections.abc import Callable

import pytest

from stepcheck.facts import Span
from stepcheck.output import Options, render
from stepcheck.report import Finding, Report, Unread
from stepcheck.rule import Related, Severity

Make = Callable[..., Finding]
ERROR = Severity.ERROR


def lines(format_name: str, report: Report, options: Options | None = None) -> list[str]:
    """What stands before the summary line."""
    return render(format_name, report, options or Options()).splitlines()[:-1]


def test_concise_is_place_severity_rule_and_message(finding: Make) -> None:
    report = Report((finding("a b.py", 4, 17, 4, 21), finding("b.py", 1, 1, 1, 2, severity=ERROR)))
    assert render("concise", report, Options()) == (
        "a b.py:4:17: warning[missing-timeout] 'send' may hang\n"
        "b.py:1:1: error[missing-timeout] 'send' may hang\n"
        "2 findings (1 error, 1 warning) in 2 of 0 files; 0 tables, 0 steps; 0 calls followed, 0 opaque; "
        "0 settings opaque; 0 suppressed by comments\n"
    )


def test_concise_keeps_one_line_and_no_control_character_whatever_the_message(finding: Make) -> None:
    found = finding("a\n.py", 1, 1, 1, 2, message="one\ntwo\x1b[2J é 👩 \udc80")
    assert lines("concise", Report((found,))) == [
        "a\\n.py:1:1: warning[missing-timeout] one\\ntwo\\x1b[2J é 👩 \\udc80"
    ]


def test_concise_tells_unread_files_stale_entries_and_files_looked_at() -> None:
    report = Report(unread=(Unread("a.py", "why"),), stale=("old",), files=("a.py", "b.py"))
    assert lines("concise", report, Options(show_files=True)) == [
        "a.py: could not be read: why",
        "stale baseline entry, which no finding matches any more: old",
        "a.py: looked at",
        "b.py: looked at",
    ]


def test_concise_statistics_are_a_line_a_rule(finding: Make) -> None:
    report = Report((finding("a.py", 1, 1, 1, 2), finding("a.py", 2, 1, 2, 2)))
    assert lines("concise", report, Options(statistics=True)) == ["missing-timeout: warning: 2"]


def test_concise_in_colour_paints_place_and_severity(finding: Make) -> None:
    assert lines("concise", Report((finding("a.py", 1, 2, 1, 3),)), Options(color=True)) == [
        "\x1b[1ma.py:1:2:\x1b[0m \x1b[1;33mwarning[missing-timeout]\x1b[0m 'send' may hang"
    ]


def test_github_shows_errors_first_then_by_place(finding: Make) -> None:
    told = {"message": "'a' hangs"}
    report = Report(
        (
            finding("a.py", 1, 1, 1, 4, **told),
            finding("a.py", 2, 1, 2, 4, severity=ERROR, rule="unknown-effect", **told),
            finding("b.py", 3, 1, 3, 4, severity=ERROR, rule="unknown-effect", **told),
        )
    )
    assert lines("github", report) == [
        "::error file=a.py,line=2,col=1,endLine=2,endColumn=4,title=stepcheck (unknown-effect)::'a' hangs",
        "::error file=b.py,line=3,col=1,endLine=3,endColumn=4,title=stepcheck (unknown-effect)::'a' hangs",
        "::warning file=a.py,line=1,col=1,endLine=1,endColumn=4,title=stepcheck (missing-timeout)::'a' hangs",
    ]


def test_github_escapes_what_would_end_a_property_or_start_a_command(finding: Make) -> None:
    found = finding("a,b:c%.py", 1, 1, 1, 2, message="100%: a, b\r\n::set-output name=x::y\x1b")
    assert lines("github", Report((found,))) == [
        "::warning file=a%2Cb%3Ac%25.py,line=1,col=1,endLine=1,endColumn=2,title=stepcheck (missing-timeout)"
        "::100%25: a, b%0D%0A::set-output name=x::y\\x1b"
    ]


def test_github_gives_no_columns_over_several_lines_which_the_runner_refuses(finding: Make) -> None:
    assert lines("github", Report((finding("a.py", 2, 5, 9, 6),))) == [
        "::warning file=a.py,line=2,endLine=9,title=stepcheck (missing-timeout)::'send' may hang"
    ]


def test_github_puts_related_places_into_the_message(finding: Make) -> None:
    found = finding("a.py", 1, 1, 1, 2, related=(Related(Span("b.py", 7, 3, 7, 4), "sent here"),))
    assert lines("github", Report((found,)))[0].endswith("::'send' may hang%0Ab.py:7:3: sent here")


def test_github_tells_unread_files_first_and_stale_entries_as_notices(finding: Make) -> None:
    report = Report((finding("b.py", 1, 1, 1, 2),), unread=(Unread("a.py", "why"),), stale=("old",))
    assert [line.split("::")[1].split(" ")[0] for line in lines("github", report)] == [
        "error",
        "warning",
        "notice",
    ]
    assert (
        lines("github", report)[0]
        == "::error file=a.py,title=stepcheck (unread-file)::could not be read: why"
    )


@pytest.mark.parametrize("format_name", ["concise", "github"])
def test_nothing_found_is_the_summary_line_alone(format_name: str) -> None:
    assert render(format_name, Report(), Options()) == (
        "no findings in 0 files; 0 tables, 0 steps; 0 calls followed, 0 opaque; "
        "0 settings opaque; 0 suppressed by comments\n"
    )
