"""The copied parts of the Markdown files: found by their marker, compared in a test, rewritten on demand.

    python tests/docs/generated.py           rewrite every copied part from what its command prints

A marker is a comment, `<!-- printed by: stepcheck rules --output-format markdown -->`, and what follows it up to the
next `<!-- end -->` is what the command prints (in a fence, where the copy stands in one).
"""

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "benchmarks/README.md")
_PART = re.compile(r"<!-- printed by: (?P<command>[^\n]+?) -->\n(?P<copy>.*?)<!-- end -->", re.DOTALL)


ROOMS = "the first line of every module's docstring"


@dataclass(frozen=True)
class Part:
    document: str
    command: str
    copy: str
    start: int
    end: int

    @property
    def fence(self) -> str:
        """The opening fence of the copy, or nothing."""
        found = re.match(r"\s*(```\w*)\n", self.copy)
        return found.group(1) if found else ""

    def expected(self) -> str:
        """What the copy must be."""
        printed = output_of(self.command)
        return f"\n{self.fence}\n{printed}```\n\n" if self.fence else f"\n{printed}\n"


def output_of(command: str) -> str:
    """What `stepcheck ...` prints when run in the checkout, without colour, 100 columns wide."""
    if command == ROOMS:
        return rooms()
    program, *arguments = shlex.split(command)
    assert program == "stepcheck", command
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT)}
    environment.pop("FORCE_COLOR", None)
    run = subprocess.run(
        [sys.executable, "-m", "stepcheck", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + run.stderr


def rooms() -> str:
    """A Markdown table of the package's modules and subpackages, in the order of the layers contract."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    rows = ["| room | what is in it |", "|---|---|"]
    for layer in contract["layers"]:
        for name in re.findall(r"\w+", layer):
            folder = ROOT / "stepcheck" / name
            path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
            sentence = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n\n")[0]
            link = f"stepcheck/{name}/" if folder.is_dir() else f"stepcheck/{name}.py"
            rows.append(f"| `{link}` | {' '.join(sentence.split())} |")
    return "\n".join(rows) + "\n"


def parts() -> Iterator[Part]:
    """Every copied part of every document."""
    for document in DOCUMENTS:
        path = ROOT / document
        if path.exists():
            for found in _PART.finditer(path.read_text("utf-8")):
                yield Part(document, found["command"], found["copy"], found.start("copy"), found.end("copy"))


def main() -> None:
    for part in sorted(parts(), key=lambda part: -part.start):
        path = ROOT / part.document
        text = path.read_text("utf-8")
        path.write_text(text[: part.start] + part.expected() + text[part.end :], "utf-8")
        print(f"{part.document}: {part.command}")


if __name__ == "__main__":
    main()
