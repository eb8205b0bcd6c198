import pkgutil
import re
import sys
import tomllib
from pathlib import Path

import pytest

import stepcheck.frontends
import stepcheck.output
from stepcheck.page import HARMS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))
from generated import DOCUMENTS, Part, parts  # noqa: E402

PARTS = list(parts())


@pytest.mark.parametrize("part", PARTS, ids=[f"{part.document}: {part.command}" for part in PARTS])
def test_a_copied_part_is_what_its_command_prints(part: Part) -> None:
    assert part.copy == part.expected(), "run: python tests/docs/generated.py"


def test_the_readme_copies_a_run_and_the_rule_table() -> None:
    commands = [part.command for part in PARTS if part.document == "README.md"]
    assert "stepcheck rules --output-format markdown" in commands
    assert any(command.startswith("stepcheck check fixtures/reconciliation/faulty") for command in commands)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    named = re.findall(r"`((?:stepcheck|rules|tests|fixtures|benchmarks|\.ci)/[\w./-]*)`", text)
    named += re.findall(r"\]\(([^)#:]+?)(?:#[\w-]*)?\)", text)
    missing = [
        name
        for name in named
        if "<" not in name
        and not (ROOT / document).parent.joinpath(name).exists()
        and not (ROOT / name).exists()
    ]
    assert missing == []


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    found = re.search(r"<!-- test command -->\n+```sh\n(.+?)```", readme, re.DOTALL)
    assert found and "pytest" in found.group(1)
    assert "<!-- test command -->" in (ROOT / ".ci/run").read_text("utf-8")


@pytest.mark.parametrize(
    "package", [stepcheck.frontends, stepcheck.output], ids=lambda package: package.__name__
)
def test_a_contract_keeps_every_public_module_apart(package: object) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    apart = {
        name for contract in contracts if contract["type"] == "independence" for name in contract["modules"]
    }
    modules = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")  # type: ignore[attr-defined]
    public = {module.name for module in modules if not module.name.rpartition(".")[2].startswith("_")}
    assert public <= apart


def test_the_documents_name_every_output_format_and_every_harm() -> None:
    [formats] = re.findall(r"^Formats: (.*?) \(", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", formats)) == stepcheck.output.names()
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [harm for harm in HARMS if f"`{harm}`" not in guide] == []
