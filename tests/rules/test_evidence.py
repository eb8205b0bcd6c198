"""What a finding carries besides its message: how sure it is, where else to look, and when it is silent."""

from pathlib import Path
from textwrap import indent

import pytest

from stepcheck import config, engine
from stepcheck.report import Finding
from stepcheck.rule import Evidence, Severity


def check(folder: Path, steps: str) -> tuple[Finding, ...]:
    (folder / "flow.yaml").write_text(f"steps:\n{indent(steps, '  ')}", "utf-8")
    return engine.run(config.Settings(root=folder), ["."], cwd=folder).findings


@pytest.mark.parametrize(
    ("identity", "evidence", "severity"),
    [
        ("[]", Evidence.DECLARED, Severity.ERROR),
        ("[task_id]", Evidence.NAME, Severity.WARNING),
    ],
)
def test_an_empty_key_is_certain_and_one_of_the_runs_names_a_guess(
    identity: str, evidence: Evidence, severity: Severity, tmp_path: Path
) -> None:
    steps = f"a:\n  effect: non_idem_write\n  call: a.b\n  query: a.c\n  identity: {identity}\n"
    (found,) = check(tmp_path, steps)
    assert (found.rule, found.evidence, found.severity) == ("incomplete-key", evidence, severity)


def test_a_timeout_that_is_unlimited_points_at_no_other_step(tmp_path: Path) -> None:
    write = "effect: non_idem_write\n  query: shop.find\n  call: shop."
    first, second = check(
        tmp_path,
        f"a:\n  {write}a\n  timeout: null\nb:\n  {write}b\nc:\n  effect: read\n  call: shop.c\n  timeout: 5\n",
    )
    assert [(found.rule, found.step) for found in (first, second)] == [
        ("missing-timeout", "a"),
        ("missing-timeout", "b"),
    ]
    assert "waits for ever" in first.message
    assert first.related == ()
    assert [related.message for related in second.related] == ["'c' has one"]


def test_bounds_for_the_answer_of_a_query_need_one(tmp_path: Path) -> None:
    absence = "absence: {query_lag: PT1S, late_bound: PT1M, basis: documented}"
    steps = f"a:\n  effect: non_idem_write\n  call: a.b\n  on_uncertain: human\n  {absence}\n"
    (found,) = check(tmp_path, steps)
    assert (found.rule, found.span.line, found.step) == ("invalid-field", 6, "a")
    assert found.message == "'a' has absence bounds for the answer of a query, and has no query"
    assert check(tmp_path, steps.replace("on_uncertain: human", "query: a.c")) == ()
