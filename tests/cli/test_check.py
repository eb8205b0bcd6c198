import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import stepcheck
from stepcheck import output, rules
from stepcheck.cli import main

ONE = """def create(key):
    pass


STEPS = {
    "create": {"effect": "non_idem_write", "call": create, "timeout": 5},
}
"""
"""One finding, unqueryable-write."""
RIGHT = ONE.replace('"timeout"', '"on_uncertain": "human", "timeout"')


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "STEPCHECK_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str, stdin: str | bytes = b"") -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


def found(*arguments: str) -> list[str]:
    return sorted(
        {one["rule"] for one in json.loads(check("--output-format", "json", *arguments).stdout)["findings"]}
    )


def process(*arguments: str, **given: Any) -> "subprocess.Popen[bytes]":
    env = {**os.environ, "PYTHONPATH": str(Path(stepcheck.__file__).parents[1])}
    return subprocess.Popen([sys.executable, "-m", "stepcheck", "check", *arguments], env=env, **given)


def test_nothing_found_exits_with_0(folder: Path) -> None:
    (folder / "a.py").write_text(RIGHT)
    (folder / "b.py").write_text("x = 1\n")
    done = check()
    assert done.exit_code == 0
    assert done.stdout.startswith("no findings in 2 files; 1 table, 1 step;")


def test_findings_exit_with_1_and_with_0_where_asked(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    assert check().exit_code == 1
    quiet = check("--exit-zero")
    assert quiet.exit_code == 0
    assert quiet.stdout == check().stdout


def test_what_cannot_be_read_exits_with_2_whatever_is_asked(folder: Path) -> None:
    (folder / "a.py").write_text("STEPS = {'a': {'effect': \n")
    (folder / "b.py").write_text(ONE)
    for arguments in ([], ["--exit-zero"], ["--ignore", "unread-file"], ["--output-format", "sarif"]):
        assert check(*arguments).exit_code == 2
    assert found() == ["unqueryable-write", "unread-file"]


def test_a_missing_path_exits_with_2_and_a_sentence() -> None:
    done = check("gone", "--exit-zero")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error: gone: there is no such file or folder\n"


def test_no_file_to_look_at_exits_with_3(folder: Path) -> None:
    done = check()
    assert done.exit_code == 3
    assert done.stderr == "error: no Python, YAML, TOML or JSON file to look at in '.'\n"
    (folder / "build").mkdir()
    (folder / "build" / "a.py").write_text(ONE)
    (folder / "notes.md").write_text("")
    assert check("--exit-zero").exit_code == 3
    assert json.loads(check("--output-format", "json").stdout)["coverage"]["files"] == 0


def test_a_hook_that_names_excluded_files_only_is_no_mistake(folder: Path) -> None:
    (folder / "stepcheck.toml").write_text('exclude = ["gen/"]\n')
    (folder / "gen").mkdir()
    (folder / "gen" / "a.py").write_text(ONE)
    assert check("gen/a.py").exit_code == 1
    assert check("--force-exclude", "gen/a.py").exit_code == 0
    assert check("--force-exclude", "gen").exit_code == 3


def test_an_unknown_option_value_exits_with_2() -> None:
    for arguments in (["--stage", "6"], ["--severity", "info"], ["--output-format", "xml"], ["--nope"]):
        assert check(*arguments).exit_code == 2


def test_rules_are_selected_one_by_one_and_with_commas(folder: Path) -> None:
    (folder / "a.py").write_text(ONE.replace('"timeout": 5', '"compensate": create'))
    two = ["compensation-without-deadline", "unqueryable-write"]
    assert set(found()) >= set(two)
    assert found("--select", ", ".join(two)) == two
    assert found("--select", two[0], "--select", two[1]) == two
    assert found("--select", ",".join(two), "--ignore", two[0]) == two[1:]
    assert found("--select", ",".join(two), "--stage", "4") == two[1:]
    assert found("--select", "all") == found()


def test_a_name_that_no_rule_has_is_told_with_the_nearest() -> None:
    done = check("--select", "unqueryable-wirte")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: --select: no rule is named 'unqueryable-wirte'; did you mean 'unqueryable-write'?\n",
    )
    assert check("--ignore", "qqq").stderr == "error: --ignore: no rule is named 'qqq'\n"


def test_a_selection_on_the_command_line_stands_in_place_of_the_configured_one(folder: Path) -> None:
    (folder / "a.py").write_text(ONE.replace('"timeout": 5', '"compensate": create'))
    (folder / "stepcheck.toml").write_text('stage = 4\nignore = ["unqueryable-write"]\n')
    assert not {"unqueryable-write", "compensation-without-deadline"} & set(found())
    assert found("--select", "unqueryable-write,compensation-without-deadline") == [
        "compensation-without-deadline",
        "unqueryable-write",
    ]
    assert "compensation-without-deadline" in found("--stage", "5")
    assert "unqueryable-write" not in found("--stage", "5")


def test_a_severity_leaves_out_what_is_below_it(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    (folder / "stepcheck.toml").write_text('severity = {unqueryable-write = "warning"}\n')
    assert check().exit_code == 1
    assert check("--severity", "error").exit_code == 0
    assert check("--severity", "warning").exit_code == 1


def test_mistakes_in_the_configuration_are_told_line_by_line(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.stepcheck]\nselct = []\nstage = "x"\n')
    done = check()
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "error: pyproject.toml:2: unknown key 'selct' in [tool.stepcheck]; did you mean 'select'?",
        "error: pyproject.toml:3: 'stage' in [tool.stepcheck] must be a whole number from 1 to 5, not 'x'",
    ]
    assert check("--isolated").exit_code == 0


def test_a_configuration_can_be_named(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    (folder / "conf").mkdir()
    (folder / "conf" / "strict.toml").write_text('per-file-ignores = {"/a.py" = ["all"]}\n')
    assert check().exit_code == 1
    assert check("--config", "conf/strict.toml").exit_code == 0
    assert (
        check("--config", "gone.toml").stderr
        == "error: gone.toml: could not be read: No such file or directory\n"
    )
    assert check("--config", "conf/strict.toml", "--isolated").exit_code == 2


def test_settings_are_shown_without_a_check(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.stepcheck]\nstage = 1\nignore = ["duplicate-step"]\n')
    done = check("--show-settings", "--select", "unknown-effect")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert shown["configuration"] == "pyproject.toml"
    assert shown["rules"] == ["unknown-effect"]
    assert sorted([*shown["rules"], *shown["not-running"]]) == rules.names()


def test_the_standard_input_is_checked(folder: Path) -> None:
    done = check("-", "--output-format", "concise", stdin=ONE)
    assert done.exit_code == 1
    assert done.stdout.startswith("-:6:")
    yaml = check(
        "-",
        "--stdin-filename",
        "in/t.yaml",
        "--output-format",
        "concise",
        stdin="steps: {a: {effect: wirte, call: b.c}}\n",
    )
    assert yaml.stdout.startswith("in/t.yaml:1:")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-", "a.py"], "'-' (the standard input) must be the only path"),
        (["--stdin-filename", "x.py"], "--stdin-filename needs '-' as the only path"),
        (["-", "--stdin-filename", "x.txt"], "x.txt: is neither Python, YAML, TOML nor JSON by its suffix"),
        (["-", "--fix"], "--fix and --diff need files: they cannot mend the standard input"),
        (["--fix", "--diff"], "--fix and --diff exclude each other: --diff shows what --fix would write"),
        (["--unsafe-fixes"], "--unsafe-fixes does nothing by itself: add --fix or --diff"),
        (
            ["--write-baseline", "b", "--baseline", "b"],
            "--write-baseline excludes --baseline and --prune-baseline: it already leaves out what is stale",
        ),
        (
            ["--prune-baseline"],
            "--prune-baseline needs a baseline: name it by --baseline, or in the configuration",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(folder: Path, arguments: list[str], told: str) -> None:
    (folder / "a.py").write_text(ONE)
    done = check(*arguments, stdin=ONE)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {told}\n")


def test_a_baseline_is_made_used_and_pruned(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    made = check("--write-baseline", "known.json")
    assert made.exit_code == 0
    assert "1 in the baseline" in made.stdout
    assert check().exit_code == 1
    assert check("--baseline", "known.json").exit_code == 0
    (folder / "stepcheck.toml").write_text('baseline = "known.json"\n')
    assert check().exit_code == 0
    (folder / "a.py").write_text(RIGHT)
    stale = check("--output-format", "concise")
    assert stale.exit_code == 0
    assert "a.py: unqueryable-write: " in stale.stdout
    pruned = check("--prune-baseline")
    assert pruned.stderr == "1 stale entry taken out of the baseline\n"
    assert json.loads((folder / "known.json").read_text())["findings"] == []
    assert "unqueryable-write" not in check().stdout


def test_writing_a_baseline_again_takes_in_what_is_new_and_leaves_out_what_is_gone(folder: Path) -> None:
    (folder / "stepcheck.toml").write_text('baseline = "known.json"\n')
    (folder / "a.py").write_text(ONE)
    assert check("--write-baseline", "known.json").exit_code == 0
    (folder / "a.py").write_text(RIGHT)
    (folder / "b.py").write_text(ONE)
    again = check("--write-baseline", "known.json")
    assert again.exit_code == 0
    assert "1 in the baseline" in again.stdout
    assert [entry["path"] for entry in json.loads((folder / "known.json").read_text())["findings"]] == [
        "b.py"
    ]
    assert check().exit_code == 0


def test_a_bad_baseline_exits_with_2(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    (folder / "known.json").write_text("{}")
    done = check("--baseline", "known.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is no baseline" in done.stderr


def test_output_goes_to_a_file_without_colour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.py").write_text(ONE)
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = check("--output-file", "out.txt")
    assert (done.exit_code, done.stdout) == (1, "")
    text = (folder / "out.txt").read_text()
    assert "unqueryable-write" in text
    assert "\x1b" not in text
    assert sorted(file.name for file in folder.iterdir()) == ["a.py", "out.txt"]
    failed = check("--output-file", "no/out.txt")
    assert (failed.exit_code, failed.stderr) == (
        2,
        "error: no/out.txt: could not be written: No such file or directory\n",
    )


def test_output_to_what_is_no_plain_file_leaves_it_what_it_is(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    (folder / "real.txt").write_text("old")
    (folder / "link.txt").symlink_to("real.txt")
    assert check("--output-file", "link.txt").exit_code == 1
    assert (folder / "link.txt").is_symlink()
    assert "unqueryable-write" in (folder / "real.txt").read_text()
    os.mkfifo(folder / "pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert check("--output-file", "pipe").exit_code == 1
    assert (folder / "pipe").is_fifo()
    assert b"unqueryable-write" in os.read(reader, 100_000)
    os.close(reader)


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "0"}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_as_asked(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: dict[str, str],
    colored: bool,
) -> None:
    (folder / "a.py").write_text(ONE)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in check(*arguments).stdout) is colored


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_gets_colour(folder: Path, environment: dict[str, str], colored: bool) -> None:
    (folder / "a.py").write_text(ONE)
    ours, theirs = pty.openpty()
    env = {
        **os.environ,
        "PYTHONPATH": str(Path(stepcheck.__file__).parents[1]),
        "TERM": "xterm",
        **environment,
    }
    done = subprocess.run([sys.executable, "-m", "stepcheck", "check"], env=env, stdout=theirs, check=False)
    os.close(theirs)
    assert done.returncode == 1
    assert (b"\x1b[" in os.read(ours, 100_000)) is colored
    os.close(ours)


def test_files_and_counts_are_shown_where_asked(folder: Path) -> None:
    (folder / "a.py").write_text(ONE)
    (folder / "b.py").write_text("")
    assert "b.py" not in check().stdout
    assert "b.py" in check("--show-files").stdout
    assert check("--statistics").exit_code == 1


@pytest.mark.parametrize("option", ["--statistics", "--show-files"])
@pytest.mark.parametrize("name", output.names())
def test_what_a_format_cannot_show_is_refused(folder: Path, name: str, option: str) -> None:
    (folder / "a.py").write_text(ONE)
    done = check("--output-format", name, option)
    if name in ("concise", "json", "text"):
        assert (done.exit_code, done.stderr) == (1, "")
    else:
        assert (done.exit_code, done.stdout, done.stderr) == (
            2,
            "",
            f"error: {name} has no place for {option}: use it with concise, json, text\n",
        )


def broken(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    from stepcheck.sources import Sources

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(Sources, "tables", fails)


def test_an_internal_error_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.py").write_text(ONE)
    broken(monkeypatch, ZeroDivisionError("by zero"))
    done = check("--exit-zero")
    assert done.exit_code == 2
    assert done.stderr == (
        "error: internal error while checking a.py: ZeroDivisionError: by zero; please report it\n"
    )
    assert "Traceback" in check("--verbose").stderr
    monkeypatch.setenv("STEPCHECK_TRACEBACK", "1")
    assert "Traceback" in check().stderr


def test_an_error_of_a_format_is_one_sentence_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.py").write_text(ONE)

    def fails(*_: object) -> str:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(output, "load", lambda _: output.Format(fails))
    done = check()
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error: internal error: ZeroDivisionError: by zero; please report it\n"


def test_a_file_nested_too_deeply_is_unread(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.py").write_text(ONE)
    broken(monkeypatch, RecursionError())
    assert found() == ["unread-file"]


def test_an_interrupt_ends_with_130_and_without_a_traceback(folder: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell that starts the tests in the background has interrupts ignored, and children inherit that.
    with process("-", **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as run:
        assert run.stdin is not None
        run.stdin.write(b"#" * 1_000_000)  # more than a pipe holds: returns while it is being read
        run.stdin.flush()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=20)
    assert (run.returncode, out, err) == (130, b"", b"")


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    for number in range(60):
        (folder / f"{number}.py").write_text(ONE)
    reader, writer = os.pipe()
    os.close(reader)
    with process("--exit-zero", stdout=writer, stderr=subprocess.PIPE) as run:
        os.close(writer)
        _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, b"")


def test_a_name_that_is_no_utf8_can_be_printed(folder: Path) -> None:
    (folder / os.fsdecode(b"caf\xe9.py")).write_text(ONE)
    with process("--output-format", "concise", stdout=subprocess.PIPE) as run:
        out, _ = run.communicate(timeout=20)
    assert out.startswith(b"caf\\xe9.py:6:")


def test_a_narrow_encoding_gets_escapes(folder: Path) -> None:
    (folder / "a.py").write_text(ONE.replace('"create"', '"zahlung_\u00fc\u4e2d"'), "utf-8")
    env = {
        **os.environ,
        "PYTHONIOENCODING": "latin-1",
        "PYTHONPATH": str(Path(stepcheck.__file__).parents[1]),
    }
    done = subprocess.run(
        [sys.executable, "-m", "stepcheck", "check", "--output-format", "concise"],
        env=env,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"zahlung_\xfc\\u4e2d" in done.stdout


MISSPELT = RIGHT.replace('"on_uncertain"', '"on_uncertian"')


def test_a_diff_shows_what_a_fix_would_write(folder: Path) -> None:
    (folder / "a.py").write_text(MISSPELT)
    done = check("--diff")
    assert done.exit_code == 1
    assert (
        '+    "create": {"effect": "non_idem_write", "call": create, "on_uncertain": "human"' in done.stdout
    )
    assert (folder / "a.py").read_text() == MISSPELT


def test_a_fix_is_written_and_what_is_left_is_reported(folder: Path) -> None:
    (folder / "a.py").write_text(MISSPELT)
    done = check("--fix")
    assert (folder / "a.py").read_text() == RIGHT
    assert (done.exit_code, done.stderr) == (0, "a.py: 1 fixed\n")


def test_an_unsafe_fix_is_written_only_where_asked(folder: Path) -> None:
    text = RIGHT.replace('"timeout": 5', '"compensate": create')
    (folder / "a.py").write_text(text)
    check("--fix")
    assert (folder / "a.py").read_text() == text
    check("--fix", "--unsafe-fixes")
    assert '"compensate_deadline": "PT10M"' in (folder / "a.py").read_text()
