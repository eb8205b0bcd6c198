"""Tables that a comprehension or a loop builds: the step that is written stands for all of them."""

from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.report import Coverage, Report
from stepcheck.settings import Settings

FIELDS = '{"effect": "non_idem_write", "call": call}'


def check(folder: Path, text: str) -> Report:
    (folder / "a.py").write_text(text)
    return engine.run(Settings(root=folder), ["."], cwd=folder)


@pytest.mark.parametrize(
    "text",
    [
        f"STEPS = {{name: {FIELDS} for name, call in CALLS.items()}}\n",
        f"STEPS = {{f'do_{{name}}': {FIELDS} for name, call in CALLS.items() if call}}\n",
        f"STEPS = dict((name, {FIELDS}) for name, call in CALLS.items())\n",
        f"STEPS = dict([(name, {FIELDS}) for name, call in CALLS.items()])\n",
        'STEPS = {name: dict(effect="non_idem_write", call=call) for name, call in CALLS.items()}\n',
        'STEPS = [{"name": name, "effect": "non_idem_write", "call": call} for name, call in CALLS.items()]\n',
        f"STEPS = {{}}\nfor name, call in CALLS.items():\n    STEPS[name] = {FIELDS}\n",
        f"STEPS = {{}}\nSTEPS.update({{name: {FIELDS} for name, call in CALLS.items()}})\n",
    ],
)
def test_the_step_of_each_turn_is_counted_and_judged_once(text: str, tmp_path: Path) -> None:
    report = check(tmp_path, text)
    assert report.coverage == Coverage(files=1, tables=1, steps=1, calls_opaque=1)
    assert [(one.rule, one.step) for one in report.findings] == [("unqueryable-write", "...")]


def test_what_differs_from_turn_to_turn_is_opaque(tmp_path: Path) -> None:
    text = (
        "def calls(): ...\ndef call(order): ...\nclass query:\n    def find(order): ...\nt = 0\n"
        'STEPS = {n: {"effect": "non_idem_write", "call": call, "query": query.find, "timeout": int(t),'
        ' "identity": [n], "on_absent": on.get("x")} for n, call, query, t, on in ROWS}\n'
    )
    report = check(tmp_path, text)
    assert (report.findings, report.coverage.calls_followed) == ((), 0)
    assert (report.coverage.calls_opaque, report.coverage.settings_opaque) == (2, 3)


def test_what_stands_beside_a_comprehension_keeps_its_names(tmp_path: Path) -> None:
    text = (
        "def look(): ...\n"
        f'STEPS = {{**{{n: {FIELDS} for n, call in ROWS}}, "look": {{"effect": "read", "call": look}}}}\n'
        'ONE = {"again": {**STEPS["look"], "effect": "reed"}}\n'
    )
    report = check(tmp_path, text)
    assert [(one.rule, one.step) for one in report.findings] == [
        ("unqueryable-write", "..."),
        ("unknown-effect", "again"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'SIZES = {name: {"width": size} for name, size in ROWS}\nfrom x import effect\nneffect: int = 1\n',
        'ROWS = [{"name": name, "call": phone} for name, phone in PEOPLE]\n',
    ],
)
def test_other_comprehensions_are_no_tables(text: str, tmp_path: Path) -> None:
    assert check(tmp_path, text).coverage.tables == 0
