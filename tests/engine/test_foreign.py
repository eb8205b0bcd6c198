"""Files of other tools that do not parse as what they are called."""

from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.engine import Stdin
from stepcheck.report import Coverage, Report
from stepcheck.settings import Settings

TSCONFIG = """\
{
  // what is built: see "effect"
  "compilerOptions": {"effect": "https://a.b/*", /* an URL, "not" a comment */ "call": [1, 2,],},
}
"""
CHART = """\
{{- if .Values.effect }}
steps:
  call: {{ .Values.call }}
{{- end }}
"""


def check(folder: Path, name: str, text: str) -> Report:
    (folder / name).write_text(text)
    return engine.run(Settings(root=folder), ["."], cwd=folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tsconfig.json", TSCONFIG),
        ("tsconfig.json", "\ufeff" + TSCONFIG),
        ("chart.yaml", CHART),
        ("site.yml", "{% if x %}\neffect: fade\n{% endif %}\n"),
    ],
)
def test_another_tools_file_is_looked_at_and_passed_over(name: str, text: str, tmp_path: Path) -> None:
    report = check(tmp_path, name, text)
    assert report == Report(coverage=Coverage(files=1), files=(name,))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", TSCONFIG.replace("[1, 2,]", '"idem_write"')),
        ("a.json", TSCONFIG.replace("https", 'read", "x": "')),
        ("a.json", TSCONFIG.replace("{", "{ stepcheck: ", 1)),
        ("a.json", TSCONFIG[:-3]),
        ("a.json", '{"effect": "burn" "call": 1}'),
        ("a.yaml", CHART.replace("call", "effect: non_idem_write\n  call")),
        ("a.yaml", CHART.replace(".Values.effect", ".Values.effect: read")),
        ("a.yaml", CHART.replace("{{", "{")),
        ("a.toml", "# {{\ncall = \n"),
        ("a.py", "# {{\nSTEPS = {'effect': \n"),
    ],
)
def test_a_file_that_may_be_ours_is_told_with_the_way_out(name: str, text: str, tmp_path: Path) -> None:
    report = check(tmp_path, name, text)
    assert [one.path for one in report.unread] == [name]
    [found] = report.findings
    assert found.rule == "unread-file"
    assert found.message.endswith(
        "; where that is meant, leave it out with extend-exclude in the configuration"
    )


@pytest.mark.parametrize("name", ["-", "half"])
def test_a_nameless_file_that_is_no_python_is_told_how_to_name_it(name: str, tmp_path: Path) -> None:
    stdin = Stdin(name, b"steps:\n  a: {effect: read, call: a.b}\n")
    report = engine.run(Settings(root=tmp_path), ["-"], cwd=tmp_path, stdin=stdin)
    assert report.unread[0].reason.endswith("; if it is no Python, name it by --stdin-filename")


def test_a_named_file_is_not_asked_for_its_name(tmp_path: Path) -> None:
    stdin = Stdin("a.py", b"steps:\n  a: {effect: read, call: a.b}\n")
    report = engine.run(Settings(root=tmp_path), ["-"], cwd=tmp_path, stdin=stdin)
    assert "--stdin-filename" not in report.unread[0].reason
