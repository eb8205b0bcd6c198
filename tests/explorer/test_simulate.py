"""A declared table, simulated: what the matrix says of the fixtures, and how it is printed."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stepcheck.cli.simulate import command
from stepcheck.explorer import explore
from stepcheck.explorer.matrix.alike import STAND_IN
from stepcheck.explorer.matrix.as_text import CELL, short
from stepcheck.explorer.matrix.cells import BAD, Verdict
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import State

FIXTURE = Path(__file__).parents[2] / "fixtures" / "reconciliation"


def simulate(monkeypatch: pytest.MonkeyPatch, folder: Path, *args: str) -> Result:
    monkeypatch.chdir(folder)
    return CliRunner().invoke(command, list(args))


def table(folder: Path, text: str) -> str:
    calls = "".join(f"def {name}(params, ctx): ...\n\n\n" for name in ("send", "find", "undo"))
    (folder / "steps.py").write_text(f"{calls}STEPS = {{'send': {{'call': send, 'timeout': 5, {text}}}}}\n")
    return "steps.py"


def cells(result: Result, step: int = 0) -> dict[str, str]:
    found = json.loads(result.stdout)["tables"][0]["steps"][step]["cells"]
    return {event: cell["verdict"] for event, cell in found.items()}


def test_the_faulty_reconciliation_starts_two_approvals(monkeypatch: pytest.MonkeyPatch) -> None:
    where = "reconciliation/steps.py:STEPS"
    result = simulate(monkeypatch, FIXTURE / "faulty", where, "--faults", "1", "--output-format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    steps = {step["name"]: step for step in found["tables"][0]["steps"]}
    cell = steps["submit_for_approval"]["cells"]["answer lost"]
    assert (cell["verdict"], cell["bad"]) == ("twice", True)
    story = next(one for one in found["tables"][0]["stories"] if one["number"] == cell["story"])
    assert story["sentences"] == [
        "The executor records the intent to call 'submit_for_approval'",
        "The executor calls 'submit_for_approval': it happens; the answer is lost",
        "The executor records the intent to call 'submit_for_approval'",
        "The executor calls 'submit_for_approval': it happens",
        "The executor records 'submit_for_approval' as done",
        "One thing was wanted, and it happened more than once: 'submit_for_approval' happened 2 times",
    ]
    bad = {name for name, step in steps.items() if any(one["bad"] for one in step["cells"].values())}
    assert bad == {"create_adjustment", "submit_for_approval", "post_to_book", "archive_report"}


def test_the_right_reconciliation_has_a_clean_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    result = simulate(monkeypatch, FIXTURE / "right", "reconciliation/steps.py", "--faults", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith(
        "schedules of at most 1 fault: no schedule duplicates, loses or forgets"
    )


@pytest.mark.parametrize(
    ("declared", "event", "verdict"),
    [
        ("'effect': 'non_idem_write', 'retryable': True", "answer lost", "twice"),
        ("'effect': 'non_idem_write', 'query': find, 'retryable': True", "answer lost", "once"),
        ("'effect': 'non_idem_write', 'on_uncertain': 'human'", "answer lost", "waits for a person"),
        ("'effect': 'non_idem_write', 'query': find, 'on_absent': 'retry'", "late arrival", "twice"),
        (
            "'effect': 'non_idem_write', 'query': find, 'on_absent': 'retry', "
            "'absence': {'query_lag': 'PT5S', 'late_bound': 'PT2M', 'basis': 'manual'}",
            "late arrival",
            "once",
        ),
        ("'effect': 'idem_write', 'max_attempts': 3", "answer lost", "twice"),
        ("'effect': 'idem_write', 'max_attempts': 3", "crash after the call", "waits for a person"),
        ("'effect': 'idem_write', 'max_attempts': 3", "second worker", "waits for a person"),
        ("'effect': 'idem_write', 'max_attempts': 3, 'dedupe': True", "crash after the call", "once"),
        ("'effect': 'idem_write', 'max_attempts': 3, 'dedupe': True", "answer lost", "once"),
        ("'effect': 'read', 'max_attempts': None", "other side down", "for ever"),
        ("'effect': 'read', 'max_attempts': 3", "other side down", "waits for a person"),
        ("'effect': 'non_idem_write', 'compensate': undo", "failing compensation", "wrongly undone"),
        (
            "'effect': 'non_idem_write', 'query': find, 'compensate': undo, 'compensate_deadline': 'PT10M'",
            "failing compensation",
            "waits for a person",
        ),
    ],
)
def test_what_a_declaration_leads_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, declared: str, event: str, verdict: str
) -> None:
    where = table(tmp_path, declared)
    result = simulate(monkeypatch, tmp_path, where, "--faults", "1", "--output-format", "json")
    assert cells(result)[event] == verdict


def test_the_story_of_a_query_that_is_the_call_says_that_asking_does_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where = table(tmp_path, "'effect': 'non_idem_write', 'query': send")
    result = simulate(monkeypatch, tmp_path, where, "--faults", "1", "--output-format", "json")
    stories = json.loads(result.stdout)["tables"][0]["stories"]
    asked = "The executor asks whether 'send' happened; the answer is: yes"
    told = next(one["sentences"] for one in stories if asked in one["sentences"])
    assert told[told.index(asked) + 1] == "Asking does it again: 'send' happens"


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_verdict_leaves_room_between_two_cells(verdict: Verdict) -> None:
    assert len(short(verdict)) + (verdict in BAD) < CELL


@pytest.mark.parametrize("output_format", ["text", "html"])
def test_it_is_said_which_executor_a_cell_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output_format: str
) -> None:
    where = table(tmp_path, "'effect': 'read'")
    shown = simulate(monkeypatch, tmp_path, where, "--faults", "0", "--output-format", output_format).stdout
    assert "cell shows what comes of an executor that does what the table says" in " ".join(shown.split())


def test_steps_alike_but_for_their_names_are_simulated_once_and_told_by_their_own_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    step = "{effect: non_idem_write, call: m.send, retryable: true, timeout: 5, compensate: m.undo}"
    names = [f"s{number}" for number in range(1, 9)]
    (tmp_path / "steps.yaml").write_text("steps:\n" + "".join(f"  {name}: {step}\n" for name in names))
    explored: list[Scenario] = []

    def ends(scenario: Scenario, faults: int) -> Iterator[State]:
        explored.append(scenario)
        return explore.ends(scenario, faults)

    monkeypatch.setattr("stepcheck.explorer.matrix.cells.ends", ends)
    args = ("steps.yaml", "--faults", "1", "--output-format", "json")
    together = json.loads(simulate(monkeypatch, tmp_path, *args).stdout)["tables"][0]
    several = len(explored)
    explored.clear()
    (tmp_path / "steps.yaml").write_text(f"steps:\n  s8: {step}\n")
    alone = json.loads(simulate(monkeypatch, tmp_path, *args).stdout)["tables"][0]
    assert several == len(explored) > 0
    own = [one for one in together["stories"] if one["step"] == "s8"]
    assert [one["sentences"] for one in own] == [one["sentences"] for one in alone["stories"]]
    shift = len(together["stories"]) - len(alone["stories"])
    assert [one["number"] - shift for one in own] == [one["number"] for one in alone["stories"]]
    shown = {event: cell["story"] for event, cell in together["steps"][7]["cells"].items()}
    assert shown == {
        event: cell["story"] and cell["story"] + shift for event, cell in alone["steps"][0]["cells"].items()
    }


def test_a_name_with_quotes_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    step = "{effect: non_idem_write, call: m.send, retryable: true, timeout: 5}"
    (tmp_path / "steps.yaml").write_text(f"steps:\n  it's: {step}\n")
    shown = simulate(monkeypatch, tmp_path, "steps.yaml", "--faults", "1").stdout
    assert 'The executor calls "it\'s": it happens' in shown
    assert STAND_IN not in shown


def test_a_table_of_many_different_steps_is_said_to_take_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    steps = "".join(f"  s{n}: {{effect: read, call: m.a, timeout: {n}}}\n" for n in range(1, 22))
    (tmp_path / "steps.yaml").write_text(f"steps:\n{steps}")
    result = simulate(monkeypatch, tmp_path, "steps.yaml", "--faults", "0")
    assert result.stderr == (
        "note: 21 steps that differ in more than their names are simulated, each in a second or more; "
        "fewer --faults take less time\n"
    )


def label_boxes(page: str) -> list[tuple[float, float, float, float]]:
    """The labels of arrows, as wide as their letters are: left, top, right, bottom."""
    found = []
    for x, y, anchor, text in re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">([^<]+)<', page
    ):
        width = len(text) * 6.2
        left = float(x) - {"start": 0, "middle": width / 2, "end": width}[anchor]
        found.append((left, float(y) - 9, left + width, float(y)))
    return found


@pytest.mark.parametrize(
    "declared",
    [
        "'effect': 'non_idem_write', 'retryable': True",
        "'effect': 'non_idem_write', 'query': find, 'on_absent': 'retry'",
        "'effect': 'non_idem_write', 'query': find, 'on_absent': 'retry', "
        "'absence': {'query_lag': 'PT5S', 'late_bound': 'PT2M', 'basis': 'manual'}",
        "'effect': 'idem_write', 'dedupe': True, 'query': find",
        "'effect': 'non_idem_write', 'query': find, 'compensate': undo, 'compensate_deadline': 'PT10M'",
    ],
)
def test_no_two_labels_of_a_diagram_lie_over_each_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, declared: str
) -> None:
    where = table(tmp_path, declared)
    boxes = label_boxes(
        simulate(monkeypatch, tmp_path, where, "--faults", "0", "--output-format", "html").stdout
    )
    assert len(boxes) > 4
    for one, other in itertools.combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def test_nothing_of_the_file_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    where = table(tmp_path, "'effect': 'read'")
    ran = tmp_path / "ran"
    (tmp_path / where).write_text(f"open({str(ran)!r}, 'w')\n" + (tmp_path / where).read_text())
    assert simulate(monkeypatch, tmp_path, where, "--faults", "0").exit_code == 0
    assert not ran.exists()


def test_a_step_without_a_known_effect_is_named_and_not_simulated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where = table(tmp_path, "'effect': 'wirte', 'query': find")
    result = simulate(monkeypatch, tmp_path, where, "--faults", "0")
    assert "1 without a known effect class, not simulated" in result.stdout


@pytest.mark.parametrize("output_format", ["text", "json", "html"])
def test_the_same_table_gives_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output_format: str
) -> None:
    where = table(tmp_path, "'effect': 'non_idem_write', 'retryable': True")
    args = (where, "--faults", "1", "--output-format", output_format)
    first = simulate(monkeypatch, tmp_path, *args)
    assert first.exit_code == 1
    assert simulate(monkeypatch, tmp_path, *args).stdout == first.stdout


def test_the_page_needs_nothing_else_and_shows_text_as_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "def send(p, c): ...\nSTEPS = {'<b>&': {'call': send, 'effect': 'non_idem_write', 'retryable': True}}\n"
    (tmp_path / "steps.py").write_text(text)
    page = simulate(monkeypatch, tmp_path, "steps.py", "--faults", "1", "--output-format", "html").stdout
    assert "&lt;b&gt;&amp;" in page
    assert "<b>&<" not in page
    outside = page.replace("http://www.w3.org/2000/svg", "")
    assert [word for word in ("<script", "http:", "https:", "url(http", "@import") if word in outside] == []


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("missing.py", "error: there is no file 'missing.py'"),
        (".", "error: '.' is a folder: name a file in it"),
        ("steps.py:OTHER", "error: steps.py: there is no step table 'OTHER' in it; there are: 'STEPS'"),
        (
            "empty.py",
            "error: empty.py: there is no step table in it: a step is a mapping with 'effect' and 'call'",
        ),
        (
            "empty.yaml",
            "error: empty.yaml: there is no step table in it: a step is a mapping with 'effect' and 'call'",
        ),
        (
            "cut.json",
            "error: cut.json:2:1: could not be read: it is not valid JSON: expected a value",
        ),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str, message: str
) -> None:
    table(tmp_path, "'effect': 'read'")
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "empty.yaml").write_text("steps: {}\n")
    (tmp_path / "cut.json").write_text('{"steps": [\n')
    result = simulate(monkeypatch, tmp_path, where)
    assert result.exit_code == 2
    assert result.stderr.strip() == message
