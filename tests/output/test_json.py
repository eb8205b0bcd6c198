import json
from collections.abc import Callable

from stepcheck.facts import Span
from stepcheck.output import Options, render
from stepcheck.report import Coverage, Finding, Report, Suppressed, Unread
from stepcheck.rule import Fix, Related, RenameKey, Severity

Make = Callable[..., Finding]


def test_the_whole_document_has_the_promised_shape_in_a_fixed_order(finding: Make) -> None:
    found = finding(
        "a.py",
        4,
        17,
        5,
        2,
        step="send",
        related=(Related(Span("b.py", 1, 2, 1, 3), "sent here"),),
        fix=Fix("rename 'qurey' to 'query'", RenameKey(Span("a.py", 1, 1, 1, 2), "query"), safe=True),
        severity=Severity.ERROR,
        fingerprint="f1",
    )
    report = Report(
        (found,),
        suppressed=(Suppressed(found, "known", found.span),),
        unread=(Unread("c.py", "why"),),
        coverage=Coverage(1, 2, 3, 4, 5, 6, 7),
    )
    assert (
        render("json", report, Options())
        == """\
{
  "version": 1,
  "findings": [
    {
      "rule": "missing-timeout",
      "severity": "error",
      "stage": 4,
      "path": "a.py",
      "line": 4,
      "column": 17,
      "end_line": 5,
      "end_column": 2,
      "message": "'send' may hang",
      "evidence": "declared",
      "step": "send",
      "related": [
        {
          "path": "b.py",
          "line": 1,
          "column": 2,
          "message": "sent here"
        }
      ],
      "harm": "stuck",
      "help": {
        "explain": "stepcheck explain missing-timeout",
        "demo": "stepcheck explain missing-timeout --demo"
      },
      "fix": {
        "title": "rename 'qurey' to 'query'",
        "safe": true
      },
      "fingerprint": "f1"
    }
  ],
  "unread": [
    {
      "path": "c.py",
      "reason": "why"
    }
  ],
  "suppressed": 1,
  "coverage": {
    "files": 1,
    "tables": 2,
    "steps": 3,
    "functions": 4,
    "calls_followed": 5,
    "calls_opaque": 6,
    "settings_opaque": 7
  }
}
"""
    )


def test_a_finding_without_step_and_fix_says_null(finding: Make) -> None:
    (found,) = json.loads(render("json", Report((finding("a.py", 1, 1, 1, 2),)), Options()))["findings"]
    assert (found["step"], found["fix"], found["related"]) == (None, None, [])


def test_text_stays_readable_and_lone_surrogates_are_escaped(finding: Make) -> None:
    found = finding("写\udc80.py", 1, 1, 1, 2, message="é 👩\n\x1b \\udc80")
    text = render("json", Report((found,)), Options())
    assert '"写\\udc80.py"' in text
    assert '"é 👩\\n\\u001b \\\\udc80"' in text
    assert json.loads(text.encode())["findings"][0]["path"] == "写\udc80.py"


def test_statistics_stand_in_for_the_findings(finding: Make) -> None:
    report = Report((finding("a.py", 1, 1, 1, 2), finding("a.py", 2, 1, 2, 2)))
    value = json.loads(render("json", report, Options(statistics=True)))
    assert "findings" not in value
    assert value["statistics"] == [
        {"rule": "missing-timeout", "severity": "warning", "stage": 4, "findings": 2}
    ]


def test_show_files_adds_the_list_of_files() -> None:
    assert json.loads(render("json", Report(files=("a.py",)), Options(show_files=True)))["files"] == ["a.py"]
    assert "files" not in json.loads(render("json", Report(files=("a.py",)), Options()))


def test_a_rule_whose_harm_no_run_shows_has_no_command_for_it(finding: Make) -> None:
    found = finding("a.py", 1, 1, 1, 2, rule="unused-ignore")
    (told,) = json.loads(render("json", Report((found,)), Options()))["findings"]
    assert (told["harm"], told["help"]) == (
        "none",
        {"explain": "stepcheck explain unused-ignore", "demo": None},
    )
