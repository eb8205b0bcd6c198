import datetime
import sys

import pytest

from stepcheck import comments, suppress
from stepcheck.facts import Ignore, Span
from stepcheck.report import Finding
from stepcheck.rule import Evidence, Severity

TODAY = datetime.date(2026, 12, 1)
KNOWN = {"missing-timeout": True, "unknown-effect": True, "duplicate-step": False, "unread-file": True}


def finding(rule: str, line: int, end_line: int | None = None) -> Finding:
    span = Span("a.py", line, 1, end_line or line, 9)
    return Finding(rule, Severity.ERROR, 1, span, "m", Evidence.DECLARED)


def judge(
    text: str, *findings: Finding, suffix: str = ".py", today: datetime.date = TODAY
) -> suppress.Judged:
    return suppress.judge(findings, suppress.read("a.py", text, suffix), (), known=KNOWN, today=today)


def ignore(text: str, suffix: str = ".py") -> Ignore:
    (only,) = judge(text, suffix=suffix).ignores
    return only


def covered(text: str, *findings: Finding, suffix: str = ".py") -> list[bool]:
    kept = judge(text, *findings, suffix=suffix).kept
    return [one not in kept for one in findings]


def test_a_comment_behind_code_covers_its_line_alone() -> None:
    text = "a\nb  # stepcheck: ignore[missing-timeout] -- bounded by the client\nc\n"
    assert covered(text, *(finding("missing-timeout", line) for line in (1, 2, 3))) == [False, True, False]


def test_a_comment_covers_only_the_rules_it_names() -> None:
    text = "a  # stepcheck: ignore[missing-timeout, duplicate-step] -- why\n"
    rules = ("missing-timeout", "duplicate-step", "unknown-effect")
    assert covered(text, *(finding(rule, 1) for rule in rules)) == [True, True, False]


def test_a_comment_on_a_line_of_its_own_covers_the_next_line_of_code() -> None:
    text = (
        "# stepcheck: ignore[missing-timeout] -- a\n# stepcheck: ignore[unknown-effect] -- b\n# more\nx\ny\n"
    )
    findings = (finding("missing-timeout", 4), finding("unknown-effect", 4), finding("unknown-effect", 5))
    assert covered(text, *findings) == [True, True, False]


def test_a_comment_at_the_end_of_a_value_of_several_lines_covers_it() -> None:
    text = "a = f(\n  b,\n)  # stepcheck: ignore[missing-timeout] -- why\n"
    assert covered(text, finding("missing-timeout", 1, 3), finding("missing-timeout", 2)) == [True, False]


def test_a_file_ignore_covers_the_whole_file() -> None:
    text = "a\nb\n# stepcheck: file-ignore[missing-timeout] -- generated\n"
    findings = (finding("missing-timeout", 1), finding("unknown-effect", 1), finding("missing-timeout", 99))
    assert covered(text, *findings) == [True, False, True]


def test_the_reason_is_kept_with_what_is_suppressed() -> None:
    text = "a  # noqa: E1  # stepcheck: ignore[missing-timeout] -- the client bounds it  # type: ignore\n"
    (one,) = judge(text, finding("missing-timeout", 1)).suppressed
    assert one.reason == "the client bounds it"
    assert one.span == Span("a.py", 1, 16, 1, 92)


def test_an_unread_file_cannot_be_ignored() -> None:
    text = "# stepcheck: file-ignore[unread-file] -- no\nx\n"
    judged = judge(text, finding("unread-file", 2))
    assert judged.suppressed == ()
    assert judged.ignores[0].unused == ("unread-file",)


@pytest.mark.parametrize(
    "text",
    [
        "a  # stepcheck: ignore[missing-timeout]\n",
        "a  # stepcheck: ignore[missing-timeout] --\n",
        "a  # stepcheck: ignore[missing-timeout] because\n",
        "a  # stepcheck: ignore -- why\n",
        "a  # stepcheck: ignore[missing-timeout] until=2026-11-30 -- why\n",
        "a  # stepcheck: ignore[missing-timeout] until=soon -- why\n",
        "a  # stepcheck: file-ignore[missing-timeout] -- why\n",
        "a  # stepcheck: disable[missing-timeout] -- why\n",
        "a  # stepchek: ignore[missing-timeout] -- why\n",
    ],
)
def test_what_is_not_a_whole_ignore_comment_covers_nothing(text: str) -> None:
    assert covered(text, finding("missing-timeout", 1)) == [False]


def test_a_comment_holds_to_the_end_of_its_last_day() -> None:
    text = "a  # stepcheck: ignore[missing-timeout] until=2026-12-01 -- why\n"
    assert judge(text, finding("missing-timeout", 1)).kept == ()
    later = judge(text, finding("missing-timeout", 1), today=TODAY + datetime.timedelta(1))
    assert later.suppressed == ()
    assert later.ignores[0].expired
    assert later.ignores[0].until == TODAY


def test_the_last_day_may_end_the_reason() -> None:
    text = "a  # stepcheck: ignore[missing-timeout] -- bounded by the client until=2026-12-01  # noqa: E501\n"
    today, later = (
        judge(text, finding("missing-timeout", 1)),
        judge(text, today=TODAY + datetime.timedelta(1)),
    )
    assert [(one.reason, one.finding.span.line) for one in today.suppressed] == [("bounded by the client", 1)]
    assert (later.ignores[0].until, later.ignores[0].expired) == (TODAY, True)


def test_a_last_day_is_no_reason() -> None:
    assert ignore("a  # stepcheck: ignore[missing-timeout] -- until=2026-12-01\n").reason == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ignore -- why", "it names no rule: write ignore[rule-name] -- reason"),
        ("ignore[] -- why", "it names no rule: write ignore[rule-name] -- reason"),
        ("noqa", "'noqa' is neither 'ignore' nor 'file-ignore': write ignore[rule-name] -- reason"),
        ("ignore[a] because", "'because' is neither until=YYYY-MM-DD nor -- and a reason"),
        ("ignore[a] until=x -- y", "'x' is no date such as until=2027-01-31"),
        ("ignore[a] -- y until=2027-13-01", "'2027-13-01' is no date such as until=2027-01-31"),
        ("ignore[a] -- y until=", "'' is no date such as until=2027-01-31"),
        (
            "ignore[a] -- y until=2027-01-31 or so",
            "its until= stands inside the reason: put it before '--' or at the end",
        ),
        ("ignore[a] until=2027-01-31 -- y until=2027-01-31", "it has more than one until="),
    ],
)
def test_a_malformed_comment_says_why(text: str, why: str) -> None:
    assert ignore(f"# stepcheck: {text}\nx\n").malformed == why


def test_a_file_ignore_behind_code_is_malformed() -> None:
    assert ignore("x = 1  # stepcheck: file-ignore[missing-timeout] -- why\n").malformed == (
        "it speaks of the whole file and does not stand on a line of its own"
    )


def test_prose_that_begins_with_our_name_is_no_ignore_comment() -> None:
    assert judge("# stepcheck: see the handbook for what it finds\n").ignores == ()


def test_names_are_unused_only_where_their_rule_ran() -> None:
    text = (
        "a  # stepcheck: ignore[missing-timeout, unknown-effect, duplicate-step, mising-timeout, zz] -- why\n"
    )
    (one,) = judge(text, finding("unknown-effect", 1)).ignores
    assert one.unused == ("missing-timeout",)
    assert one.unknown == (("mising-timeout", "missing-timeout"), ("zz", ""))


def test_two_comments_over_one_finding_are_both_used() -> None:
    text = "# stepcheck: file-ignore[missing-timeout] -- a\nx  # stepcheck: ignore[missing-timeout] -- b\n"
    judged = judge(text, finding("missing-timeout", 2))
    assert [one.unused for one in judged.ignores] == [(), ()]
    assert [one.reason for one in judged.suppressed] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        'x = "# stepcheck: ignore[a] -- b"\n',
        'x = """\n# stepcheck: ignore[a] -- b\n"""\n',
        "x = '''it's\n# stepcheck: ignore[a] -- b\n'''\n",
        "x = 'a\\\n# stepcheck: ignore[a] -- b'\n",
        'x = r"\\" # stepcheck: ignore[a] -- b"\n',
    ],
)
def test_a_python_string_holds_no_comment(text: str) -> None:
    assert comments.read("a.py", text, ".py") == []


def test_python_comments_are_found_behind_strings_of_all_kinds() -> None:
    text = "x = 'a' + \"b's\" + '''c\"''' + f\"{d}\"  # stepcheck: ignore[a] -- b\r\n"
    text += "y = '#'  # stepcheck: ignore[c] -- d"
    assert [(one.span.line, one.span.column, one.text) for one in comments.read("a.py", text, ".py")] == [
        (1, 38, "ignore[a] -- b"),
        (2, 10, "ignore[c] -- d"),
    ]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before, such a string ends at the inner quote")
def test_a_string_inside_an_f_string_holds_no_comment() -> None:
    text = 'x = f"{d["# stepcheck: ignore[missing-timeout] -- y"]}"  # stepcheck: ignore[a] -- b\n'
    assert [one.text for one in comments.read("a.py", text, ".py")] == ["ignore[a] -- b"]


def test_python_itself_tells_what_a_comment_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it can: the pattern does not know how strings nest in newer versions."""
    monkeypatch.setattr(comments, "_PYTHON", None)
    text = "é = 1\nü = 'é # stepcheck: ignore[a] -- b'  # stepcheck: ignore[c] -- d \n"
    assert [(one.span, one.text) for one in comments.read("a.py", text, ".py")] == [
        (Span("a.py", 2, 38, 2, 65), "ignore[c] -- d")
    ]


@pytest.mark.parametrize("broken", ["x = (\n", '"""\n', "if x:\n        y\n    z\n"])
def test_comments_are_found_in_what_is_no_python(broken: str) -> None:
    text = f"x  # stepcheck: ignore[a] -- b\ny = '# stepcheck: ignore[a] -- c'\n{broken}"
    assert [(one.span.line, one.text) for one in comments.read("a.py", text, ".py")] == [
        (1, "ignore[a] -- b")
    ]


def test_comments_are_found_in_yaml_and_not_in_its_scalars() -> None:
    text = """a: 'x # stepcheck: ignore[1] -- b'  # stepcheck: ignore[2] -- b
b: |  # stepcheck: ignore[3] -- b
  # stepcheck: ignore[4] -- b
c: "x
  # stepcheck: ignore[5] -- b"
d: x# stepcheck: ignore[6] -- b
# stepcheck: ignore[7] -- b
"""
    found = comments.read("a.yaml", text, ".yaml")
    assert [(one.text, one.alone) for one in found] == [
        ("ignore[2] -- b", False),
        ("ignore[3] -- b", False),
        ("ignore[7] -- b", True),
    ]


def test_comments_are_found_in_toml_and_not_in_its_strings() -> None:
    text = """a = 'C:\\'  # stepcheck: ignore[1] -- b
b = '# stepcheck: ignore[2] -- b'
c = \"\"\"
# stepcheck: ignore[3] -- b
\"\"\"
d = '''
# stepcheck: ignore[4] -- b
'''
# stepcheck: ignore[5] -- b
"""
    assert [one.text for one in comments.read("a.toml", text, ".toml")] == [
        "ignore[1] -- b",
        "ignore[5] -- b",
    ]


def test_json_has_no_comments() -> None:
    assert comments.read("a.json", '{"a": 1}  # stepcheck: ignore[a] -- b\n', ".json") == []


@pytest.mark.parametrize("mark", ["# stepcheck: ignore[missing-timeout] -- known\n@other", "@other  # {}"])
def test_a_comment_at_the_first_of_several_decorators_covers_the_step(mark: str) -> None:
    mark = mark.format("stepcheck: ignore[missing-timeout] -- known")
    text = f"def z(): ...\n{mark}\n\n# why\n@step(\n    effect='read',\n)\ndef a(): ...\n"
    first = text.split("\n").index("@step(") + 1
    [written] = suppress.read("a.py", text, ".py")
    assert written.decorators == (first,)
    assert suppress.read("a.py", text.replace("@step(", "def b(): ...\n@step("), ".py")[0].decorators == ()
