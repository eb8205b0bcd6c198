from collections.abc import Callable
from textwrap import dedent

import pytest

from stepcheck.facts import Span
from stepcheck.output import Options, render
from stepcheck.output._frames import split_lines
from stepcheck.report import Coverage, Finding, Report, Suppressed, Unread
from stepcheck.rule import AddEntry, Evidence, Fix, Related, RenameKey, Severity

SOURCE = """\
STEPS = {
    "send": {
        "effect": "non_idem_write",
        "call": send,
    },
}
"""
CLEAN = (
    "no findings in 0 files; 0 tables, 0 steps; 0 calls followed, 0 opaque; 0 settings opaque; "
    "0 suppressed by comments\n"
)

Make = Callable[..., Finding]


def shown(*findings: Finding, width: int = 0, color: bool = False, **sources: str) -> str:
    """What stands before the summary line; a source is given as `steps_py="..."`."""
    texts = {name.replace("_py", ".py"): text for name, text in sources.items()}
    text = render("text", Report(findings, sources=texts), Options(color=color, width=width))
    return text.rsplit("\n\n", 1)[0]


def frame(text: str) -> str:
    return dedent(text).strip("\n")


def test_a_finding_is_shown_with_its_source_its_evidence_and_where_to_read_on(finding: Make) -> None:
    assert shown(finding("steps.py", 4, 17, 4, 21), steps_py=SOURCE) == frame(
        """
        warning[missing-timeout]: 'send' may hang
         --> steps.py:4:17
          |
        4 |         "call": send,
          |                 ^^^^
          |
          = evidence: declared
          = harm: stuck (stepcheck explain missing-timeout --demo)
          = help: stepcheck explain missing-timeout
        """
    )


def test_related_places_near_by_share_the_frame_and_others_have_their_own(finding: Make) -> None:
    found = finding(
        "steps.py",
        4,
        17,
        4,
        21,
        evidence=Evidence.BODY,
        related=(
            Related(Span("steps.py", 2, 5, 2, 11), "the step is declared here"),
            Related(Span("calls.py", 10, 5, 10, 9), "which sends here"),
        ),
    )
    calls = "\n" * 9 + "def send(): ...\n"
    assert shown(found, steps_py=SOURCE, calls_py=calls) == frame(
        """
        warning[missing-timeout]: 'send' may hang
          --> steps.py:4:17
           |
         2 |     "send": {
           |     ------ the step is declared here
         3 |         "effect": "non_idem_write",
         4 |         "call": send,
           |                 ^^^^
           |
          ::: calls.py:10:5
           |
        10 | def send(): ...
           |     ---- which sends here
           |
           = evidence: inferred from the body
           = harm: stuck (stepcheck explain missing-timeout --demo)
           = help: stepcheck explain missing-timeout
        """
    )


def test_a_related_place_far_off_in_the_same_file_is_shown_behind_an_ellipsis(finding: Make) -> None:
    found = finding("steps.py", 1, 1, 1, 6, related=(Related(Span("steps.py", 5, 5, 5, 6), "it ends here"),))
    assert shown(found, steps_py=SOURCE).splitlines()[2:9] == [
        "  |",
        "1 | STEPS = {",
        "  | ^^^^^",
        "...",
        "5 |     },",
        "  |     - it ends here",
        "  |",
    ]


def test_a_place_of_many_lines_shows_its_first_and_its_last(finding: Make) -> None:
    assert shown(finding("steps.py", 2, 5, 5, 6), steps_py=SOURCE).splitlines()[2:9] == [
        "  |",
        '2 |     "send": {',
        "  |     ^^^^^^^^^",
        "...",
        "5 |     },",
        "  |     ^",
        "  |",
    ]


def test_a_place_of_two_lines_is_shown_whole(finding: Make) -> None:
    assert shown(finding("steps.py", 3, 9, 5, 1), steps_py=SOURCE).splitlines()[3:8] == [
        '3 |         "effect": "non_idem_write",',
        "  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        '4 |         "call": send,',
        "  |         ^^^^^^^^^^^^^",
        "  |",
    ]


def test_tabs_and_wide_characters_stay_aligned(finding: Make) -> None:
    assert shown(finding("steps.py", 1, 8, 1, 11), steps_py='\t"写入": send').splitlines()[3:5] == [
        '1 |     "写入": send',
        "  |             ^^^",
    ]


def test_control_characters_never_reach_the_terminal(finding: Make) -> None:
    found = finding("a\x1b[2J.py", 1, 1, 1, 2, message="'x\x07y' is\ntwo lines")
    report = Report((found,), sources={"a\x1b[2J.py": "x = '\x1b]0;owned\x07\u202e'"})
    text = render("text", report, Options())
    assert text.splitlines()[:5] == [
        "warning[missing-timeout]: 'x\\x07y' is\\ntwo lines",
        " --> a\\x1b[2J.py:1:1",
        "  |",
        "1 | x = '\\x1b]0;owned\\x07\\u202e'",
        "  | ^",
    ]
    assert all(character.isprintable() or character == "\n" for character in text)


def test_a_narrow_terminal_wraps_prose_and_cuts_source_around_the_place(finding: Make) -> None:
    found = finding(
        "steps.py",
        1,
        61,
        1,
        65,
        message="'send' may hang for as long as the other side does",
        related=(Related(Span("steps.py", 2, 1, 2, 5), "a label that does not fit beside its mark"),),
        fix=Fix(
            "add a timeout of ten seconds",
            AddEntry(Span("steps.py", 1, 1, 1, 2), "timeout", "PT10S"),
            safe=False,
        ),
    )
    text = shown(found, width=40, steps_py="x" * 60 + "send" + "y" * 60 + "\nnext\n")
    assert text == frame(
        """
        warning[missing-timeout]: 'send' may
          hang for as long as the other side
          does
         --> steps.py:1:61
          |
        1 | ...xxxxxxxxxxxxxsendyyyyyyyyyyyyy...
          |                 ^^^^
        2 | next
          | ----
          | a label that does not fit beside its
          | mark
          |
          = evidence: declared
          = harm: stuck (stepcheck explain
            missing-timeout --demo)
          = help: stepcheck explain
            missing-timeout
          = fix: add a timeout of ten seconds
            (stepcheck check --fix
            --unsafe-fixes)
        """
    )
    assert max(map(len, text.splitlines())) <= 40


def test_a_long_line_is_shown_again_for_a_related_place_that_was_cut_off(finding: Make) -> None:
    found = finding("a.py", 1, 1, 1, 4, related=(Related(Span("a.py", 1, 98, 1, 101), "and here"),))
    assert shown(found, width=40, a_py="abc" + "_" * 94 + "xyz").splitlines()[3:9] == [
        "  |",
        "1 | abc______________________________...",
        "  | ^^^",
        "1 | ...______________________________xyz",
        "  |                                  ---",
        "  | and here",
    ]


def test_a_safe_fix_names_the_option_that_applies_it(finding: Make) -> None:
    fix = Fix("rename 'qurey' to 'query'", RenameKey(Span("steps.py", 1, 1, 1, 2), "query"), safe=True)
    assert shown(finding("steps.py", 1, 1, 1, 2, fix=fix)).splitlines()[-1] == (
        "  = fix: rename 'qurey' to 'query' (stepcheck check --fix)"
    )


def test_a_file_whose_source_is_not_at_hand_is_named_and_its_labels_are_told(finding: Make) -> None:
    found = finding("gone.py", 7, 3, 7, 4, related=(Related(Span("gone.py", 9, 1, 9, 2), "and here"),))
    assert shown(found) == frame(
        """
        warning[missing-timeout]: 'send' may hang
         --> gone.py:7:3
          = line 9: and here
          = evidence: declared
          = harm: stuck (stepcheck explain missing-timeout --demo)
          = help: stepcheck explain missing-timeout
        """
    )


@pytest.mark.parametrize("place", [(1, 1, 1, 1), (1, 4, 1, 4), (1, 1, 9, 9), (1, 9, 1, 20), (2, 1, 2, 1)])
def test_empty_places_and_places_beyond_the_text_are_shown_all_the_same(
    finding: Make, place: tuple[int, int, int, int]
) -> None:
    assert "^" in shown(finding("a.py", *place), a_py="abc\n")


def test_colour_paints_severity_marks_and_gutter_and_nothing_else(finding: Make) -> None:
    found = finding("steps.py", 4, 17, 4, 21, severity=Severity.ERROR)
    assert shown(found, color=True, steps_py=SOURCE).splitlines() == [
        "\x1b[1;31merror[missing-timeout]\x1b[0m\x1b[1m: 'send' may hang\x1b[0m",
        " \x1b[1;34m-->\x1b[0m steps.py:4:17",
        "  \x1b[1;34m|\x1b[0m",
        '\x1b[1;34m4\x1b[0m \x1b[1;34m|\x1b[0m         "call": send,',
        "  \x1b[1;34m|\x1b[0m                 \x1b[1;31m^^^^\x1b[0m",
        "  \x1b[1;34m|\x1b[0m",
        "  \x1b[1;34m=\x1b[0m \x1b[1mevidence:\x1b[0m declared",
        "  \x1b[1;34m=\x1b[0m \x1b[1mharm:\x1b[0m stuck (stepcheck explain missing-timeout --demo)",
        "  \x1b[1;34m=\x1b[0m \x1b[1mhelp:\x1b[0m stepcheck explain missing-timeout",
    ]


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("volatile-key", "= harm: duplicate (stepcheck explain volatile-key --demo)"),
        ("unknown-effect", "= harm: refused (stepcheck explain unknown-effect --demo)"),
        ("unused-ignore", ""),
        ("a-rule-without-a-page", ""),
    ],
)
def test_the_harm_is_named_with_the_command_that_runs_it_where_there_is_one(
    finding: Make, rule: str, line: str
) -> None:
    lines = shown(finding("a.py", 1, 1, 1, 2, rule=rule)).splitlines()
    assert [each.strip() for each in lines if "harm:" in each] == [line][: bool(line)]


def test_nothing_found_is_one_line() -> None:
    assert render("text", Report(), Options()) == CLEAN


def test_the_summary_counts_everything_with_right_plurals(finding: Make) -> None:
    error = finding("a.py", 1, 1, 1, 2, severity=Severity.ERROR)
    report = Report(
        (error, finding("b.py", 1, 1, 1, 2), finding("b.py", 2, 1, 2, 2)),
        suppressed=(Suppressed(error, "known", error.span),),
        coverage=Coverage(files=14, tables=5, steps=31, calls_followed=12, calls_opaque=4, settings_opaque=1),
    )
    assert render("text", report, Options()).splitlines()[-1] == (
        "3 findings (1 error, 2 warnings) in 2 of 14 files; 5 tables, 31 steps; 12 calls followed, 4 opaque; "
        "1 setting opaque; 1 suppressed by comments"
    )
    one = Report(
        (error,), baselined=(error,), unread=(Unread("x.py", "why"),), coverage=Coverage(1, 1, 1, 0, 1)
    )
    assert render("text", one, Options()).splitlines()[-1] == (
        "1 finding (1 error) in 1 of 1 file; 1 table, 1 step; 1 call followed, 0 opaque; 0 settings opaque; "
        "0 suppressed by comments; 1 in the baseline; 1 file unread"
    )


def test_unread_files_and_stale_baseline_entries_are_told_before_the_summary() -> None:
    report = Report(unread=(Unread("a.py", "it holds NUL bytes"),), stale=("missing-timeout in b.py",))
    assert render("text", report, Options()).splitlines()[:-1] == [
        "a.py: could not be read: it holds NUL bytes",
        "stale baseline entry, which no finding matches any more: missing-timeout in b.py",
        "",
    ]


def test_an_unread_file_that_a_finding_tells_of_is_not_told_twice(finding: Make) -> None:
    found = finding("a.py", 1, 1, 1, 1, rule="unread-file", message="it holds NUL bytes")
    text = render("text", Report((found,), unread=(Unread("a.py", "it holds NUL bytes"),)), Options())
    assert text.count("NUL bytes") == 1


def test_statistics_count_by_rule_most_first(finding: Make) -> None:
    findings = [finding("a.py", n, 1, n, 2) for n in range(1, 12)]
    findings.append(finding("a.py", 1, 1, 1, 2, rule="unknown-effect", severity=Severity.ERROR))
    text = render("text", Report(tuple(findings)), Options(statistics=True))
    assert text.splitlines()[:-1] == ["11  warning  missing-timeout", " 1  error    unknown-effect", ""]


def test_show_files_lists_every_file_looked_at() -> None:
    text = render("text", Report(files=("a.py", "b\x1b.py")), Options(show_files=True))
    assert text == f"2 files looked at:\n  a.py\n  b\\x1b.py\n\n{CLEAN}"


def test_a_file_with_thousands_of_findings_is_split_into_lines_once(
    finding: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    split: list[int] = []

    def counted(source: str) -> list[str]:
        split.append(len(source))
        return split_lines(source)

    monkeypatch.setattr("stepcheck.output.text.split_lines", counted)
    source = SOURCE * 1000
    findings = tuple(finding("steps.py", line, 1, line, 2) for line in range(1, 5001))
    text = render("text", Report(findings, sources={"steps.py": source}), Options(width=100))
    assert text.count("may hang") == 5000
    assert split == [len(source)]
