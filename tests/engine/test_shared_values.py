"""Findings whose place is not in the step they are about: a value that several steps share."""

from dataclasses import replace
from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.facts import Span
from stepcheck.report import Finding, Report
from stepcheck.settings import Settings

SHARED = 'COMMON = {"max_attempts": None}\n'
TABLE = """\
STEPS = {
    "one": {"effect": "read", "call": look, **COMMON},
    "two": {"effect": "read", "call": find, **COMMON},
}
"""
YAML = """\
x-common: &common {max_attempts: unlimited}
steps:
  one: {effect: read, call: shop.look, <<: *common}
  two: {effect: read, call: shop.find, <<: *common}
"""


def run(folder: Path, settings: Settings | None = None, **files: str) -> Report:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return engine.run(settings or Settings(root=folder), ["."], cwd=folder)


def places(found: Finding) -> tuple[str, int, list[tuple[str, int, str]]]:
    related = [(each.span.path, each.span.line, each.message) for each in found.related]
    return found.step, found.span.line, related


@pytest.mark.parametrize(
    ("name", "text", "first"), [("a_py", SHARED + TABLE, 3), ("a_yaml", YAML, 3)], ids=["python", "yaml"]
)
def test_each_step_that_shares_a_value_has_its_finding_with_its_own_place(
    name: str, text: str, first: int, tmp_path: Path
) -> None:
    found = run(tmp_path, **{name: text}).findings
    path = name.replace("_", ".")
    assert [places(one) for one in found] == [
        ("one", 1, [(path, first, "'one' is declared here")]),
        ("two", 1, [(path, first + 1, "'two' is declared here")]),
    ]
    assert len({one.fingerprint for one in found}) == 2


def test_a_finding_in_its_own_step_has_no_further_place(tmp_path: Path) -> None:
    [found] = run(tmp_path, a_yaml="steps:\n  one: {effect: read, call: a.b, max_attempts: null}\n").findings
    assert (found.home, found.related) == (None, ())


def test_steps_of_one_name_in_two_tables_keep_a_finding_each(tmp_path: Path) -> None:
    again = TABLE.replace("STEPS", "MORE")
    found = run(tmp_path, a_py=SHARED + TABLE + again).findings
    assert [(one.step, one.home and one.home.line) for one in found] == [
        ("one", 3),
        ("one", 7),
        ("two", 4),
        ("two", 8),
    ]
    assert len({one.fingerprint for one in found}) == 4


IGNORE = "# stepcheck: ignore[unbounded-retry] -- a person watches it"


@pytest.mark.parametrize(
    "table",
    [
        TABLE.replace("**COMMON},\n}", f"**COMMON}},  {IGNORE}\n}}"),
        TABLE.replace('    "two"', f'    {IGNORE}\n    "two"'),
    ],
    ids=["on the line", "above"],
)
def test_a_comment_at_the_step_covers_that_step_alone(table: str, tmp_path: Path) -> None:
    for files in ({"a_py": SHARED + table}, {"b_py": SHARED, "a_py": f"from b import COMMON\n{table}"}):
        report = run(tmp_path, **files)
        assert [(one.rule, one.step) for one in report.findings] == [("unbounded-retry", "one")]
        assert [(one.finding.step, one.reason) for one in report.suppressed] == [
            ("two", "a person watches it")
        ]


def test_a_comment_at_the_shared_value_covers_all_of_them(tmp_path: Path) -> None:
    shared = f"{SHARED.rstrip()}  {IGNORE}\n"
    report = run(tmp_path, b_py=shared, a_py=f"from b import COMMON\n{TABLE}")
    assert (report.findings, [one.finding.step for one in report.suppressed]) == ((), ["one", "two"])


def test_a_comment_on_the_same_line_of_another_file_covers_nothing(tmp_path: Path) -> None:
    table = TABLE.replace("STEPS = {", f"STEPS = {{  {IGNORE}")
    report = run(tmp_path, b_py="\n" + SHARED, a_py=f"from b import COMMON\n{table}")
    assert [(one.rule, one.span) for one in report.findings if one.rule == "unused-ignore"] == [
        ("unused-ignore", Span("a.py", 2, 12, 2, 71))
    ]
    assert (len(report.findings), report.suppressed) == (3, ())


@pytest.mark.parametrize("pattern", ["a.py", "b.py"])
def test_the_file_of_the_step_and_that_of_the_value_can_both_be_ignored(pattern: str, tmp_path: Path) -> None:
    settings = Settings(root=tmp_path, per_file_ignores=((pattern, ("unbounded-retry",)),))
    files = {"b_py": SHARED, "a_py": f"from b import COMMON\n{TABLE}"}
    assert run(tmp_path, settings, **files).findings == ()
    assert len(run(tmp_path, replace(settings, per_file_ignores=()), **files).findings) == 2


def test_the_ladder_gives_each_of_them_its_own_step(tmp_path: Path) -> None:
    from stepcheck.ladder import climb

    table = TABLE.replace(", **COMMON},\n}", "},\n}")
    again = TABLE.replace("STEPS", "MORE")
    settings = Settings(root=tmp_path)
    report = run(tmp_path, a_py=SHARED + table + again)
    rungs = climb(engine.tables(settings, ["."], cwd=tmp_path), report.findings)
    assert [[step.stage for step in rung.steps] for rung in rungs] == [[3, 5], [3, 3]]
