"""The edits that make changes to many files, worked out together so that libcst runs in one process."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from stepcheck.facts import Span
from stepcheck.fixes import limited, python_text
from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.kinds import is_python, kind_of
from stepcheck.rule import AddEntry, Change, RenameKey

Outcome: TypeAlias = Edit | CannotFix
Asked: TypeAlias = Mapping[str, tuple[str, Sequence[Change]]]
"""By path: the file's text and the changes to it."""


def place(change: Change) -> Span:
    """Where a change is made."""
    return change.after if isinstance(change, AddEntry) else change.span


def edits_of(asked: Asked) -> dict[str, list[Outcome]]:
    """For each file, for each of its changes: the edit, or why there is none."""
    outcomes: dict[str, list[Outcome]] = {}
    jobs: list[tuple[str, list[int], limited.Job]] = []
    for path, (text, changes) in asked.items():
        outcomes[path] = [_edit(path, text, change) for change in changes]
        if is_python(path):
            jobs += [(path, *job) for job in _jobs(text, changes, outcomes[path])]
    for (path, indexes, _), answers in zip(jobs, limited.run([job for _, _, job in jobs]), strict=True):
        for index, answer in zip(indexes, answers, strict=True):
            outcomes[path][index] = answer
    return outcomes


def _edit(path: str, text: str, change: Change) -> Outcome:
    try:
        return kind_of(path).edit(text, change)
    except CannotFix as error:
        return error


def _jobs(
    text: str, changes: Sequence[Change], outcomes: list[Outcome]
) -> list[tuple[list[int], limited.Job]]:
    """What libcst is to do, statement by statement; why a change has no statement goes into its outcome."""
    wanted = [(index, each) for index, each in enumerate(changes) if isinstance(each, RenameKey | AddEntry)]
    if not wanted:
        return []
    found: dict[python_text.Statement, list[tuple[int, RenameKey | AddEntry]]] = {}
    try:
        tree = python_text.parsed(text)
    except CannotFix as error:
        for index, _ in wanted:
            outcomes[index] = error
        return []
    for index, change in wanted:
        try:
            statement = python_text.statement(text, tree, place(change))
        except CannotFix as error:
            outcomes[index] = error
            continue
        found.setdefault(statement, []).append((index, change))
    return [
        ([index for index, _ in inside], limited.Job(statement, tuple(change for _, change in inside)))
        for statement, inside in found.items()
    ]
