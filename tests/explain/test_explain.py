import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stepcheck import page, rules
from stepcheck.cli import main

RULE = "compensation-without-deadline"


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


def test_a_page_is_shown_by_name() -> None:
    result = invoke(RULE)
    assert result.exit_code == 0
    assert result.output.startswith(f"{RULE}\n\nA compensation that may start at any time")
    assert "\nWHAT HAPPENS\n\n1. A task creates" in result.output
    assert "\n  bad:\n    STEPS = {\n" in result.output


@pytest.mark.parametrize("name", ["compensation_without_deadline", "Compensation-Without-Deadline"])
def test_underscores_and_capitals_are_forgiven(name: str) -> None:
    assert invoke(name).output == invoke(RULE).output


def test_a_near_miss_is_answered_with_the_name_that_was_meant() -> None:
    result = invoke("compensation-witout-deadlin")
    assert result.exit_code == 2
    assert result.stderr == (f"error: unknown rule 'compensation-witout-deadlin'; did you mean '{RULE}'?\n")


def test_a_name_like_no_other_is_answered_with_where_to_look() -> None:
    result = invoke("zzz\x1b[2J")
    assert result.exit_code == 2
    assert result.stderr == ("error: unknown rule 'zzz\\x1b[2J'; 'stepcheck rules' lists them all\n")


def test_a_rule_without_a_page_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "names", lambda: ["pageless"])
    result = invoke("pageless")
    assert result.exit_code == 2
    assert result.stderr == "error: rule 'pageless' has no page\n"


def test_markdown_is_the_page_byte_for_byte() -> None:
    assert (
        invoke(RULE, "--output-format", "markdown").stdout_bytes
        == (page.folder() / f"{RULE}.md").read_bytes()
    )


def test_json_holds_the_parts_of_the_page() -> None:
    value = json.loads(invoke(RULE, "--output-format", "json").output)
    assert list(value) == ["name", "sentence", "stage", "severity", "harm", "sections", "examples", "url"]
    assert (value["name"], value["stage"], value["severity"]) == (RULE, 5, "error")
    assert value["harm"] == "wrong-compensation"
    assert list(value["sections"]) == list(page.HEADINGS)
    bad, good, *_ = value["examples"]
    assert (bad["bad"], good["bad"], good["findings"]) == (True, False, [])
    assert list(bad["files"]) == ["example.py"]
    (finding,) = bad["findings"]
    assert (finding["file"], finding["line"]) == ("example.py", 6)
    assert finding["text"] in bad["files"]["example.py"].splitlines()[5]
    assert value["url"] == f"https://github.com/stepcheck/stepcheck/blob/v0.1.0/rules/{RULE}.md"


@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_every_rule_can_be_explained_in_every_form(name: str, form: str) -> None:
    result = invoke(name, "--output-format", form)
    assert result.exit_code == 0
    assert name in result.output


@pytest.mark.parametrize("arguments", [["explain", RULE], ["rules"], ["--version"]])
def test_no_heavy_library_is_imported(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom stepcheck.cli import main\n"
        f"main({arguments!r}, standalone_mode=False)\n"
        "print(sorted({'libcst', 'pydantic', 'yaml', 'pathspec', 'jsonschema'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


Terminal = Callable[..., tuple[int, str]]


def test_a_terminal_gets_colour_and_its_own_width(terminal: Terminal) -> None:
    code, text = terminal("explain", RULE, columns=40)
    assert code == 0
    assert text.startswith(f"\x1b[1m{RULE}\x1b[0m\n\nA compensation that may start at any\ntime, also")
    assert "\x1b[1;31mbad:\x1b[0m" in text


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
@pytest.mark.parametrize("arguments", [("explain", RULE), ("rules",), ("check", ".", "--exit-zero")])
def test_the_environment_decides_on_colour_in_a_terminal(
    terminal: Terminal, tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], colored: bool
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    code, text = terminal(*arguments, **environment)
    assert (code, "\x1b[" in text) == (0, colored)


@pytest.mark.parametrize(("environment", "colored"), [({}, False), ({"FORCE_COLOR": "1"}, True)])
@pytest.mark.parametrize("arguments", [("explain", RULE), ("rules",)])
def test_a_pipe_gets_colour_only_by_force(
    piped: Callable[..., "subprocess.CompletedProcess[str]"],
    arguments: tuple[str, ...],
    environment: dict[str, str],
    colored: bool,
) -> None:
    assert ("\x1b[" in piped(*arguments, **environment).stdout) is colored


def test_a_page_longer_than_the_screen_goes_through_the_pager(terminal: Terminal) -> None:
    pager = f"{sys.executable} -c \"import sys; print('PAGED', len(sys.stdin.read().splitlines()) > 20)\""
    assert terminal("explain", RULE, lines=20, PAGER=pager)[1] == "PAGED True\n"
    assert terminal("explain", RULE, "--no-pager", lines=20, PAGER=pager)[1].startswith("\x1b[1mcompensation")
    assert terminal("explain", RULE, lines=500, PAGER=pager)[1].startswith("\x1b[1mcompensation")
