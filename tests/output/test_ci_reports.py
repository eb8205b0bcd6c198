"""The formats that CI systems read as files: GitLab's Code Quality report and JUnit XML."""

import json
from collections.abc import Callable
from xml.etree import ElementTree

import jsonschema
import pytest

from stepcheck.facts import Span
from stepcheck.output import Options, render
from stepcheck.report import Finding, Report, Unread
from stepcheck.rule import Related, Severity

Make = Callable[..., Finding]

CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "pattern": "^[a-z-]+$"},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""What GitLab's documentation of the Code Quality report asks for."""


def gitlab(report: Report) -> list[dict[str, object]]:
    issues: list[dict[str, object]] = json.loads(render("gitlab", report, Options()))
    jsonschema.validate(issues, CODE_QUALITY)
    return issues


def junit(report: Report) -> ElementTree.Element:
    return ElementTree.fromstring(render("junit", report, Options()).encode())


def test_a_gitlab_issue_says_what_where_and_how_bad(finding: Make) -> None:
    found = finding("./a.py", 4, 17, 5, 2, severity=Severity.ERROR, fingerprint="f1")
    assert gitlab(Report((found, finding("b.py", 1, 1, 1, 2, fingerprint="f2")))) == [
        {
            "description": "'send' may hang",
            "check_name": "missing-timeout",
            "fingerprint": "f1",
            "severity": "major",
            "location": {"path": "a.py", "lines": {"begin": 4, "end": 5}},
        },
        {
            "description": "'send' may hang",
            "check_name": "missing-timeout",
            "fingerprint": "f2",
            "severity": "minor",
            "location": {"path": "b.py", "lines": {"begin": 1, "end": 1}},
        },
    ]


def test_gitlab_fingerprints_are_unique_and_the_same_each_time(finding: Make) -> None:
    same = [finding("a.py", line, 1, line, 2, fingerprint="f") for line in range(1, 4)]
    bare = [finding("a.py", line, 1, line, 2) for line in range(1, 4)]
    report = Report((*same, *bare))
    prints = [issue["fingerprint"] for issue in gitlab(report)]
    assert len(set(prints)) == 6
    assert prints[0] == "f"
    assert prints == [issue["fingerprint"] for issue in gitlab(report)]


def test_gitlab_shows_an_unread_file_as_an_issue_unless_a_finding_does(finding: Make) -> None:
    unread = (Unread("bad.py", "it holds NUL bytes"),)
    (issue,) = gitlab(Report(unread=unread))
    assert (issue["check_name"], issue["severity"]) == ("unread-file", "major")
    assert issue["description"] == "could not be read: it holds NUL bytes"
    told = finding("bad.py", 1, 1, 1, 1, rule="unread-file")
    assert len(gitlab(Report((told,), unread=unread))) == 1


def test_gitlab_with_nothing_found_is_an_empty_array() -> None:
    assert render("gitlab", Report(), Options()) == "[]\n"


def test_a_junit_failure_stands_for_each_finding(finding: Make) -> None:
    related = (Related(Span("b.py", 1, 2, 1, 3), "sent here"),)
    report = Report((finding("a.py", 4, 17, 4, 21, related=related),))
    assert (
        render("junit", report, Options())
        == """\
<?xml version="1.0" encoding="utf-8"?>
<testsuites tests="1" failures="1" errors="0">
  <testsuite name="stepcheck" tests="1" failures="1" errors="0">
    <testcase name="missing-timeout" classname="a.py" file="a.py" line="4">
      <failure type="warning" message="'send' may hang">a.py:4:17: 'send' may hang
b.py:1:2: sent here</failure>
    </testcase>
    <system-out>1 finding (1 warning) in 1 of 0 files; 0 tables, 0 steps; 0 calls followed, 0 opaque; \
0 settings opaque; 0 suppressed by comments</system-out>
  </testsuite>
</testsuites>
"""
    )


def test_junit_with_nothing_found_is_one_passing_case() -> None:
    root = junit(Report())
    assert root.attrib == {"tests": "1", "failures": "0", "errors": "0"}
    (case,) = root.iter("testcase")
    assert (case.attrib, list(case)) == ({"name": "no findings", "classname": "stepcheck"}, [])


def test_junit_shows_an_unread_file_as_an_error(finding: Make) -> None:
    root = junit(Report((finding("a.py", 1, 1, 1, 2),), unread=(Unread("bad.py", "why"),)))
    assert root.attrib == {"tests": "2", "failures": "1", "errors": "1"}
    (error,) = root.iter("error")
    assert error.attrib == {"type": "unread-file", "message": "could not be read: why"}


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\ufffe", "\udc80", "\ud800"])
def test_junit_holds_no_character_that_xml_forbids(finding: Make, character: str) -> None:
    found = finding(f"a{character}.py", 1, 1, 1, 2, message=f"x{character}y < & > \" ' 👩\n写")
    (failure,) = junit(Report((found,))).iter("failure")
    assert failure.attrib["message"] == "xy < & > \" ' 👩\n写"
    assert failure.text == "a.py:1:1: xy < & > \" ' 👩\n写"
