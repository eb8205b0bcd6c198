"""The files that a new project is given, and what to add by hand to those it has."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stepcheck import __version__
from stepcheck.page import HOMEPAGE

_SETTINGS = """\
# Only the rules of the adoption ladder's first stage; `stepcheck ladder` shows where each step stands.
stage = 1
"""
_HOOKS = f"""\
  - repo: {HOMEPAGE}
    rev: v{__version__}
    hooks:
      - id: stepcheck
      - id: stepcheck-tables
"""
_GITHUB = f"""\
name: stepcheck
on: [push, pull_request]
permissions:
  contents: read
jobs:
  stepcheck:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: {HOMEPAGE.removeprefix("https://github.com/")}@v{__version__}
"""
_GITLAB = f"""\
stepcheck:
  image: python:3.13
  script:
    - pip install stepcheck=={__version__}
    - stepcheck check --output-format gitlab --output-file gl-code-quality.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality.json
"""


@dataclass(frozen=True, slots=True)
class Write:
    """A file to be made, or text to be put at the end of one that is there."""

    path: str
    text: str
    append: bool = False


@dataclass(frozen=True, slots=True)
class ByHand:
    """What a person puts into a file that is there."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Present:
    """A file that already says what it should."""

    path: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that is there and says something else; it is left as it is."""

    path: str


Outcome = Write | ByHand | Present | Taken


def outcomes(root: Path) -> tuple[Outcome, ...]:
    """What is to be done in that folder, file by file. Nothing is written by asking."""
    return (_configuration(root), *_hooks(root), *_ci(root))


def apply(outcome: Write, root: Path) -> None:
    """Write it. Raises FileExistsError for a new file that has come to be there, OSError where it cannot."""
    path = root / outcome.path
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab" if outcome.append else "xb") as file:
        file.write(outcome.text.encode("utf-8"))


def _configuration(root: Path) -> Outcome:
    own, shared = root / "stepcheck.toml", root / "pyproject.toml"
    if own.exists():
        return Present("stepcheck.toml")
    if not shared.exists():
        return Write("stepcheck.toml", _SETTINGS)
    text = shared.read_bytes().decode("utf-8", "replace")
    if "[tool.stepcheck" in text:
        return Present("pyproject.toml")
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    section = f"{gap}[tool.stepcheck]\n{_SETTINGS}"
    return Write("pyproject.toml", section.replace("\n", newline), append=True)


def _hooks(root: Path) -> Iterator[Outcome]:
    path = root / ".pre-commit-config.yaml"
    if path.exists():
        yield Present(path.name) if _speaks_of_us(path) else ByHand(path.name, _HOOKS)
    elif (root / ".git").exists():
        yield Write(path.name, f"repos:\n{_HOOKS}")


def _ci(root: Path) -> Iterator[Outcome]:
    if (root / ".github").is_dir():
        path = root / ".github" / "workflows" / "stepcheck.yml"
        name = path.relative_to(root).as_posix()
        if not path.exists():
            yield Write(name, _GITHUB)
        else:
            yield Present(name) if _speaks_of_us(path) else Taken(name)
    gitlab = root / ".gitlab-ci.yml"
    if gitlab.exists():
        yield Present(gitlab.name) if _speaks_of_us(gitlab) else ByHand(gitlab.name, _GITLAB)


def _speaks_of_us(path: Path) -> bool:
    return path.is_file() and b"stepcheck" in path.read_bytes()
