"""A value replaced by another text, in the quotes that it had."""

from pathlib import Path

import pytest

from stepcheck import engine, fixes
from stepcheck.settings import Settings

PYTHON = (
    'STEPS = {{"pay": {{"effect": "non_idem_write", "call": pay, "query": q, "compensate": undo, '
    '"compensate_deadline": {}}}}}\n'
)
YAML = (
    "steps:\n  pay: {{effect: non_idem_write, call: a.pay, query: a.q, compensate: a.u, "
    "compensate_deadline: {}}}\n"
)
TOML = (
    "[steps.pay]\neffect = 'non_idem_write'\ncall = 'a.pay'\nquery = 'a.q'\ncompensate = 'a.u'\n"
    "compensate_deadline = {} # kept\n"
)
JSON = (
    '{{"steps": {{"pay": {{"effect": "non_idem_write", "call": "a.pay", "query": "a.q", "compensate": "a.u", '
    '"compensate_deadline": {}}}}}}}\n'
)


@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        ("a.py", PYTHON, '"10 minutes"', '"PT10M"'),
        ("a.py", PYTHON, "'1h30m'", "'PT1H30M'"),
        ("a.yaml", YAML, "10m", "PT10M"),
        ("a.yaml", YAML, "10 minutes  # why", "PT10M  # why"),
        ("a.yaml", YAML, "'00:10:00'", "'PT10M'"),
        ("a.json", JSON, '"10m"', '"PT10M"'),
        ("a.toml", TOML, "'10m'", "'PT10M'"),
    ],
)
def test_a_deadline_in_another_notation_is_rewritten_when_asked(
    name: str, text: str, old: str, new: str, tmp_path: Path
) -> None:
    if "#" in old:
        text = text.replace("{{", "\n    ").replace("}}\n", "\n").replace(", ", "\n    ")
    (tmp_path / name).write_text(text.format(old))
    settings = Settings(root=tmp_path)
    found = engine.run(settings, ["."], cwd=tmp_path).findings
    assert [one.rule for one in found] == ["invalid-deadline"]
    assert fixes.plan(found, tmp_path).files == ()
    fixes.write(fixes.plan(found, tmp_path, unsafe=True))
    assert (tmp_path / name).read_text() == text.format(new)
    assert engine.run(settings, ["."], cwd=tmp_path).findings == ()


@pytest.mark.parametrize("old", ["600", '"P10M"', '"soon"', '"0"'])
def test_a_guess_is_no_fix(old: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PYTHON.format(old))
    [found] = engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path).findings
    assert (found.rule, found.fix) == ("invalid-deadline", None)


@pytest.mark.parametrize("old", ["END", '"10" "m"', '"""10m"""', 'r"10m"'])
def test_a_value_that_is_no_plain_string_is_left_alone(old: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f'END = "10m"\n{PYTHON.format(old)}')
    found = engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path).findings
    plan = fixes.plan(found, tmp_path, unsafe=True)
    assert [one.reason for one in plan.skipped] == ["the value is not written there as a string"]
    assert plan.files == ()
