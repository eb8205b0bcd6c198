"""What the handbook is made of: each rule with its page, what the engine finds in its examples, and its stories."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stepcheck import engine, page, rules
from stepcheck.demo import Demo
from stepcheck.page import Example, Page
from stepcheck.report import Finding
from stepcheck.rule import Rule
from stepcheck.settings import Settings
from stepcheck.stories import stories


@dataclass(frozen=True, slots=True)
class Checked:
    """An example with what the engine finds in it."""

    example: Example
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule."""

    rule: Rule
    page: Page
    examples: tuple[Checked, ...]
    stories: tuple[Demo, ...]

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.rule.name


@dataclass(frozen=True, slots=True)
class Book:
    """All rules, by name."""

    entries: dict[str, Entry]

    def of_stage(self, stage: int) -> list[Entry]:
        """The rules of a stage."""
        return [entry for entry in self.entries.values() if entry.rule.stage == stage]

    def of_harm(self, harm: str) -> list[Entry]:
        """The rules whose bad example does that harm."""
        return [entry for entry in self.entries.values() if entry.page.leads_to == harm]


def gather(names: Sequence[str] | None = None) -> Book:
    """Read every page, check every example, run every story; `names` are the rules, all unless said otherwise."""
    return Book({name: entry(name) for name in names or rules.names()})


def entry(name: str) -> Entry:
    """The same of one rule."""
    found = page.find(name)
    checked = tuple(Checked(example, check(example)) for example in found.examples)
    return Entry(rules.load_one(name), found, checked, stories(name))


def check(example: Example) -> tuple[Finding, ...]:
    """What the engine finds in an example, its files alone in a folder."""
    with tempfile.TemporaryDirectory(prefix="stepcheck-") as name:
        folder = Path(name)
        for file, text in example.files.items():
            (folder / file).write_text(text, "utf-8")
        return engine.run(Settings(root=folder), ["."], cwd=folder).findings
