import subprocess
import sys
from pathlib import Path

import pytest

from stepcheck import config
from stepcheck.config import Settings, UsageError
from stepcheck.frontends import TableOptions
from stepcheck.rule import Severity


def load(folder: Path, text: str, name: str = "pyproject.toml") -> Settings:
    file = folder / name
    file.write_text(text, "utf-8")
    return config.load(file, folder)


def mistakes(folder: Path, text: str, name: str = "pyproject.toml") -> list[str]:
    with pytest.raises(UsageError) as told:
        load(folder, text, name)
    return str(told.value).splitlines()


def test_every_key_reaches_the_settings(tmp_path: Path) -> None:
    text = """
[tool.stepcheck]
select = ["unknown-effect", "missing-timeout"]
ignore = ["duplicate-step"]
stage = 3
exclude = ["gen/"]
extend-exclude = ["*.lock.json"]
force-exclude = true
max-file-size = 4096
baseline = "known.json"
source-roots = ["lib"]
output-format = "concise"

[tool.stepcheck.severity]
missing-timeout = "error"

[tool.stepcheck.per-file-ignores]
"tests/" = ["all"]

[tool.stepcheck.tables]
extra-fields = ["owner"]
aliases = {side_effect = "effect"}
"""
    assert load(tmp_path, text) == Settings(
        root=tmp_path,
        file=tmp_path / "pyproject.toml",
        select=("unknown-effect", "missing-timeout"),
        ignore=("duplicate-step",),
        per_file_ignores=(("tests/", ("all",)),),
        stage=3,
        severity={"missing-timeout": Severity.ERROR},
        exclude=("gen/",),
        extend_exclude=("*.lock.json",),
        force_exclude=True,
        max_file_size=4096,
        baseline=tmp_path / "known.json",
        source_roots=("lib",),
        tables=TableOptions(frozenset({"owner"}), {"side_effect": "effect"}),
        output_format="concise",
    )


def test_stepcheck_toml_has_the_keys_at_its_top(tmp_path: Path) -> None:
    assert load(tmp_path, "stage = 2\n", "stepcheck.toml").stage == 2


def test_an_unknown_key_is_told_with_its_line_and_the_nearest_key(tmp_path: Path) -> None:
    assert mistakes(tmp_path, '[project]\nname = "x"\n\n[tool.stepcheck]\nselct = ["unknown-effect"]\n') == [
        "pyproject.toml:5: unknown key 'selct' in [tool.stepcheck]; did you mean 'select'?"
    ]


def test_an_unknown_key_of_the_tables_section_is_told_as_one_of_that_section(tmp_path: Path) -> None:
    assert mistakes(tmp_path, '[tool.stepcheck.tables]\nextra-field = ["a"]\n') == [
        "pyproject.toml:2: unknown key 'extra-field' in [tool.stepcheck.tables]; did you mean 'extra-fields'?"
    ]


def test_a_key_spelled_with_underscores_is_unknown(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "force_exclude = true\n", "stepcheck.toml") == [
        "stepcheck.toml:1: unknown key 'force_exclude' in stepcheck.toml; did you mean 'force-exclude'?"
    ]


def test_all_mistakes_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = '[tool.stepcheck]\nzzz = 1\nstage = "two"\nselect = "unknown-effect"\nforce-exclude = 1\n'
    assert mistakes(tmp_path, text) == [
        "pyproject.toml:2: unknown key 'zzz' in [tool.stepcheck]",
        "pyproject.toml:3: 'stage' in [tool.stepcheck] must be a whole number from 1 to 5, not 'two'",
        "pyproject.toml:4: 'select' in [tool.stepcheck] must be a list of rule names, such as "
        "[\"volatile-key\"], not 'unknown-effect'",
        "pyproject.toml:5: 'force-exclude' in [tool.stepcheck] must be true or false, not 1",
    ]


@pytest.mark.parametrize("stage", ["0", "6", "true", "2.5"])
def test_a_stage_outside_of_the_ladder_is_refused(tmp_path: Path, stage: str) -> None:
    (told,) = mistakes(tmp_path, f"stage = {stage}\n", "stepcheck.toml")
    assert told.startswith(
        "stepcheck.toml:1: 'stage' in stepcheck.toml must be a whole number from 1 to 5, not "
    )


def test_a_severity_that_is_no_severity_is_told_at_its_own_line(tmp_path: Path) -> None:
    text = '[tool.stepcheck.severity]\nduplicate-step = "error"\nmissing-timeout = "info"\n'
    assert mistakes(tmp_path, text) == [
        "pyproject.toml:3: 'severity' in [tool.stepcheck] must be a table from rule names to "
        '"error" or "warning", such as {missing-timeout = "error"}, not \'info\''
    ]


def test_a_name_that_no_rule_has_is_told_wherever_it_stands(tmp_path: Path) -> None:
    text = """[tool.stepcheck]
select = ["unknwon-effect"]
ignore = ["qqq"]
per-file-ignores = { "a.py" = ["duplicate-stp"] }
[tool.stepcheck.severity]
mising-timeout = "error"
"""
    assert mistakes(tmp_path, text) == [
        "pyproject.toml:2: no rule is named 'unknwon-effect'; did you mean 'unknown-effect'?",
        "pyproject.toml:3: no rule is named 'qqq'",
        "pyproject.toml:4: no rule is named 'duplicate-stp'; did you mean 'duplicate-step'?",
        "pyproject.toml:6: no rule is named 'mising-timeout'; did you mean 'missing-timeout'?",
    ]


def test_a_mistake_is_told_at_its_own_line_whatever_stands_around_it(tmp_path: Path) -> None:
    text = '''[project]
description = """
[tool.stepcheck]
stage = 9
"""
[tool]
stepcheck.select = [
    "unknown-effect", # [x]
    "mising-timeout",
]
[tool.stepcheck.per-file-ignores]
"a = b" = ["all"]
'c"d' = [
    "all",
    3]
[tool.stepcheck.tables]
aliases = {"a.b" = "effect", c = "efect"}
'''
    path = tmp_path / "pyproject.toml"
    rules = 'a table from patterns to lists of rule names, such as {"tests/" = ["missing-timeout"]}'
    assert mistakes(tmp_path, text) == [
        f"{path.name}:15: 'per-file-ignores' in [tool.stepcheck] must be {rules}, not 3"
    ]
    assert mistakes(tmp_path, text.replace("3]", "]")) == [
        "pyproject.toml:9: no rule is named 'mising-timeout'; did you mean 'missing-timeout'?",
        "pyproject.toml:17: no field of a step is named 'efect'; did you mean 'effect'?",
    ]


def test_an_empty_path_or_list_of_folders_is_refused(tmp_path: Path) -> None:
    assert mistakes(tmp_path, 'source-roots = []\nbaseline = ""\n', "stepcheck.toml") == [
        "stepcheck.toml:1: 'source-roots' in stepcheck.toml must be a list of folders, such as "
        '[".", "src"], not []',
        "stepcheck.toml:2: 'baseline' in stepcheck.toml must be a path as a string, not ''",
    ]


def test_a_configuration_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    deep = "stage = 9\nx = " + "[" * 250 + "]" * 250 + "\n"
    (only,) = mistakes(tmp_path, deep, "stepcheck.toml")
    assert only.startswith("stepcheck.toml:2: it is nested more than ")


def test_an_alias_of_no_field_is_told(tmp_path: Path) -> None:
    assert mistakes(tmp_path, '[tables.aliases]\nside = "efect"\n', "stepcheck.toml") == [
        "stepcheck.toml:2: no field of a step is named 'efect'; did you mean 'effect'?"
    ]


def test_an_output_format_that_is_none_is_told(tmp_path: Path) -> None:
    assert mistakes(tmp_path, 'output-format = "jsn"\n', "stepcheck.toml") == [
        "stepcheck.toml:1: no output format is named 'jsn'; did you mean 'json'?"
    ]


def test_broken_toml_is_told_with_its_place(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, "stage = \n", "stepcheck.toml")
    assert told == "stepcheck.toml: is not valid TOML: Invalid value (at line 1, column 9)"


def test_the_section_of_pyproject_toml_is_told_to_be_none_of_stepcheck_toml(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, "[tool.stepcheck]\nstage = 4\n", "stepcheck.toml")
    assert told == (
        "stepcheck.toml: the line [tool.stepcheck] is for pyproject.toml: here the keys stand at the top, "
        "and [tool.stepcheck.tables] is [tables]"
    )


def test_a_section_that_is_no_table_is_told(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, "[tool]\nstepcheck = 1\n")
    assert told == "pyproject.toml: [tool.stepcheck] must be a table, not 1"


def test_the_nearest_file_above_the_paths_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "stepcheck.toml").write_text("")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.stepcheck]\n")
    (inner / "x.py").write_text("")
    assert config.find(["a/b/x.py"], tmp_path) == tmp_path / "a" / "pyproject.toml"
    assert config.find(["a/b"], tmp_path) == tmp_path / "a" / "pyproject.toml"
    assert config.find(["."], tmp_path) == tmp_path / "stepcheck.toml"


def test_paths_in_different_folders_share_the_file_above_both(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "stepcheck.toml").write_text("")
    (tmp_path / "stepcheck.toml").write_text("")
    assert config.find(["a", "b"], tmp_path) == tmp_path / "stepcheck.toml"


def test_a_pyproject_without_the_section_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "stepcheck.toml").write_text("")
    (inner / "pyproject.toml").write_text('[project]\ndependencies = ["stepcheck"]\n')
    assert config.find(["a"], tmp_path) == tmp_path / "stepcheck.toml"


def test_a_broken_pyproject_that_does_not_mention_us_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "stepcheck.toml").write_text("")
    (tmp_path / "a" / "pyproject.toml").write_text("[[[")
    assert config.find(["a"], tmp_path) == tmp_path / "stepcheck.toml"


def test_stepcheck_toml_goes_before_pyproject_in_one_folder(tmp_path: Path) -> None:
    (tmp_path / "stepcheck.toml").write_text("")
    (tmp_path / "pyproject.toml").write_text("[tool.stepcheck]\n")
    assert config.find(["."], tmp_path) == tmp_path / "stepcheck.toml"


def test_pydantic_is_imported_only_where_the_section_says_something(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stepcheck]\n")
    program = (
        "import sys; from pathlib import Path; from stepcheck import config;"
        f"here = Path({str(tmp_path)!r});"
        "config.load(config.find(['.'], here), here); print('pydantic' in sys.modules);"
        "(here / 'pyproject.toml').write_text('[tool.stepcheck]\\nstage = 1\\n');"
        "config.load(config.find(['.'], here), here); print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
