"""What a new project is given, and that nothing of an old one is lost."""

import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from stepcheck import __version__
from stepcheck.cli import main

TICKETS = '''\
"""The desk's tickets."""

import httpx
import requests


def create_ticket(subject):
    return requests.post("https://desk.example/tickets", json={"subject": subject})


def find_ticket(reference):
    return requests.get("https://desk.example/tickets", params={"reference": reference})


def search(words):
    return httpx.Client().post("https://desk.example/search", json=words)


def send_mail(smtp, message):
    smtp.send_message(message)


def upsert_contact(session):
    session.post("https://desk.example/contacts")


async def close_page(client):
    await client.put("https://desk.example/page")


def total(orders):
    return orders.get("total")


def _private():
    requests.post("https://desk.example")


open("imported", "w")
'''


def init(*options: str) -> Result:
    return CliRunner().invoke(main, ["init", *options], catch_exceptions=False)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_an_empty_folder_gets_a_configuration_and_nothing_else(project: Path) -> None:
    result = init()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "wrote stepcheck.toml\nno function outside of the step tables looks like a call to the outside\n"
    )
    assert list(files(project)) == ["stepcheck.toml"]
    assert tomllib.loads((project / "stepcheck.toml").read_text()) == {"stage": 1}


def test_a_project_with_git_and_github_gets_hooks_and_a_workflow(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".github").mkdir()
    (project / "pyproject.toml").write_bytes(b'[project]\r\nname = "desk"')
    assert init().exit_code == 0
    assert list(files(project)) == [
        ".github/workflows/stepcheck.yml",
        ".pre-commit-config.yaml",
        "pyproject.toml",
    ]
    shared = (project / "pyproject.toml").read_bytes()
    assert shared.startswith(b'[project]\r\nname = "desk"\r\n\r\n[tool.stepcheck]\r\n')
    assert tomllib.loads(shared.decode())["tool"] == {"stepcheck": {"stage": 1}}
    [repository] = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["rev"] == f"v{__version__}"
    assert repository["hooks"] == [{"id": "stepcheck"}, {"id": "stepcheck-tables"}]
    workflow = yaml.safe_load((project / ".github/workflows/stepcheck.yml").read_text())
    assert workflow["jobs"]["stepcheck"]["steps"][1] == {"uses": f"stepcheck/stepcheck@v{__version__}"}


def test_the_hooks_are_those_that_the_repository_offers(project: Path) -> None:
    (project / ".git").mkdir()
    init()
    offered = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
    [repository] = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in offered]


def test_a_second_run_changes_nothing(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".github").mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "desk"\n')
    init()
    before = files(project)
    result = init()
    assert result.exit_code == 0
    assert files(project) == before
    assert result.stdout.splitlines()[:3] == [
        "pyproject.toml knows stepcheck already",
        ".pre-commit-config.yaml knows stepcheck already",
        ".github/workflows/stepcheck.yml knows stepcheck already",
    ]


def test_files_that_are_there_are_left_and_told_about(project: Path) -> None:
    (project / ".github/workflows").mkdir(parents=True)
    (project / ".github/workflows/stepcheck.yml").write_text("name: steps of ours\n")
    (project / ".pre-commit-config.yaml").write_text("repos: []\n")
    (project / ".gitlab-ci.yml").write_text("build: {}\n")
    before = files(project)
    result = init()
    assert result.exit_code == 2
    assert result.stderr == (
        "error: .github/workflows/stepcheck.yml is there and says something else: it is left as it is\n"
    )
    assert {path: data for path, data in files(project).items() if path != "stepcheck.toml"} == before
    assert "add to .pre-commit-config.yaml by hand:\n\n" in result.stdout
    assert "      - id: stepcheck-tables\n" in result.stdout
    assert (
        "        - stepcheck check --output-format gitlab --output-file gl-code-quality.json\n"
        in result.stdout
    )


def test_a_dry_run_shows_everything_and_writes_nothing(project: Path) -> None:
    (project / ".git").mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "desk"\n')
    before = files(project)
    result = init("--dry-run")
    assert result.exit_code == 0
    assert files(project) == before
    assert "would add to pyproject.toml:\n\n    [tool.stepcheck]\n" in result.stdout
    assert "would write .pre-commit-config.yaml:\n\n    repos:\n" in result.stdout


def test_a_folder_that_cannot_be_written_is_told(project: Path) -> None:
    (project / ".github").mkdir()
    (project / ".github" / "workflows").write_text("a file\n")
    result = init()
    assert result.exit_code == 2
    assert result.stderr.startswith("error: .github/workflows/stepcheck.yml cannot be written: ")


def test_a_broken_configuration_is_told_in_a_sentence(project: Path) -> None:
    (project / "stepcheck.toml").write_text("stage = \n")
    result = init()
    assert result.exit_code == 2
    assert result.stderr.startswith("error: stepcheck.toml: is not valid TOML: ")


def test_every_mistake_in_a_configuration_is_told_on_a_line_of_its_own(project: Path) -> None:
    (project / "stepcheck.toml").write_text("stage = 9\nbaselin = 1\n")
    result = init()
    assert result.exit_code == 2
    assert result.stderr == (
        "error: stepcheck.toml:1: 'stage' in stepcheck.toml must be a whole number from 1 to 5, not 9\n"
        "error: stepcheck.toml:2: unknown key 'baselin' in stepcheck.toml; did you mean 'baseline'?\n"
    )


def test_a_first_table_is_proposed_and_nothing_of_the_project_runs(project: Path) -> None:
    (project / "desk").mkdir()
    (project / "desk" / "tickets.py").write_text(TICKETS)
    (project / "tests").mkdir()
    (project / "tests" / "test_tickets.py").write_text(TICKETS)
    (project / "broken.py").write_text("def send_mail(:\n")
    shown = init().stdout.partition("a first step table, to be read and decided:\n\n")[2]
    assert shown == (
        """\
# A draft. Lines marked `guess` rest on names and calls: read the code and decide.
steps:
  create_ticket:
    effect: non_idem_write  # guess: it calls requests.post
    call: desk.tickets.create_ticket
    query: desk.tickets.find_ticket  # guess: by its name; it must ask by key or identity
  search:
    effect: read  # guess: its name starts with 'search', though it calls httpx.Client.post
    call: desk.tickets.search
  send_mail:
    effect: non_idem_write  # guess: its name starts with 'send'
    call: desk.tickets.send_mail
    on_uncertain: human  # nothing that looks like its query was found
  upsert_contact:
    effect: idem_write  # guess: it calls session.post, and its name sets an outcome
    call: desk.tickets.upsert_contact
  close_page:
    effect: idem_write  # guess: it calls client.put
    call: desk.tickets.close_page
    dedupe: TODO  # who promises to honour its key, and for how long
"""
    )
    assert not (project / "imported").exists()


@pytest.mark.parametrize(("table_format", "name"), [("yaml", "table.yaml"), ("python", "table.py")])
def test_the_draft_is_a_step_table_whose_steps_are_not_proposed_again(
    project: Path, table_format: str, name: str
) -> None:
    (project / "desk").mkdir()
    (project / "desk" / "__init__.py").write_text("")
    (project / "desk" / "tickets.py").write_text(TICKETS.replace('open("imported", "w")\n', ""))
    draft = init("--table-format", table_format).stdout.partition("decided:\n\n")[2]
    (project / name).write_text(draft)
    checked = CliRunner().invoke(main, ["check", "--output-format", "concise"])
    assert "1 table, 5 steps; 6 calls followed, 0 opaque" in checked.stdout
    assert "looks like a call to the outside" in init().stdout
