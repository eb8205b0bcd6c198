"""What a look at the words of a long file finds of what a look at all of it finds."""

import re
from pathlib import Path

import pytest

from stepcheck import anchors, page
from stepcheck.anchors import narrowed
from stepcheck.behaviour.reading import behaviour
from stepcheck.code.flow import read_flows
from stepcheck.facts import Unreadable
from stepcheck.findings import Judges
from stepcheck.settings import Settings

TABLES = Path(__file__).parents[1] / "behaviour"
PAD = "\n\n" + "\n\n".join(
    f"class Shape{number}:\n"
    "    def area(self):\n"
    "        total = 0\n"
    "        while self.width > total:\n"
    "            total = total + self.height\n"
    "        return total\n"
    for number in range(70)
)
"""Code in which nothing matters, longer than any file that is looked at for its lines outside of functions."""


def snippets() -> list[str]:
    """Python of all pages, and every second snippet of the tables."""
    written = [
        text
        for file in sorted(page.folder().glob("*.md"))
        for example in page.read(file.read_text("utf-8")).examples
        for name, text in example.files.items()
        if name.endswith(".py")
    ]
    parts = [
        part
        for table in sorted(TABLES.glob("**/*.txt"))
        for part in re.split(r"(?m)^### .*\n|^#--- .*\n|^-{8}\n", table.read_text("utf-8"))
    ]
    return [*written, *parts[::2]]


def found(judges: Judges, data: bytes | None) -> set[tuple[int, str]]:
    """The line and rule of everything that is found in a file, or nothing of a file that is passed over."""
    if data is None:
        return set()
    return {(one.span.line, one.rule) for one in judges.findings(behaviour(read_flows("a.py", data)).facts)}


def test_of_what_there_is_in_long_files_most_is_looked_at() -> None:
    def fail(path: str, error: Exception) -> None:
        raise AssertionError(path) from error

    judges = Judges(Settings(root=Path("/"), code=True), Path("/"), fail)
    every = seen = 0
    for text in snippets():
        try:
            whole = found(judges, text.encode())
        except Unreadable:
            continue
        if whole:
            every += len(whole)
            seen += len(whole & found(judges, narrowed((text + PAD).encode())))
    assert every > 400
    assert seen / every > 0.85


@pytest.mark.parametrize(
    ("inside", "flag"),
    [
        ("row.status = 'sent'", anchors.RECORDS),
        ("row['state'] = 1", anchors.RECORDS),
        ("db.run('INSERT INTO a VALUES (1)')", anchors.RECORDS),
        ("db.run('Update a Set b = 1')", anchors.RECORDS),
        ("requests.post(url)", anchors.WRITE | anchors.CAUSE),
        ("row.on = not row.on", anchors.ROLE),
        ("db.run('update a set b = NOT b')", anchors.ROLE),
    ],
)
def test_what_is_written_in_a_function_says_what_its_names_do_not(inside: str, flag: int) -> None:
    assert anchors._mask(f"def f():\n    {inside}\n".encode(), (), {}) & flag == flag


@pytest.mark.parametrize(
    "inside", ["row.status == 'sent'", "status", "updates a set", "requests.post(url, timeout=3)", "reset()"]
)
def test_words_alone_say_nothing(inside: str) -> None:
    assert anchors._mask(f"def f():\n    {inside}\n".encode(), (), {}) == 0
