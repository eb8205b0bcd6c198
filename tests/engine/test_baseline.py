import json
from dataclasses import replace
from pathlib import Path

import pytest

from stepcheck import baseline, engine
from stepcheck.baseline import Entry
from stepcheck.report import Report
from stepcheck.settings import Settings, UsageError

ONE = """steps:
  {name}:
    effect: non_idem_write
    call: vendor.create
    timeout: PT5S
"""


def check(folder: Path, settings: Settings) -> Report:
    return engine.check(settings, ["."], cwd=folder)


def entries(folder: Path, settings: Settings) -> tuple[Entry, ...]:
    return baseline.updated((), check(folder, settings), settings, folder)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(ONE.format(name=name))
    return Settings(root=tmp_path, select=("unqueryable-write", "unread-file"))


def test_what_is_written_is_read_back(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    assert [(entry.path, entry.rule) for entry in made] == [
        ("a.yaml", "unqueryable-write"),
        ("b.yaml", "unqueryable-write"),
    ]
    baseline.write(tmp_path / "known.json", made[::-1])
    assert baseline.read(tmp_path / "known.json") == made


def test_the_file_is_sorted_json_with_a_version_and_an_entry_a_line(
    tmp_path: Path, settings: Settings
) -> None:
    baseline.write(tmp_path / "known.json", entries(tmp_path, settings))
    text = (tmp_path / "known.json").read_text()
    document = json.loads(text)
    assert document["version"] == 1
    assert [list(entry) for entry in document["findings"]] == [["rule", "path", "fingerprint", "message"]] * 2
    assert len(text.splitlines()) == 4
    assert text.endswith("\n]}\n")


def test_an_empty_baseline_is_one_too(tmp_path: Path) -> None:
    baseline.write(tmp_path / "known.json", ())
    assert (tmp_path / "known.json").read_text() == '{"version": 1, "findings": []}\n'
    assert baseline.read(tmp_path / "known.json") == ()


def test_known_findings_are_held_back_wherever_they_have_moved(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "a.yaml").write_text("# moved\n\n" + ONE.format(name="a"))
    compared = baseline.compare(made, check(tmp_path, settings), settings, tmp_path)
    assert (len(compared.new), len(compared.held), compared.stale) == (0, 2, ())


def test_new_findings_stand(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "c.yaml").write_text(ONE.format(name="c"))
    compared = baseline.compare(made, check(tmp_path, settings), settings, tmp_path)
    assert [(one.span.path, one.step) for one in compared.new] == [("c.yaml", "c")]


def test_an_entry_is_stale_where_its_finding_is_gone(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "a.yaml").write_text("steps: {}\n")
    report = check(tmp_path, settings)
    compared = baseline.compare(made, report, settings, tmp_path)
    assert compared.stale == made[:1]
    assert baseline.pruned(made, compared) == made[1:]
    assert baseline.updated(made, report, settings, tmp_path) == made[1:]
    assert baseline.against(report, compared).stale == (f"a.yaml: unqueryable-write: {made[0].message}",)


def test_an_entry_is_stale_where_its_file_is_gone(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "a.yaml").unlink()
    assert baseline.compare(made, check(tmp_path, settings), settings, tmp_path).stale == made[:1]


def test_an_entry_stays_where_its_rule_did_not_run(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    other = replace(settings, select=("duplicate-step",))
    report = check(tmp_path, other)
    assert baseline.compare(made, report, other, tmp_path).stale == ()
    assert baseline.updated(made, report, other, tmp_path) == made


def test_an_entry_stays_where_its_file_was_not_looked_at(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    report = engine.check(settings, ["b.yaml"], cwd=tmp_path)
    assert baseline.updated(made, report, settings, tmp_path) == made


def test_an_entry_stays_where_its_file_could_not_be_read(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "a.yaml").write_text("steps: {call: [\n")
    report = check(tmp_path, settings)
    assert baseline.updated(made, report, settings, tmp_path) == made


def test_an_unread_file_is_never_held(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "a.yaml").write_text("steps: {call: [\n")
    report = check(tmp_path, settings)
    assert {entry.rule for entry in baseline.updated((), report, settings, tmp_path)} == {"unqueryable-write"}


def test_paths_are_those_from_the_root(tmp_path: Path, settings: Settings) -> None:
    made = entries(tmp_path, settings)
    (tmp_path / "in").mkdir()
    inside = tmp_path / "in"
    report = engine.check(settings, [".."], cwd=inside)
    assert [one.span.path for one in report.findings] == ["../a.yaml", "../b.yaml"]
    assert baseline.updated((), report, settings, inside) == made


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no baseline: Expecting property name enclosed in double quotes"),
        ("[]", "is no baseline: it has no list 'findings'"),
        ('{"version": 1}', "is no baseline: it has no list 'findings'"),
        ('{"version": 2, "findings": []}', "is a baseline of version 2, not of version 1"),
        (
            '{"version": 1, "findings": [{"rule": "a", "path": 1}]}',
            "entry 1 of 'findings' needs the strings rule, path, fingerprint and message",
        ),
        ("\xff", "is no baseline: "),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "known.json").write_text(text, "latin-1")
    with pytest.raises(UsageError) as refused:
        baseline.read(tmp_path / "known.json")
    assert str(refused.value).startswith(f"{tmp_path}/known.json: {told}")
    assert str(refused.value).endswith("; --write-baseline makes a new one")


def test_a_baseline_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"known\.json: there is no such baseline; --write-baseline makes one$"
    ):
        baseline.read(tmp_path / "known.json")
