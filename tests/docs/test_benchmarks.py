"""Every figure of the benchmarks stands below the command that makes it."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SCRIPTS = sorted(script.name for script in FOLDER.glob("[!_]*.py"))
_COMMAND = re.compile(r"^    python benchmarks/(\w+\.py)(.*)$", re.MULTILINE)


def sections(document: str) -> dict[str, str]:
    """The text below each heading of a document."""
    parts = re.split(r"^#+ (.+)\n", (FOLDER / document).read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


README = sections("README.md")


@pytest.mark.parametrize("heading", [heading for heading, text in README.items() if "\n|" in text])
def test_a_table_stands_below_the_command_that_makes_it(heading: str) -> None:
    text = README[heading]
    commands = _COMMAND.findall(text[: text.index("\n|")])
    assert commands
    for script, options in commands:
        source = (FOLDER / script).read_text("utf-8")
        missing = [option for option in re.findall(r"--[a-z0-9-]+", options) if f'"{option}"' not in source]
        assert missing == [], f"{script} has no such options"


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_benchmark_has_its_figures_written_down(script: str) -> None:
    documents = [text for document in ("README.md", "robustness.md") for text in sections(document).values()]
    assert any(f"python benchmarks/{script}" in text and "\n|" in text for text in documents)


def test_there_are_benchmarks() -> None:
    assert {"startup.py", "trees.py", "linear.py", "adversarial.py"} <= set(SCRIPTS)
