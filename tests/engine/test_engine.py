import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepcheck import engine, rules
from stepcheck.facts import Step
from stepcheck.looking import Stdin
from stepcheck.report import Coverage, Report, Unread
from stepcheck.rule import Evidence, Problem, Rule, RuleFunction, Severity
from stepcheck.settings import Settings, UsageError

ONE = """def create(key):
    pass


STEPS = {
    "create": {"effect": "non_idem_write", "call": create, "timeout": 5},
}
"""
"""One finding, unqueryable-write."""


def check(folder: Path, *paths: str, **settings: Any) -> Report:
    return engine.run(replace(Settings(root=folder), **settings), paths or (".",), cwd=folder)


def told(report: Report) -> list[tuple[str, int, str]]:
    return [(one.span.path, one.span.line, one.rule) for one in report.findings]


def test_a_table_is_read_and_judged(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    report = check(tmp_path)
    assert told(report) == [("a.py", 6, "unqueryable-write")]
    assert report.coverage == Coverage(files=1, tables=1, steps=1, functions=1, calls_followed=1)
    assert report.files == ("a.py",)
    assert report.sources == {"a.py": ONE}
    (one,) = report.findings
    assert (one.severity, one.stage, one.step) == (Severity.ERROR, 4, "create")


def test_files_without_tables_are_counted_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("this is no Python, and no step either\n")
    report = check(tmp_path)
    assert report == Report(coverage=Coverage(files=2), files=("a.py", "b.py"))


def test_rules_are_chosen_by_select_ignore_and_stage(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE.replace('"timeout": 5', '"compensate": create'))

    def found(**settings: Any) -> set[str]:
        return {one.rule for one in check(tmp_path, **settings).findings}

    two = {"unqueryable-write", "compensation-without-deadline"}
    assert found() >= two
    assert found(select=("unqueryable-write",)) == {"unqueryable-write"}
    assert found(select=tuple(two)) == two
    assert found() - found(ignore=("unqueryable-write",)) == {"unqueryable-write"}
    assert two & found(stage=4) == {"unqueryable-write"}
    assert two & found(stage=3) == set()
    assert found(ignore=("all",)) == set()


def test_per_file_ignores_silence_rules_on_the_files_they_match(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.py", "in/a.py"):
        (tmp_path / name).write_text(ONE)
    only = (("in/*.py", ("unqueryable-write",)),)
    assert told(check(tmp_path, per_file_ignores=only)) == [("a.py", 6, "unqueryable-write")]
    assert told(check(tmp_path, per_file_ignores=(("a.py", ("all",)),))) == []
    inside = replace(Settings(root=tmp_path), per_file_ignores=only)
    assert told(engine.run(inside, ["."], cwd=tmp_path / "in")) == []


def test_a_severity_can_be_set_and_findings_below_one_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    warned = {"unqueryable-write": Severity.WARNING}
    assert [one.severity for one in check(tmp_path, severity=warned).findings] == [Severity.WARNING]
    assert told(check(tmp_path, severity=warned, least=Severity.ERROR)) == []
    assert len(check(tmp_path, least=Severity.ERROR).findings) == 1


def guess(problem: Problem) -> Rule:
    check = RuleFunction(Step, 1, Severity.ERROR, lambda step: iter([problem, problem]))
    return Rule("unknown-effect", "A guess.", 1, Severity.ERROR, (check,))


def test_what_is_inferred_from_a_name_is_a_warning_whatever_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(ONE)
    span = check(tmp_path).findings[0].span
    monkeypatch.setattr(rules, "load", lambda: (guess(Problem(span, "m", evidence=Evidence.NAME)),))
    found = check(tmp_path, severity={"unknown-effect": Severity.ERROR}).findings
    assert [(one.severity, one.message) for one in found] == [(Severity.WARNING, "m")]


def test_an_error_of_a_rule_is_told_and_the_other_files_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(ONE)
    (tmp_path / "b.py").write_text(ONE.replace('"create"', '"other"'))
    (real,) = (rule for rule in rules.load() if rule.name == "unqueryable-write")

    def breaks(step: Step) -> Any:
        if step.name == "create":
            raise ZeroDivisionError("by zero")
        return real.functions[0].check(step)

    monkeypatch.setattr(
        rules, "load", lambda: (replace(real, functions=(replace(real.functions[0], check=breaks),)),)
    )
    errors: list[tuple[str, str]] = []
    report = engine.run(
        Settings(root=tmp_path),
        ["."],
        cwd=tmp_path,
        on_error=lambda path, error: errors.append((path, str(error))),
    )
    assert told(report) == [("b.py", 6, "unqueryable-write")]
    assert errors == [("a.py", "by zero")]
    assert report.unread == (Unread("a.py", "internal error: ZeroDivisionError: by zero"),)


def test_a_file_that_cannot_be_read_is_a_finding_and_unread(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("STEPS = {'a': {'effect': 'read'\n")
    (tmp_path / "b.py").write_text(ONE)
    report = check(tmp_path)
    assert told(report) == [("a.py", 1, "unread-file"), ("b.py", 6, "unqueryable-write")]
    (unread,) = report.unread
    assert unread.path == "a.py"
    assert "was never closed" in unread.reason


def test_an_unread_file_stays_unread_where_its_rule_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"effect = '\xff'\n")
    report = check(tmp_path, ignore=("unread-file",))
    assert report.findings == ()
    assert [one.path for one in report.unread] == ["a.py"]


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "big.json").write_bytes(b"[" + b"1," * 50_000 + b"1]")
    assert check(tmp_path, max_file_size=100_003).unread == ()
    assert check(tmp_path, max_file_size=100_002).unread == (
        Unread(
            "big.json", "it has 100003 bytes, and max-file-size is 100002: raise that, or exclude the file"
        ),
    )


def test_a_small_limit_holds_for_small_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    assert [one.path for one in check(tmp_path, max_file_size=20).unread] == ["a.py"]


def test_a_file_that_may_not_be_opened_is_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(ONE)
    (tmp_path / "b.py").write_text(ONE)
    opened = os.open

    def guarded(path: Any, *rest: Any) -> int:
        if str(path).endswith("a.py"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", guarded)
    report = check(tmp_path)
    assert report.unread == (Unread("a.py", "permission denied"),)
    assert told(report) == [("a.py", 1, "unread-file"), ("b.py", 6, "unqueryable-write")]


def test_a_table_met_from_two_files_gives_its_findings_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    (tmp_path / "b.py").write_text("from a import STEPS\nMORE_STEPS = {**STEPS}\n")
    report = check(tmp_path)
    assert told(report) == [("a.py", 6, "unqueryable-write")]
    assert report.coverage.steps == 1


@pytest.mark.parametrize(
    "part",
    ['{"effect": "non_idem_write", "call": create, "timeout": 5}', 'dict(efect="idem_write", call=create)'],
)
@pytest.mark.parametrize("flow", ['WORKFLOW = {"create": CREATE}', "FLOW = {}\nFLOW['create'] = CREATE"])
def test_a_table_whose_steps_all_come_from_elsewhere_is_read(tmp_path: Path, part: str, flow: str) -> None:
    (tmp_path / "z.py").write_text(f"def create(key):\n    pass\n\n\nCREATE = {part}\n")
    (tmp_path / "a.py").write_text(f"from z import CREATE\n\n{flow}\n")
    (tmp_path / "b.py").write_text("CREATED = RECREATE = 1\n")
    report = check(tmp_path)
    assert (report.coverage.files, report.coverage.tables, report.coverage.steps) == (3, 1, 1)
    assert report.findings[0].span.path == "z.py"


def test_an_ignored_finding_is_kept_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        ONE.replace("5},", "5},  # stepcheck: ignore[unqueryable-write] -- next week")
    )
    report = check(tmp_path)
    assert report.findings == ()
    assert [(one.finding.rule, one.reason, one.span.line) for one in report.suppressed] == [
        ("unqueryable-write", "next week", 6)
    ]


MANY_LINES = """def create(key):
    pass


STEPS = {{
    "first": {{"effect": "read", "call": create, "timeout": 5}},{0}{1}
    "create": {{{2}
        "effect": "non_idem_write",{3}
        "call": create,
        "timeout": 5,
    }},
}}
"""
IGNORE = "# stepcheck: ignore[unqueryable-write] -- why"


@pytest.mark.parametrize(
    ("where", "covers"),
    [(1, True), (2, True), (3, True), (0, False)],
    ids=["above the step", "on the step's line", "on the line itself", "on the step before"],
)
def test_a_comment_at_a_steps_name_covers_the_whole_step(tmp_path: Path, where: int, covers: bool) -> None:
    parts = ["", "", "", ""]
    parts[where] = f"\n    {IGNORE}" if where == 1 else f"  {IGNORE}"
    (tmp_path / "a.py").write_text(MANY_LINES.format(*parts))
    report = check(tmp_path, select=("unqueryable-write", "unused-ignore"))
    assert len(report.suppressed) == covers
    assert {one.rule for one in report.findings} == (
        set() if covers else {"unqueryable-write", "unused-ignore"}
    )


def test_a_comment_above_a_decorated_definition_covers_the_step(tmp_path: Path) -> None:
    text = f"{IGNORE}\n@step(effect='non_idem_write', timeout=5)\n{{0}}def create(key):\n    return key\n"
    (tmp_path / "a.py").write_text(text.format(""))
    (tmp_path / "b.py").write_text(
        text.replace(f"{IGNORE}\n", "").format("").replace("(key):", f"(key):  {IGNORE}")
    )
    report = check(tmp_path, select=("unqueryable-write", "unused-ignore"))
    assert told(report) == []
    assert len(report.suppressed) == 2


def test_a_step_of_another_file_on_the_same_line_covers_nothing(tmp_path: Path) -> None:
    long = MANY_LINES.format("", "", "", "")
    (tmp_path / "a.py").write_text(
        f"x = [\n    1,\n    2,\n    3,\n    4,\n    5,\n]  {IGNORE}\n" + ONE.split("\n\n\n")[1]
    )
    (tmp_path / "b.py").write_text(long)
    report = check(tmp_path, select=("unqueryable-write",))
    assert told(report) == [("a.py", 9, "unqueryable-write"), ("b.py", 8, "unqueryable-write")]


def test_a_step_of_the_same_name_in_another_table_is_not_covered(tmp_path: Path) -> None:
    ignored = ONE.replace("5},", f"5}},  {IGNORE}")
    (tmp_path / "a.py").write_text(ignored + ONE.replace("STEPS", "OTHER_STEPS"))
    assert told(check(tmp_path, select=("unqueryable-write",))) == [("a.py", 13, "unqueryable-write")]


def test_a_step_that_begins_where_the_ignored_one_ends_is_not_covered(tmp_path: Path) -> None:
    first = f'"a": {{"effect": "read", "call": print,  {IGNORE}\n    "timeout": 5}}'
    (tmp_path / "a.py").write_text(ONE.replace('"create":', f'{first}, "create":'))
    assert told(check(tmp_path, select=("unqueryable-write",))) == [("a.py", 7, "unqueryable-write")]


def test_a_step_that_two_tables_share_is_counted_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE + 'ALL_STEPS = {**STEPS, "b": {"effect": "read", "call": create}}\n')
    coverage = check(tmp_path).coverage
    assert (coverage.tables, coverage.steps, coverage.calls_followed) == (2, 2, 2)


def test_an_ignore_comment_is_unused_only_where_its_rule_ran(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # stepcheck: ignore[compensation-without-deadline] -- why\n")
    assert told(check(tmp_path)) == [("a.py", 1, "unused-ignore")]
    assert told(check(tmp_path, stage=4)) == []
    assert told(check(tmp_path, ignore=("compensation-without-deadline",))) == []
    silent = (("a.py", ("compensation-without-deadline",)),)
    assert told(check(tmp_path, per_file_ignores=silent)) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_an_ignore_comment_is_read_in_the_encoding_of_its_file(tmp_path: Path, encoding: str) -> None:
    step = "steps:\n  create:\n    effect: non_idem_write\n    call: shop.create\n    timeout: 5\n"
    (tmp_path / "a.yaml").write_bytes(step.encode(encoding))
    assert told(check(tmp_path)) == [("a.yaml", 3, "unqueryable-write")]
    ignored = step.replace("create:\n", "create:  # stepcheck: ignore[unqueryable-write] -- asked by hand\n")
    (tmp_path / "a.yaml").write_bytes(ignored.encode(encoding))
    report = check(tmp_path)
    assert (told(report), [one.reason for one in report.suppressed]) == ([], ["asked by hand"])
    (tmp_path / "a.yaml").write_bytes(ignored.replace("non_", "").encode(encoding))
    assert told(check(tmp_path, select=("unused-ignore", "unqueryable-write"))) == [
        ("a.yaml", 2, "unused-ignore")
    ]


def test_unused_ignores_cannot_be_ignored_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # stepcheck: ignore[unused-ignore, missing-timeout] -- why\n")
    assert {rule for _, _, rule in told(check(tmp_path))} == {"unused-ignore"}


def test_comments_of_a_file_that_cannot_be_read_are_not_called_unused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = (  # stepcheck: ignore[missing-timeout] -- why\n")
    assert [rule for _, _, rule in told(check(tmp_path))] == ["unread-file"]


def test_the_day_comes_from_the_environment_where_it_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment = "# stepcheck: ignore[unqueryable-write] until=2027-01-31 -- the query comes with version 2"
    (tmp_path / "a.py").write_text(ONE.replace("5},", f"5}},  {comment}"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801439999")  # the last second of 2027-01-31
    assert told(check(tmp_path)) == []
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")
    assert told(check(tmp_path)) == [("a.py", 6, "unqueryable-write"), ("a.py", 6, "unused-ignore")]


def test_fingerprints_outlive_edits_elsewhere_and_tell_twins_apart(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    before = check(tmp_path).findings[0].fingerprint
    (tmp_path / "a.py").write_text("import os\n\n\n" + ONE)
    assert check(tmp_path).findings[0].fingerprint == before
    (tmp_path / "a.py").write_text(ONE + ONE.replace("STEPS", "OTHER_STEPS"))
    first, second = check(tmp_path).findings
    assert first.fingerprint == before != second.fingerprint


def test_fingerprints_are_the_same_from_every_working_directory(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.py").write_text(ONE)
    settings = Settings(root=tmp_path)
    above = engine.run(settings, ["in"], cwd=tmp_path).findings
    inside = engine.run(settings, ["."], cwd=tmp_path / "in").findings
    assert [one.span.path for one in (*above, *inside)] == ["in/a.py", "a.py"]
    assert above[0].fingerprint == inside[0].fingerprint


def test_a_missing_path_is_refused_before_anything_is_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^gone\.py: there is no such file or folder$"):
        check(tmp_path, "gone.py")


def test_the_standard_input_is_checked_under_its_name(tmp_path: Path) -> None:
    report = engine.run(Settings(root=tmp_path), ["-"], cwd=tmp_path, stdin=Stdin("in/a.py", ONE.encode()))
    assert told(report) == [("in/a.py", 6, "unqueryable-write")]
    assert report.sources == {"in/a.py": ONE}


def test_the_standard_input_can_be_excluded_like_a_file(tmp_path: Path) -> None:
    settings = Settings(root=tmp_path, extend_exclude=("in/",), force_exclude=True)
    report = engine.run(settings, ["-"], cwd=tmp_path, stdin=Stdin("in/a.py", ONE.encode()))
    assert report == Report()


def test_the_same_files_give_the_same_bytes_in_any_order_under_any_hash_seed(tmp_path: Path) -> None:
    for number in range(6):
        step = f"step_{number}"
        comment = (
            "  # stepcheck: ignore[zzz, unqueryable-write, missing-timeout] -- why" if number % 2 else ""
        )
        (tmp_path / f"{'cbafed'[number]}.py").write_text(
            ONE.replace("5},", f"5}},{comment}").replace("create", step)
        )
    (tmp_path / "t.yaml").write_text("steps:\n  pay: {efect: read, call: a.b, query: a.c, tiemout: PT5S}\n")
    names = sorted(file.name for file in tmp_path.iterdir())
    outputs = set()
    for seed, order in (("0", names), ("1", names[::-1]), ("2", [".", *names[2:]]), ("3", ["."])):
        done = subprocess.run(
            [sys.executable, "-m", "stepcheck", "check", "--isolated", "--output-format", "json", *order],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(engine.__file__).parents[1])},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        outputs.add(done.stdout)
    (only,) = outputs
    assert len(json.loads(only)["findings"]) > 6


@pytest.mark.parametrize(("name", "text"), [("a.py", ONE), ("plain.py", "x = 1\n")])
def test_a_python_file_is_checked_without_slow_imports(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    program = (
        "import sys; from stepcheck.cli import main\n"
        f"try: main(['check', {name!r}])\n"
        "except SystemExit: pass\n"
        "slow = {'libcst', 'pydantic', 'yaml', 'subprocess', 'pathspec', 'jsonschema', 'tempfile'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


LATE = """def pay_out(seller, cents):
    receipt = bank.transfer(seller.iban, cents)
    Payout.objects.create(seller=seller, cents=cents, receipt=receipt.id, status="paid")
"""


def test_code_of_tests_is_told_by_its_name_its_folder_or_what_it_imports(tmp_path: Path) -> None:
    texts = {
        "pay.py": LATE,
        "attests/pay.py": LATE,
        "tests/apps/pay.py": LATE,
        "bank/tests/pay.py": LATE,
        "test_pay.py": LATE,
        "pay_test.py": LATE,
        "conftest.py": LATE,
        "suites.py": "import pytest\n\n\n" + LATE,
        "plugins.py": "import pytest_django\n\n\n" + LATE,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [("attests/pay.py", 2), ("pay.py", 2), ("plugins.py", 5)]
    assert told(check(tmp_path)) == [(*place, "call-before-ledger") for place in found]


def test_folders_above_the_root_make_no_code_of_tests(tmp_path: Path) -> None:
    root, other = tmp_path / "tests" / "here", tmp_path / "tests" / "there"
    for folder in (root, other):
        folder.mkdir(parents=True)
        (folder / "pay.py").write_text(LATE)
    assert told(check(root)) == [("pay.py", 2, "call-before-ledger")]
    assert told(check(root, "../there")) == [("../there/pay.py", 2, "call-before-ledger")]


def test_a_table_whose_calls_are_defined_elsewhere_needs_no_reading_of_code(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    (tmp_path / "b.yaml").write_text("steps:\n  create: {effect: non_idem_write, call: shop.create}\n")
    program = (
        "import sys; from pathlib import Path\n"
        "from stepcheck import engine; from stepcheck.settings import Settings\n"
        "engine.run(Settings(root=Path.cwd()), (sys.argv[1],), cwd=Path.cwd())\n"
        "print('stepcheck.behaviour.study' in sys.modules)"
    )
    read = {
        name: subprocess.run(
            [sys.executable, "-c", program, name], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("a.py", "b.yaml")
    }
    assert read == {"a.py": "True", "b.yaml": "False"}
